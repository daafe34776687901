#!/usr/bin/env bash
# Expected: with learning_rate 0.1, the n-tuple networks of gymnasium-2048 move a value by a tenth of its error, as a
# rate does elsewhere in reinforcement learning.
# Seen: every table moves by that share, so the value moves by 17 times as much with the network of 17 tables, and by
# 20 times with the small one: at 0.1 by 1.7 and 2 times its error.
# Versions: gymnasium-2048 0.1.2, gymnasium 1.3.0, NumPy 1.26.4.
# Why it matters: papers and programs of n-tuple networks state the rate of one weight or the total one. Their ratio is
# the number of tables, times 8 with symmetries. Compare updates before you compare rates.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check \
  gymnasium-2048==0.1.2 gymnasium==1.3.0 numpy==1.26.4 pygame==2.6.1

PYGAME_HIDE_SUPPORT_PROMPT=1 "$folder/python/bin/python" - <<'END'
import sys
from importlib.metadata import version

import numpy as np
from gymnasium_2048.agents.ntuple import NTupleNetworkTDPolicy, NTupleNetworkTDPolicySmall
from gymnasium_2048.envs import TwentyFortyEightEnv

print("gymnasium-2048", version("gymnasium-2048"))
LEFT = 3
state = np.array([[1, 2, 3, 4], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], np.uint8)
after, _, _ = TwentyFortyEightEnv.apply_action(state, LEFT)
successor = after.copy()
successor[3, 3] = 1
is_as_stated = True
for policy, tables in (NTupleNetworkTDPolicy(), 17), (NTupleNetworkTDPolicySmall(), 20):
    for rate in 0.01, 0.1:
        before = policy.net.predict(policy._get_tuples(after))
        error = max(policy.evaluate(successor, action) for action in range(4)) - before
        policy.learn(state, LEFT, 0, successor, rate)
        moved = policy.net.predict(policy._get_tuples(after)) - before
        print(f"{tables} tables, learning_rate {rate}: moves by {moved:.4g}, {moved / error:.2f} of the error")
        is_as_stated &= abs(moved / error - tables * rate) < 1e-6
if not is_as_stated:
    sys.exit("this differs from the head comment")
END
