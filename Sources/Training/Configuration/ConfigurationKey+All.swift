import Basics
import Learning
import NTupleNetwork

extension ConfigurationKey {
  /// Every key, in the order of the reference page.
  public static let all: [ConfigurationKey] = [
    text(
      "description", \.description, onResume: true,
      "A description for readers. It has no effect."),
    integer(
      "episodes", \.episodes, 0...Int.max, onResume: true,
      "The number of episodes after which the run ends; 0 for no such limit. An episode is a game, or "
        + "the rest of a game that starts within one. The default is 0 if the run has another limit."
    ),
    integer(
      "limit.moves", \.limitMoves, 0...Int.max, onResume: true,
      "The number of moves after which the run ends; 0 for no such limit."),
    number(
      "limit.seconds", \.limitSeconds, 0...1e9, onResume: true,
      "The training time after which the run ends, in seconds; 0 for no such limit. Evaluations and "
        + "saving do not count. `--minutes` sets it. With several limits, the first one that is reached "
        + "ends the run, and shares of the run are shares of that limit."
    ),
    integer(
      "seed", \.seed, 0...Int.max,
      "The seed of all spawns. With one thread, or in synchronous mode, it determines the whole run."
    ),
    integer(
      "threads", \.threads, 1...1024, onResume: true,
      "The number of workers that play and learn in parallel. `train` overrides the default with one per "
        + "core; `--threads` sets it."),
    choice(
      "randomSource", \.randomSource,
      "The random number generator of the spawns."),

    integer(
      "game.boardSize", \.boardSize, 2...4,
      "The number of rows and of columns. Cells keep the numbers that they have on a 4x4 board."),
    number(
      "game.fourProbability", \.fourProbability, 0...1,
      "The probability that a new tile is a 4."),

    value(
      "network.patterns", \.patterns,
      allowed: "a list of cell strings such as [\"012345\", \"45689a\"], or one of "
        + NamedPatternSet.all.keys.sorted().joined(separator: ", "),
      schema: ValueSchema.either(
        ValueSchema.list(
          of: ["type": .string("string"), "pattern": .string("^[0-9a-fA-F]{1,8}$")], atLeast: 1),
        ValueSchema.names(NamedPatternSet.all.keys.sorted())),
      "The patterns of the network. Each is a string of the 1 to 8 cells that it reads, as hexadecimal "
        + "digits. Required.",
      parse: patterns, format: { .array($0.map { .string($0) }) }),
    choice(
      "network.stages", \.stages,
      "The rule that divides the game into stages with separate weights: `none`, or by the largest tile on "
        + "the board (`largestTile`). A weight that a stage has not learned is read from the stage before, and "
        + "starts from there with new coherence sums. The board counts as it is, not downgraded. Only with a "
        + "tile above 32768, and with `network.downgradeTile`, it is downgraded below 65536 first."),
    tiles(
      "network.stageTiles", \.stageTiles,
      "The tiles that divide the stages, such as [16384, 32768]. Each adds a stage."),
    value(
      "network.downgradeTile", \.downgradeTile,
      allowed: "one of 0, 1024, 2048, 4096, 8192, 16384, 32768",
      schema: ValueSchema.tiles(Downgrading.range, orNone: true),
      "The tile from which on boards are read downgraded. One step is repeated until the largest tile is "
        + "below this one, or no tile from 64 up to the largest is missing: every tile above the largest "
        + "missing one is halved. 0 disables downgrading.",
      parse: { tile($0, Downgrading.range) }, format: { .integer($0) }),

    value(
      "starts.rule", \.starts,
      allowed: "one of opening, restart, carousel, or steps such as "
        + "[[0, \"opening\"], [0.5, \"restart\"]]",
      schema: ValueSchema.schedule(of: ValueSchema.names(StartRule.allCases.map(\.rawValue))),
      "The rule that chooses the start of an episode: the start of the game (`opening`), a board within the "
        + "episode before unless that was short (`restart`), or in turn the start of the game and boards on which each of "
        + "`starts.carouselTiles` had just appeared (`carousel`). Mean scores count whole games only.",
      parse: { schedule($0, of: named) }, format: { formatted($0) { .string($0.rawValue) } }),
    number(
      "starts.restartShare", \.restartShare, 0.01...0.99,
      "The share of the previous episode's moves that a restart skips."),
    integer(
      "starts.shortestPath", \.shortestPath, 1...1_000_000,
      "The number of moves below which an episode is followed by a whole game instead of a restart."
    ),
    value(
      "starts.restartTile", \.restartTile, allowed: "0 or a tile from 4 to 32768",
      schema: ValueSchema.tiles(2...15, orNone: true),
      "The tile that a board must have reached for a restart from it. If it has not, the next episode is a "
        + "whole game. 0 allows any board.",
      parse: { tile($0, 2...15) }, format: { .integer($0) }),
    tiles(
      "starts.carouselTiles", \.carouselTiles,
      "The tiles whose first appearance `carousel` records as a start."),

    value(
      "learning.method", \.method,
      allowed: "one of td, tc, or steps such as [[0, \"td\"], [0.9, \"tc\"]]",
      schema: ValueSchema.schedule(
        of: ValueSchema.names(LearningMethod.allCases.map(\.rawValue))),
      "The update rule: the same step for all weights (`td`, temporal difference learning), or steps "
        + "scaled by each weight's coherence (`tc`, temporal coherence). Steps are pairs of a share of "
        + "the run and the method from there on.",
      parse: { schedule($0, of: named) }, format: { formatted($0) { .string($0.rawValue) } }),
    value(
      "learning.learningRate", \.learningRate,
      allowed: "a number above 0 and at most 16, or steps such as [[0, 0.1], [0.5, 0.01]]",
      schema: ValueSchema.schedule(
        of: ["type": .string("number"), "exclusiveMinimum": .integer(0), "maximum": .integer(16)]
      ),
      "The total learning rate α. Each of m features moves by α/m of the error, with `tc` times its "
        + "coherence and at most by 1/m. The default is 0.1 for `td` and 1 for `tc`.",
      parse: { schedule($0, of: rate) }, format: { formatted($0, JSONValue.shortest) }),
    number(
      "learning.initialValue", \.initialValue, 0...1_000_000,
      "The initial value V of every afterstate, in points. It is optimistic if it exceeds reachable "
        + "scores. Each of m weights starts at V/m."),
    integer(
      "learning.inheritEveryEpisodes", \.inheritEveryEpisodes, 0...Int.max,
      "The number of episodes after which entries that no update has reached inherit the weights of "
        + "smaller tiles. It happens ten times at this interval, then at five times the interval. "
        + "0 disables it. Requires `tc`."),
    choice(
      "learning.returns", \.returns,
      "The TD target: the next reward and value (`oneStep`), the rewards of `learning.steps` moves and "
        + "the value after them (`nStep`), the λ-return of the rest of the episode (`lambda`), or the "
        + "λ-return over `learning.horizon` moves (`delayedLambda`)."),
    number(
      "learning.lambda", \.lambda, 0...1,
      "The λ of `lambda` and `delayedLambda`. TD errors more than 512 moves later may be left out."),
    integer(
      "learning.steps", \.steps, 1...1_000,
      "The number of moves of `nStep`."),
    integer(
      "learning.horizon", \.horizon, 0...1_000,
      "The number of later TD errors that `delayedLambda` includes."),
    integer(
      "learning.batchSize", \.batchSize, TrainingConfiguration.batchSizes,
      "The number of moves whose updates a worker applies together, in asynchronous mode."),
    choice(
      "learning.mode", \.mode,
      "The way in which workers share weights: without locks (`asynchronous`), or in rounds of lanes "
        + "whose updates are added up in order, so that the weights do not depend on the number of "
        + "threads (`synchronous`)."
    ),
    integer(
      "learning.lanes", \.lanes, 1...1024,
      "The number of lanes of synchronous mode: games that are played on the same weights. It limits "
        + "the number of threads that can play."),
    integer(
      "learning.roundMoves", \.roundMoves, TrainingConfiguration.batchSizes,
      "The number of moves of a round of synchronous mode, over all lanes: a multiple of "
        + "`learning.lanes`. With `tc`, learning can diverge above 256."),

    integer(
      "averaging.everyEpisodes", \.averagingEveryEpisodes, 0...Int.max,
      "The number of episodes between two additions of the weights to their running average, which "
        + "evaluations and checkpoints then use; 0 disables averaging."),
    number(
      "averaging.from", \.averagingFrom, 0...0.999,
      "The share of the run after which averaging starts."),
    number(
      "averaging.share", \.averagingShare, 0.001...1,
      "The reach s of the average, as a share of the n weights added so far: the newest weights count "
        + "1/(s·n). 1 is the plain mean."),
    integer(
      "averaging.window", \.averagingWindow, 1...1_000_000,
      "The largest reach of the average, in additions. From there on the average is exponential."
    ),

    number(
      "merging.timeShare", \.mergeTimeShare, 0...0.9, onResume: true,
      "The share of the time since the start that merging may cost, by waiting and by slower play: the more it costs, "
        + "the later the next merge comes. 0 leaves the interval to the next two keys."),
    integer(
      "merging.everyMoves", \.mergeEveryMoves, 0...Int.max, onResume: true,
      "The number of moves of all ranks between two merges; 0 disables merges by count. If all merges are due by "
        + "moves, the ranks wait for each merge to end, and if every rank also has one thread, the seed determines "
        + "the whole job."),
    number(
      "merging.everySeconds", \.mergeEverySeconds, 0...1e9, onResume: true,
      "The longest time between two merges, in seconds; 0 disables merges by the clock. Without any of the three "
        + "keys, the ranks merge at the end only. Whatever is due in between, such as a checkpoint, waits for the "
        + "next merge."),

    integer(
      "report.everyEpisodes", \.reportEveryEpisodes, 1...Int.max, onResume: true,
      "The number of episodes between two reports in `metrics.jsonl`."),
    integer(
      "checkpoint.everyEpisodes", \.checkpointEveryEpisodes, 0...Int.max, onResume: true,
      "The number of episodes between two checkpoints; 0 disables checkpoints by count."),
    number(
      "checkpoint.everySeconds", \.checkpointEverySeconds, 0...1e9, onResume: true,
      "The time between two checkpoints, in seconds; 0 disables checkpoints by time."),
    integer(
      "checkpoint.keep", \.checkpointKeep, 1...1_000_000, onResume: true,
      "The number of newest weight files to keep. The best one is always kept, too."),
    integer(
      "evaluation.firstEpisodes", \.evaluationFirstEpisodes, 0...Int.max, onResume: true,
      "The number of episodes before the first evaluation. Further ones follow each time the number has doubled, as "
        + "long as it is below `evaluation.everyEpisodes`. 0 disables these evaluations."),
    integer(
      "evaluation.everyEpisodes", \.evaluationEveryEpisodes, 0...Int.max, onResume: true,
      "The number of episodes between two evaluations by greedy play on fixed seeds; 0 disables evaluations "
        + "by count."),
    number(
      "evaluation.everySeconds", \.evaluationEverySeconds, 0...1e9, onResume: true,
      "The time between two evaluations, in seconds; 0 disables evaluations by time."),
    integer(
      "evaluation.games", \.evaluationGames, 1...1_000_000, onResume: true,
      "The number of games of an evaluation."),
  ]

  private static func patterns(_ json: JSONValue) -> [String]? {
    switch json {
    case .string(let name):
      return NamedPatternSet.all[name]
    case .array(let elements):
      let texts = elements.compactMap(\.string)
      return texts.count == elements.count && !texts.isEmpty ? texts : nil
    default:
      return nil
    }
  }

  /// Returns a tile with an exponent in a range, or 0 for none.
  private static func tile(_ json: JSONValue, _ exponents: ClosedRange<Int>) -> Int? {
    json.wholeNumber.flatMap { tile in
      tile == 0 || exponents.contains { 1 << $0 == tile } ? tile : nil
    }
  }

  /// Returns a key for a list of different tiles in ascending order.
  private static func tiles(
    _ path: String, _ field: Setting<[Int]>, _ summary: String
  ) -> ConfigurationKey {
    value(
      path, field, allowed: "a list of tiles from 4 to 32768 in ascending order",
      schema: ValueSchema.list(of: ValueSchema.tiles(2...15, orNone: false)), summary,
      parse: { json in
        guard let elements = json.array else { return nil }
        let tiles = elements.compactMap(\.wholeNumber).filter {
          (4...32768).contains($0) && $0.nonzeroBitCount == 1
        }
        let ascends = zip(tiles, tiles.dropFirst()).allSatisfy { $0 < $1 }
        return tiles.count == elements.count && ascends ? tiles : nil
      },
      format: { .array($0.map { .integer($0) }) })
  }

  private static func rate(_ json: JSONValue) -> Double? {
    json.double.flatMap { $0 > 0 && $0 <= 16 ? $0 : nil }
  }

  private static func schedule<Value>(
    _ json: JSONValue, of value: (JSONValue) -> Value?
  ) -> StepSchedule<Value>? {
    guard let elements = json.array else { return value(json).map { StepSchedule(constant: $0) } }
    var steps: [StepSchedule<Value>.Step] = []
    for element in elements {
      guard let pair = element.array, pair.count == 2,
        let from = pair[0].double, (0..<1).contains(from), let value = value(pair[1])
      else { return nil }
      steps.append(StepSchedule.Step(from: from, value: value))
    }
    return StepSchedule(steps: steps)
  }

  private static func formatted<Value>(
    _ schedule: StepSchedule<Value>, _ value: (Value) -> JSONValue
  ) -> JSONValue {
    if schedule.steps.count == 1 { return value(schedule.steps[0].value) }
    return .array(schedule.steps.map { .array([.shortest($0.from), value($0.value)]) })
  }
}
