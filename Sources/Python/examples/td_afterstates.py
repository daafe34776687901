"""Trains an n-tuple network by TD(0) on afterstates, with many games at once, in one file.

With the defaults, the last 1,000 of 100,000 games have a mean of 63,000 to 71,000 points, as in the literature:
Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game 2048", 2014.

    python td_afterstates.py --games 100000 --save 4x6.safetensors
"""

import argparse
import time

import numpy as np

import learn2048


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patterns", default="4x6", help="patterns of the network (default: 4x6)")
    parser.add_argument("--games", type=int, default=100_000, help="number of games (default: 100000)")
    parser.add_argument("--environments", type=int, default=64, help="games at once (default: 64)")
    parser.add_argument("--learning-rate", type=float, default=0.1, help="share of an error (default: 0.1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, help="number of threads (default: one per core)")
    parser.add_argument("--save", help="write the weights to this file")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    count, threads = arguments.environments, arguments.threads
    network = learn2048.Network(arguments.patterns)
    environments = learn2048.VectorEnv(count, autoreset_mode="SameStep", threads=threads)
    boards, _ = environments.reset(seed=arguments.seed)
    lanes = np.arange(count)
    # The afterstates of the moves before; false where a game has just begun.
    before, has_before = np.zeros((count, 4, 4), np.uint8), np.zeros(count, bool)
    scores, moves, start, reported = [], 0, time.time(), 0

    while len(scores) < arguments.games:
        # The greedy policy: the largest reward plus value of the afterstate.
        best, values = network.best_moves(boards, threads=threads)
        chosen = values[lanes, best]
        afterstates = learn2048.moves(boards, threads=threads).afterstates[lanes, best]

        # The target of an afterstate is the next reward plus the value of the next afterstate.
        if has_before.any():
            errors = chosen[has_before] - network.values(before[has_before], threads=threads)
            network.update(before[has_before], errors, arguments.learning_rate, threads=1)

        boards, _, ended, _, infos = environments.step(best)
        moves += count

        # The last afterstate of a game has the value 0.
        if ended.any():
            last = afterstates[ended]
            network.update(last, -network.values(last), arguments.learning_rate)
            scores += infos["score"][ended].tolist()
        before, has_before = afterstates, ~ended

        if len(scores) // max(1, arguments.games // 20) > reported:
            reported = len(scores) // max(1, arguments.games // 20)
            recent = scores[-1000:]
            print(f"{len(scores):7,} games, {moves:12,} moves, {time.time() - start:6.0f} s, mean of the last "
                  f"{len(recent):,}: {np.mean(recent):8,.0f}", flush=True)

    if arguments.save:
        network.save(arguments.save)
    return np.mean(scores[-1000:])


if __name__ == "__main__":
    main()
