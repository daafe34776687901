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
        "episodes", \.episodes, 1...Int.max, onResume: true,
        "The games of the whole run."),
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

      value(
        "learning.method", \.method,
        allowed: "one of td, tc, or steps such as [[0, \"td\"], [0.9, \"tc\"]]",
        "How far a weight moves for an error: by the same share for all weights (td, temporal "
          + "difference learning), or by its coherence (tc, temporal coherence). In steps: from "
          + "which share of the run, and the method.",
        parse: { schedule($0, of: method) }, format: { formatted($0) { .string($0.rawValue) } }),
      value(
        "learning.learningRate", \.learningRate,
        allowed: "a number above 0 and at most 2, or steps such as [[0, 0.1], [0.5, 0.01]]",
        "The total learning rate α; each of m features moves by α/m of the error. Where it is not "
          + "given, 0.1 with td and 1 with tc.",
        parse: { schedule($0, of: rate) }, format: { formatted($0, JSONValue.shortest) }),
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
        "learning.batchSize", \.batchSize, 1...65_536,
        "Moves whose updates are applied together; in synchronous mode, moves of a lane in a round."
      ),
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
        "report.everyEpisodes", \.reportEveryEpisodes, 1...Int.max, onResume: true,
        "Episodes between two lines of `metrics.jsonl`."),
      integer(
        "checkpoint.everyEpisodes", \.checkpointEveryEpisodes, 0...Int.max, onResume: true,
        "Episodes between two checkpoints; 0 for none by count."),
      number(
        "checkpoint.everySeconds", \.checkpointEverySeconds, 0...1e9, onResume: true,
        "Seconds of training between two checkpoints; 0 for none by time."),
      integer(
        "checkpoint.keep", \.checkpointKeep, 1...1_000_000, onResume: true,
        "Weight files to keep, newest first; the best one is always kept."),
      integer(
        "evaluation.everyEpisodes", \.evaluationEveryEpisodes, 0...Int.max, onResume: true,
        "Episodes between two evaluations by greedy play on fixed seeds; 0 for none by count."),
      number(
        "evaluation.everySeconds", \.evaluationEverySeconds, 0...1e9, onResume: true,
        "Seconds of training between two evaluations; 0 for none by time."),
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

  private static func method(_ json: JSONValue) -> LearningMethod? {
    guard case .string(let text) = json else { return nil }
    return LearningMethod(rawValue: text)
  }

  private static func rate(_ json: JSONValue) -> Double? {
    json.double.flatMap { $0 > 0 && $0 <= 2 ? $0 : nil }
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
