"""Environments: rules, randomness, and Gymnasium's interfaces."""

import multiprocessing
import os
import threading
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import slid_boards
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import learn2048


def test_rules_on_random_transitions():
    """10^5 transitions agree with the reference: afterstates, rewards, masks, spawns and ends."""
    environments = learn2048.VectorEnv(1000, autoreset_mode="SameStep")
    before, infos = environments.reset(seed=1)
    spawned, ends = np.zeros(2, int), 0
    for step in range(100):
        # Later steps take the first legal moves, which make larger tiles.
        mask = infos["action_mask"]
        actions = environments.sample() if step < 50 else mask.argmax(1)
        computed = learn2048.moves(before)
        after, rewards, terminated, truncated, infos = environments.step(actions)
        assert not truncated.any()
        slides = [slid_boards(before, move) for move in range(4)]
        afterstates, points = (np.stack(parts, 1) for parts in zip(*slides))
        legal = (afterstates != before[:, None]).any((2, 3))
        assert (computed.legal == legal).all() and (mask == legal).all()
        assert (computed.afterstates == afterstates).all() and (computed.rewards == points).all()
        lanes = np.arange(1000)
        assert (rewards == points[lanes, actions]).all()
        # The boards before automatic resets have one tile more than the afterstates, where these were empty.
        following = np.where(terminated[:, None, None], infos.get("final_obs", after), after)
        afterstates = afterstates[lanes, actions]
        changed = following != afterstates
        assert (changed.sum((1, 2)) == 1).all() and not afterstates[changed].any()
        spawned += np.bincount(following[changed], minlength=3)[1:]
        is_over = np.all([(slid_boards(following, move)[0] == following).all((1, 2)) for move in range(4)], axis=0)
        assert (terminated == is_over).all()
        ends += terminated.sum()
        before = after
    # 5 standard deviations.
    assert spawned.sum() == 100_000 and ends > 100
    assert abs(spawned[1] - 10_000) < 5 * np.sqrt(100_000 * 0.1 * 0.9)


def test_spawns_and_samples_are_uniform():
    environments = learn2048.VectorEnv(20_000, start_tiles=1, four_probability=0.25)
    boards, infos = environments.reset(seed=3)
    counts = (boards > 0).reshape(-1, 16).sum(0)
    assert counts.sum() == 20_000 and (abs(counts - 1250) < 5 * np.sqrt(1250)).all()
    assert abs((boards == 2).sum() - 5000) < 5 * np.sqrt(3750)
    corner = np.zeros((20_000, 4, 4), np.uint8)
    corner[:, 1, 1] = 1
    environments.reset(options={"boards": corner})
    counts = np.bincount(environments.sample(), minlength=4)
    assert (abs(counts - 5000) < 5 * np.sqrt(3750)).all()
    corner[:, 1, 1], corner[:, 0, 0] = 0, 1
    environments.reset(options={"boards": corner})
    assert set(environments.sample()) == {1, 3}


def play(environments, seed, steps):
    observations, infos = environments.reset(seed=seed)
    results = [observations]
    for _ in range(steps):
        observations, rewards, terminated, _, infos = environments.step(environments.sample())
        results += [observations, rewards, terminated, infos["score"]]
    return results


def same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_seeds_repeat_whatever_the_threads():
    runs = [play(learn2048.VectorEnv(3000, threads=threads), 7, 150) for threads in (1, 2, 3)]
    assert same(runs[0], runs[1]) and same(runs[0], runs[2])
    assert not same(runs[0], play(learn2048.VectorEnv(3000), 8, 150))


def test_episodes_are_games_of_evaluate():
    game = learn2048.Player("greedy").play(9, game=1)
    environment = learn2048.Env(illegal="refuse")
    environment.reset(seed=9)
    observation, _ = environment.reset()
    for board, move in zip(game.boards, game.moves):
        assert (observation == board).all()
        observation, _, terminated, _, info = environment.step(move)
    assert terminated and (observation == game.boards[-1]).all() and info["score"] == game.score


@pytest.mark.parametrize("observation", ["exponents", "planes", "tiles"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_check_env(observation, size):
    learn2048.register()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        environment = gymnasium.make("learn2048/2048-v0", observation=observation, size=size)
        check_env(environment.unwrapped, skip_render_check=True)
    assert environment.observation_space.contains(environment.reset(seed=1)[0])


def test_observations_agree():
    exponents, planes, tiles = (learn2048.VectorEnv(50, observation=name).reset(seed=2)[0]
                                for name in ("exponents", "planes", "tiles"))
    assert (planes.argmax(1) == exponents).all() and (planes.sum(1) == 1).all()
    assert (tiles == np.where(exponents > 0, 2 ** exponents.astype(int), 0)).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_env_is_a_vector_of_envs(mode):
    """The same results as Gymnasium's own vector of `Env`, with automatic resets in each mode."""
    learn2048.register()
    ours = gymnasium.make_vec("learn2048/2048-v0", num_envs=5, size=2, autoreset_mode=mode,
                              vectorization_mode="vector_entry_point")
    theirs = SyncVectorEnv([lambda: learn2048.Env(size=2)] * 5, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == mode
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    (first, infos), (second, _) = ours.reset(seed=4), theirs.reset(seed=4)
    ended = 0
    for _ in range(200):
        assert (first == second).all()
        actions = ours.unwrapped.sample()
        first, *ours_flags, infos = ours.step(actions)
        second, *their_flags, their_infos = theirs.step(actions)
        assert same(ours_flags, their_flags)
        assert (infos["action_mask"] == their_infos["action_mask"]).all()
        over = ours_flags[1]
        ended += over.sum()
        if over.any() and mode == AutoresetMode.SAME_STEP:
            assert (infos["_final_obs"] == their_infos["_final_obs"]).all()
            for index in np.flatnonzero(over):
                assert (infos["final_obs"][index] == their_infos["final_obs"][index]).all()
            assert (infos["final_info"]["score"][over] == their_infos["final_info"]["score"][over]).all()
        elif over.any() and mode == AutoresetMode.DISABLED:
            # A copy for each, because Gymnasium takes the mask out of the options.
            first, second = (each.reset(options={"reset_mask": over.copy()})[0] for each in (ours, theirs))
    assert ended > 20


def test_illegal_moves():
    board = np.zeros((4, 4), np.uint8)
    board[0, 0] = 1
    refuse, ignore, end = (learn2048.Env(illegal=rule, illegal_reward=-1) for rule in ("refuse", "no-op", "end"))
    for environment in (refuse, ignore, end):
        environment.reset(seed=1, options={"board": board})
    with pytest.raises(learn2048.UsageError, match="moving up is not legal in environment 0"):
        refuse.step(0)
    observation, reward, terminated, _, info = ignore.step(0)
    assert (observation == board).all() and (reward, terminated) == (-1, False) and list(info["action_mask"]) == [0, 1, 0, 1]
    observation, reward, terminated, _, info = end.step(0)
    assert (observation == board).all() and (reward, terminated) == (-1, True) and not info["action_mask"].any()
    with pytest.raises(learn2048.UsageError, match="Reset it first"):
        end.step(1)


def test_a_refused_step_changes_nothing():
    environments = learn2048.VectorEnv(2000, illegal="refuse")
    before, infos = environments.reset(seed=5)
    actions = environments.sample()
    bad = actions.copy()
    bad[1999] = infos["action_mask"][1999].argmin()
    with pytest.raises(learn2048.UsageError, match="environment 1999"):
        environments.step(bad)
    expected = learn2048.VectorEnv(2000)
    expected.reset(seed=5)
    assert (environments.step(actions)[0] == expected.step(actions)[0]).all()


def test_large_tiles():
    """Two tiles of 65536 become one of 131072, beyond the four bit planes. Two of those do not merge."""
    board = np.zeros((4, 4), np.uint8)
    board[0, :2] = 16
    environment = learn2048.Env(illegal="refuse")
    environment.reset(seed=1, options={"board": board})
    observation, reward, *_ = environment.step(2)
    assert observation[0, 0] == 17 and reward == 131072
    board[0, :2] = 17
    moves = learn2048.moves(board)
    assert list(moves.legal) == [False, True, False, True] and not moves.rewards.any()
    assert (moves.afterstates[3][0] == [0, 0, 17, 17]).all()


def test_goal():
    board = np.zeros((4, 4), np.uint8)
    board[0, :2] = 10
    for goal, ends in ((None, False), (4096, False), (2048, True)):
        environment = learn2048.Env(goal=goal)
        environment.reset(seed=1, options={"board": board})
        assert environment.step(2)[1:3] == (2048, ends)


def test_no_copies_share_memory():
    environments = learn2048.VectorEnv(4, copy=False)
    first, _ = environments.reset(seed=1)
    assert np.shares_memory(first, environments.step(environments.sample())[0])
    copied = learn2048.VectorEnv(4)
    first, infos = copied.reset(seed=1)
    kept, mask = first.copy(), infos["action_mask"].copy()
    copied.step(copied.sample())
    assert (first == kept).all() and (infos["action_mask"] == mask).all()


def test_two_threads():
    """Threads with separate environments do not disturb each other; one that is in use is busy or waits."""
    expected = play(learn2048.VectorEnv(2000), 3, 100)
    results = [None] * 3
    threads = [threading.Thread(target=lambda place=place: results.__setitem__(place, play(
        learn2048.VectorEnv(2000), 3, 100))) for place in range(3)]
    shared = learn2048.VectorEnv(20_000)
    shared.reset(seed=1)
    failures = []

    def use():
        for _ in range(100):
            try:
                shared.step(np.zeros(20_000, int))
            except learn2048.BusyError:
                pass
            except Exception as failure:
                failures.append(failure)

    threads += [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and all(same(expected, result) for result in results)


def test_fork(network, boards):
    """A child of a process with threads of the library does everything on its own thread."""
    environments = learn2048.VectorEnv(3000)
    environments.reset(seed=6)
    for _ in range(5):
        environments.step(environments.sample())
    values = network.values(boards, threads=2)
    expected = learn2048.load("default").values(boards)
    player = learn2048.Player("learned:depth=3,threads=2")
    player.moves(boards[0])
    game = learn2048.Player("random").play(seed=1)

    def child():
        for _ in range(5):
            after = environments.step(environments.sample())[0]
        assert after.sum() == after_of_parent(6)
        assert np.array_equal(network.values(boards, threads=2), values)
        assert np.array_equal(learn2048.load("default").values(boards), expected)
        for text in ("learned:depth=3,threads=2", "montecarlo:threads=2"):
            assert learn2048.Player(text).moves(boards[0]).best >= 0
        assert player.moves(boards[0]).best >= 0
        assert learn2048.review(game, "learned:depth=1", threads=2)["moves"]
        assert len(os.listdir("/proc/self/task")) == 1

    with warnings.catch_warnings():
        # Python warns of forks of processes with threads.
        warnings.simplefilter("ignore")
        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
    process.join(60)
    process.kill()
    process.join()
    assert process.exitcode == 0


def after_of_parent(seed):
    environments = learn2048.VectorEnv(3000, threads=1)
    environments.reset(seed=seed)
    for _ in range(10):
        after = environments.step(environments.sample())[0]
    return after.sum()
