"""Trains a small DQN of Stable-Baselines3 on 2048 for comparison, in a minute or two.

    pip install stable-baselines3
    python dqn.py --steps 100000

It shows that the environment works with a library unchanged. A network of this kind learns far less of the game in the
same time than n-tuple networks; td_afterstates.py is the example to compare.
"""

import argparse

import gymnasium
import numpy as np
from stable_baselines3 import DQN

import learn2048


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="number of training steps (default: 100000)")
    parser.add_argument("--games", type=int, default=20, help="number of games to compare (default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    learn2048.register()

    def make():
        environment = gymnasium.make("learn2048/2048-v0", observation="planes", illegal_reward=-10)
        # Rewards grow with the tiles, so the network sees their logarithms. Planes are flattened for a plain network.
        environment = gymnasium.wrappers.TransformReward(environment, lambda r: np.sign(r) * np.log2(1 + abs(r)))
        return gymnasium.wrappers.FlattenObservation(environment)

    model = DQN("MlpPolicy", make(), learning_rate=3e-4, buffer_size=100_000, learning_starts=1_000, train_freq=8,
                batch_size=128, exploration_fraction=0.3, policy_kwargs={"net_arch": [128, 128]}, seed=arguments.seed)
    model.learn(arguments.steps)

    environment = make()

    def play(choose):
        scores = []
        for game in range(arguments.games):
            observation, info = environment.reset(seed=1000 + game)
            ended = False
            while not ended:
                observation, _, ended, _, info = environment.step(choose(observation, info["action_mask"]))
            scores.append(info["score"])
        return np.mean(scores)

    def greedy(observation, mask):
        values = model.q_net(model.policy.obs_to_tensor(observation)[0]).detach().cpu().numpy()[0]
        return int(np.where(mask, values, -np.inf).argmax())

    random = np.random.default_rng(arguments.seed)
    print(f"random: {play(lambda _, mask: int(random.choice(np.flatnonzero(mask)))):,.0f} points on average")
    print(f"DQN after {arguments.steps:,} steps: {play(greedy):,.0f} points on average", flush=True)


if __name__ == "__main__":
    main()
