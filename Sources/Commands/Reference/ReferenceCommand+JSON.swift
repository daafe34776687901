extension ReferenceCommand {
  /// The JSON documents of commands, with a summary, and a line for each of their keys with its meaning; `[]` after a
  /// name stands for the elements of an array.
  ///
  /// A test compares the keys with the documents.
  static let jsonDocuments: [(command: String, summary: String, keys: String)] = [
    (
      "evaluate --json", "One object.",
      """
      games: The number of games that every player has played.
      seed: The seed of the spawns.
      startBoards: With `--start`: the number of different boards; otherwise missing.
      players[].name: The PLAYER text.
      players[].episodes: The episodes of a checkpoint of RUN@all; otherwise missing.
      players[].games: The number of games of the player.
      players[].weights: The checksum of the weights of the player's network, or of its file if that is a .w file; \
      missing without a network.
      players[].score.mean: The mean score, in points.
      players[].score.ci95: Its 95 % bootstrap interval, as `[low, high]`. Bootstrap intervals of a single game are \
      points, and say nothing.
      players[].score.median: The median score.
      players[].score.max: The highest score.
      players[].reached: The share of games that reached a tile, by tile value; with `--start`, of the games \
      whose board did not have the tile.
      players[].reachedCi95: The 95 % Wilson intervals of these shares.
      players[].moves: The number of moves of all games.
      players[].movesPerSecond: The speed of one thread, in moves/s.
      comparisons[].a: The first player of a pair. There is an object per pair.
      comparisons[].b: The second player.
      comparisons[].meanDifference: The mean score of `a` minus that of `b`, in points.
      comparisons[].ci95: Its 95 % bootstrap interval, paired by seed.
      comparisons[].ratio: The ratio of the mean scores, or null.
      comparisons[].ratioCi95: Its 95 % bootstrap interval, or null.
      comparisons[].reachedDifference: With `--start`: the share of games of `a` that reached a tile minus that \
      of `b`, by tile value; otherwise missing.
      comparisons[].reachedDifferenceCi95: Their 95 % bootstrap intervals, paired by game; missing with them.
      sequential.errorRate: With `--until-decided`: the probability of a wrong decision.
      sequential.decisions[].a: The first player of a pair.
      sequential.decisions[].b: The second player.
      sequential.decisions[].better: The player that wins more games, or null if undecided.
      sequential.decisions[].games: The number of games at the decision, or null.
      """
    ),
    (
      "analyze --json",
      """
      One object for a single board, otherwise an array of objects; from standard input, with an element per \
      line. An invalid board has only `board` and `error`.
      """,
      """
      board: The board, as 16 exponents.
      best: The best move, or null without a legal move.
      moves[].direction: `up`, `down`, `left`, `right`, in this order.
      moves[].legal: Whether the move is legal.
      moves[].reward: The reward, in points; 0 if illegal.
      moves[].afterstate: The board after the move and before the spawn.
      moves[].value: The action value, or null if illegal or not computed.
      """
    ),
    (
      "review --json", "One object.",
      """
      player: The PLAYER text of the reviewing player.
      score: The score after the last move.
      totalLoss: The sum of all losses, in points.
      meanLoss: The mean loss per move, in points.
      accuracy: 1 minus the sum of losses divided by the sum of mean losses, over the boards with several legal \
      moves; null if the mean losses are 0.
      worst[]: The numbers of the ten moves with the largest losses, the largest first.
      moves[].number: The number of the move, from 1.
      moves[].board: The board before the move.
      moves[].played: The direction played.
      moves[].best: The best move.
      moves[].score: The score before the move.
      moves[].expected: The expected final score before the move: the score plus the value of the best move.
      moves[].loss: The value of the best move minus that of the played one, in points; at least 0.
      moves[].meanLoss: The mean loss of the legal moves; null if only one is legal.
      """
    ),
    (
      "inspect --json", "Without a name: one object for all runs.",
      """
      runs[].name: The name of the run under `Models/`. The run of the latest report is the first.
      runs[].isTraining: Whether a process is training the run now.
      runs[].last: The last [report](Metrics.md); missing without one.
      runs[].last.episodes: The number of episodes since the run began; missing without a report.
      runs[].bestMeanScore: The mean score of the best evaluation; missing without one.
      runs[].secondsLeft: An estimate of the seconds to the end; missing unless the run is training.
      """
    ),
    (
      "inspect TABLES --json", "One object for a table, or for all tables of a directory.",
      """
      tables[].path: The file of a table, which is intact; otherwise there is an error.
      tables[].locked: The locked cells, as `tables build` reads them.
      tables[].goal: The tile to make.
      tables[].target: `tile` if the goal counts on any free cell, `chain` if a chain merges into it.
      tables[].largestSum: The largest sum of the tiles on free cells that the table knows.
      tables[].fourProbability: The probability that a new tile is a 4, else a 2.
      tables[].probabilities: The number of probabilities.
      tables[].bytes: The size of the file.
      """
    ),
    (
      "inspect NAME --json",
      """
      One object. A `.w` file of TDL2048+ has only `path`, `format`, `bytes`, `patterns`, `weights` and \
      `hasFurtherTables`.
      """,
      """
      path: The weight file.
      isWhole: `true`, since other files are rejected.
      checksum: The SHA-256 checksum of the weights.
      bytes: The size of the file.
      boardSize: The number of rows and of columns.
      fourProbability: The probability that a new tile is a 4, else a 2.
      patterns: The patterns, as cell strings.
      stages: `count`, `rule` and `tiles` of the stages; missing without stages.
      downgradeTile: The value of `network.downgradeTile`; missing without downgrading.
      weights: The number of weights.
      compact: The quantisation of a .compact file; otherwise missing.
      kept: The number of weights that a .compact file keeps; otherwise missing.
      episodes: The number of episodes of training.
      moves: The number of moves of training.
      seed: The seed of the last training.
      version: The version of learn2048 that wrote the file.
      history[].episodes: The episodes of a session. There is an object per session.
      history[].moves: Its moves.
      history[].seed: Its seed.
      history[].wallSeconds: Its elapsed time, in seconds.
      history[].version: The version of learn2048.
      config: The configuration of the training.
      run.path: The run directory. `run` is missing for a weight file or checkpoint.
      run.episodes: The episodes of the saved state; missing without one.
      run.stateBytes: The size of the saved state; missing without one.
      run.bestMeanScore: The mean score of the best evaluation; missing without one.
      run.weights[].file: The name of a checkpoint.
      run.weights[].episodes: Its episodes.
      run.weights[].bytes: Its size.
      run.weights[].checksum: Its checksum.
      run.weights[].isBest: Whether an evaluation found it best.
      run.weights[].isLatest: Whether the saved state belongs to it.
      """
    ),
    (
      "bench --json",
      "One object. `bench signature --json` prints an object with `signature` instead.",
      """
      benchmark: The name of the benchmark.
      repeats: The number of measurements per variant.
      clock: `wall` or `cpu`.
      rows[].parameters: An object with the properties of a variant, such as `threads`.
      rows[].samples: The moves/s of each repeat.
      rows[].meanScores: The mean score of the games of each repeat; empty without games.
      rows[].movesPlayed: The moves of each repeat of training, with warm-ups; otherwise empty.
      rows[].movesPerSecond: `median`, `min` and `max` of the samples.
      rows[].microsecondsPerMove: The same as time per move, in µs.
      rows[].ratio: The same as ratio to the first variant of the repeat.
      rows[].moveMilliseconds: The CPU time of single moves, in ms, for players with a time budget; otherwise \
      missing.
      """
    ),
    (
      "train --dry-run --json", "One object.",
      """
      configuration: The resolved configuration.
      memoryBytes: The memory that the run takes.
      diskBytes: The largest disk space of its checkpoints.
      movesPerSecond: The speed at the beginning, in moves/s.
      seconds: The expected training time, in seconds.
      """
    ),
    (
      "config --json", "An array with an object per key.",
      """
      [].key: The key.
      [].default: Its default; missing if the key must be set.
      [].allowed: The allowed values, in words.
      [].canChangeOnResume: Whether a resumed run may have another value.
      [].meaning: The meaning, in sentences.
      """
    ),
    (
      "sweep --json", "One object. `results.jsonl` has the rows, one per line.",
      """
      description: The description of the plan.
      trialsDone: The number of finished trials.
      trialsTotal: The number of trials of the plan. A variant that diverged has no trials after the next rung.
      rows[].variant: The name of the variant.
      rows[].rung: The index of the budget, from 0.
      rows[].budget: The budget.
      rows[].budgetUnit: `seconds`, `moves` or `episodes`.
      rows[].isLast: Whether the variant ended at this budget.
      rows[].seeds: The seeds.
      rows[].scores: The mean score of each seed, in points; null if its learning diverged.
      rows[].diverged: The seeds with which learning diverged; missing without such seeds.
      rows[].mean: The mean of the scores; missing if learning diverged with a seed.
      rows[].ci95: Its 95 % interval, as `[low, high]`; missing for one seed, and without a mean.
      rows[].difference: The mean minus that of the first variant; missing for the first variant, and if one of \
      them has no mean.
      rows[].differenceCi95: Its 95 % interval; missing for one seed, and without a difference.
      rows[].episodes: The mean number of episodes.
      rows[].moves: The mean number of moves.
      rows[].seconds: The mean training time, in seconds.
      rows[].movesPerSecond: The training speed over all seeds.
      """
    ),
  ]
}
