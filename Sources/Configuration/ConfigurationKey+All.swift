import Basics
import NTupleNetwork

extension ConfigurationKey {
  /// Every key, in the order of the documentation.
  public static var all: [ConfigurationKey] {
    [
      value(
        "description", \.description, allowed: "a text", onResume: true,
        "What the configuration is for; for people only.",
        parse: { json in
          guard case .string(let text) = json else { return nil }
          return text
        },
        format: { .string($0) }),
      integer(
        "episodes", \.episodes, 0...Int.max, onResume: true,
        "The episodes of the whole run: its games, and starts within games where there are any; 0 if it "
          + "is another limit that ends it. Where it is not given, 100000 without such a limit and 0 with one."
      ),
      integer(
        "limit.moves", \.limitMoves, 0...Int.max, onResume: true,
        "The moves after which the run ends; 0 for no such limit."),
      number(
        "limit.seconds", \.limitSeconds, 0...1e9, onResume: true,
        "The seconds of training, evaluations and saving not counted, after which the run ends; 0 for no "
          + "such limit. `--minutes` sets it. Shares of the run are shares of the limit that will be "
          + "reached first."
      ),
      integer(
        "seed", \.seed, 0...Int.max,
        "Decides every spawn. With one thread, or in synchronous mode, it decides the whole run."),
      integer(
        "threads", \.threads, 1...1024, onResume: true,
        "Workers that play and learn at the same time. `--threads` and the default of the command "
          + "(one for each core) set it."),
      choice(
        "randomSource", \.randomSource,
        "The random source of the spawns."),

      integer(
        "game.boardSize", \.boardSize, 2...4,
        "Rows and columns. Cells keep the numbers that they have on 4x4."),
      number(
        "game.fourProbability", \.fourProbability, 0...1,
        "The probability that a new tile is a 4."),

      value(
        "network.patterns", \.patterns,
        allowed: "a list of cell strings such as [\"012345\", \"45689a\"], or one of "
          + NamedPatternSet.all.keys.sorted().joined(separator: ", "),
        "The patterns of the network: for each the 1 to 8 cells it reads, as hexadecimal digits. "
          + "Required.",
        parse: patterns, format: { .array($0.map { .string($0) }) }),
      choice(
        "network.stages", \.stages,
        "Whether parts of the game have tables of their own: none, by the largest tile on the board "
          + "(largestTile), or by which of some tiles are on it (tileSet). A weight that a stage has "
          + "not learned yet is that of the stage before."),
      tiles(
        "network.stageTiles", \.stageTiles,
        "The tiles that divide the stages, such as [16384, 32768]: one stage more for each with "
          + "largestTile, twice as many with tileSet; 16 stages at most."),
      tile(
        "network.downgradeTile", \.downgradeTile, exponents: Downgrading.range,
        allowed: "0, 1024, 2048, 4096, 8192, 16384 or 32768",
        "From which tile on boards are read with their largest tiles lowered: every tile above the "
          + "largest missing one, if that is 64 or more, as half of it. 0 reads them as they are."),

      value(
        "starts.rule", \.starts,
        allowed: "one of opening, restart, carousel, or steps such as "
          + "[[0, \"opening\"], [0.5, \"restart\"]]",
        "Where episodes start: from the start of the game (opening), from within the episode before as "
          + "long as that was not short (restart), or in turn from the start of the game and "
          + "from boards on which a tile had just appeared (carousel). Every start makes an episode; "
          + "mean scores are those of whole games.",
        parse: { schedule($0, of: named) }, format: { formatted($0) { .string($0.rawValue) } }),
      number(
        "starts.restartShare", \.restartShare, 0.01...0.99,
        "Which share of the episode before restart leaves behind."),
      integer(
        "starts.shortestPath", \.shortestPath, 1...1_000_000,
        "The moves of an episode below which restart goes back to the start of the game."),
      tile(
        "starts.restartTile", \.restartTile, exponents: 2...15,
        allowed: "0 or a tile from 4 to 32768",
        "Restarts are only from boards whose largest tile is at least this; else the next episode is a "
          + "whole game. 0 for any board."),
      tiles(
        "starts.carouselTiles", \.carouselTiles,
        "The tiles on whose first appearance carousel starts episodes."),

      value(
        "learning.method", \.method,
        allowed: "one of td, tc, or steps such as [[0, \"td\"], [0.9, \"tc\"]]",
        "How far a weight moves for an error: by the same share for all weights (td, temporal "
          + "difference learning), or by its coherence (tc, temporal coherence). In steps: from "
          + "which share of the run, and the method.",
        parse: { schedule($0, of: named) }, format: { formatted($0) { .string($0.rawValue) } }),
      value(
        "learning.learningRate", \.learningRate,
        allowed: "a number above 0 and at most 16, or steps such as [[0, 0.1], [0.5, 0.01]]",
        "The total learning rate α; each of m features moves by α/m of the error, and with tc by its "
          + "coherence times that, at most by 1/m. Where it is not given, 0.1 with td and 1 with tc.",
        parse: { schedule($0, of: rate) }, format: { formatted($0, JSONValue.shortest) }),
      number(
        "learning.initialValue", \.initialValue, 0...1_000_000,
        "The value V of every afterstate at first, in points: optimistic if above what can be "
          + "reached. Each of m weights starts at V/m."),
      integer(
        "learning.coherenceWindow", \.coherenceWindow, 0...1_000_000,
        "About how many of its last errors the coherence of a weight is of, with tc; 0 for all. Fewer "
          + "keep weights moving, which averages then smooth."),
      integer(
        "learning.inheritEveryEpisodes", \.inheritEveryEpisodes, 0...Int.max,
        "Episodes after which entries that no update has reached take the weights of smaller tiles; ten "
          + "times, and from there on after five times as many. 0 for never; needs tc."),
      choice(
        "learning.returns", \.returns,
        "What values move towards: the next reward and value (oneStep), the rewards of some moves and "
          + "the value then (nStep), the λ-return of the rest of the game (lambda), or of a few moves "
          + "(delayedLambda)."),
      number(
        "learning.lambda", \.lambda, 0...0.99,
        "λ of lambda and delayedLambda."),
      integer(
        "learning.steps", \.steps, 1...1_000,
        "The moves of nStep."),
      integer(
        "learning.horizon", \.horizon, 0...1_000,
        "The later errors that delayedLambda counts."),
      integer(
        "learning.batchSize", \.batchSize, TrainingConfiguration.batchSizes,
        "Moves of a worker whose updates are applied together, in asynchronous mode."),
      choice(
        "learning.updatePath", \.updatePath,
        "Who computes the errors and steps of an update: OpenBLAS, or plain Swift."),
      choice(
        "learning.mode", \.mode,
        "How workers share weights: without locks (asynchronous), or in rounds of logical lanes whose "
          + "updates are added up in order, so that weights do not depend on threads (synchronous)."
      ),
      integer(
        "learning.lanes", \.lanes, 1...1024,
        "The lanes of synchronous mode: games that are played side by side on the same weights. No "
          + "more threads than lanes can play."),
      integer(
        "learning.roundMoves", \.roundMoves, TrainingConfiguration.batchSizes,
        "Moves of a round of synchronous mode, those of all lanes together: a multiple of their "
          + "number. With tc, more than 256 can make the learning diverge."),

      integer(
        "averaging.everyEpisodes", \.averagingEveryEpisodes, 0...Int.max,
        "Episodes after which the weights go into their running average, which is what evaluations "
          + "and checkpoints then hold; 0 for no averaging."),
      number(
        "averaging.from", \.averagingFrom, 0...0.999,
        "The share of the run from which on weights are averaged."),
      number(
        "averaging.share", \.averagingShare, 0.001...1,
        "How far the average reaches back, as a share of what it has taken in: with s, the newest weights "
          + "count 1/(s·n) of n; 1 is the plain mean."),
      integer(
        "averaging.window", \.averagingWindow, 1...1_000_000,
        "The most that it reaches back, in weights taken in; from there on the average is exponential."
      ),

      integer(
        "report.everyEpisodes", \.reportEveryEpisodes, 1...Int.max, onResume: true,
        "Episodes between two lines of `metrics.jsonl`."),
      integer(
        "checkpoint.everyEpisodes", \.checkpointEveryEpisodes, 0...Int.max, onResume: true,
        "Episodes between two checkpoints; 0 for none by count."),
      number(
        "checkpoint.everySeconds", \.checkpointEverySeconds, 0...1e9, onResume: true,
        "Seconds from one checkpoint to the next; 0 for none by time."),
      integer(
        "checkpoint.keep", \.checkpointKeep, 1...1_000_000, onResume: true,
        "Weight files to keep, newest first; the best one is always kept."),
      integer(
        "evaluation.everyEpisodes", \.evaluationEveryEpisodes, 0...Int.max, onResume: true,
        "Episodes between two evaluations by greedy play on fixed seeds; 0 for none by count."),
      number(
        "evaluation.everySeconds", \.evaluationEverySeconds, 0...1e9, onResume: true,
        "Seconds from one evaluation to the next; 0 for none by time."),
      integer(
        "evaluation.games", \.evaluationGames, 1...1_000_000, onResume: true,
        "Games of one evaluation."),
    ]
  }

  private static func patterns(_ json: JSONValue) -> [String]? {
    switch json {
    case .string(let name):
      return NamedPatternSet.all[name]
    case .array(let elements):
      let texts = elements.compactMap { element -> String? in
        guard case .string(let text) = element else { return nil }
        return text
      }
      return texts.count == elements.count && !texts.isEmpty ? texts : nil
    default:
      return nil
    }
  }

  /// A key for one tile with an exponent in a range, or 0 for none.
  private static func tile(
    _ path: String, _ field: WritableKeyPath<TrainingConfiguration, Int>,
    exponents: ClosedRange<Int>, allowed: String, _ summary: String
  ) -> ConfigurationKey {
    value(
      path, field, allowed: allowed, summary,
      parse: { json in
        json.wholeNumber.flatMap { tile in
          tile == 0 || exponents.contains { 1 << $0 == tile } ? tile : nil
        }
      },
      format: { .integer($0) })
  }

  /// A key for a list of different tiles that a network can tell apart.
  private static func tiles(
    _ path: String, _ field: WritableKeyPath<TrainingConfiguration, [Int]>, _ summary: String
  ) -> ConfigurationKey {
    value(
      path, field, allowed: "a list of tiles from 4 to 32768 in ascending order", summary,
      parse: { json in
        guard case .array(let elements) = json else { return nil }
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
    guard case .array(let elements) = json else {
      return value(json).map { StepSchedule(constant: $0) }
    }
    var steps: [StepSchedule<Value>.Step] = []
    for element in elements {
      guard case .array(let pair) = element, pair.count == 2,
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
