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
        "Decides every spawn. With one thread, it decides the whole run."),
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
        "learning.method", \.method,
        "The learning rule."),
      value(
        "learning.learningRate", \.learningRate,
        allowed: "a number above 0 and at most 2, or steps such as [[0, 0.1], [0.5, 0.01]]",
        "The total learning rate α; each of m features moves by α/m of the TD error. In steps: "
          + "from which share of the run, and the rate.",
        parse: schedule, format: formatted),
      integer(
        "learning.batchSize", \.batchSize, 1...65_536,
        "Moves whose updates are applied together."),
      choice(
        "learning.updatePath", \.updatePath,
        "Who computes the update: OpenBLAS on gathered matrices, or plain Swift in place."),

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

  private static func schedule(_ json: JSONValue) -> LearningRateSchedule? {
    func rate(_ value: Double?) -> Double? {
      value.flatMap { $0 > 0 && $0 <= 2 ? $0 : nil }
    }
    guard case .array(let elements) = json else {
      return rate(json.double).map { LearningRateSchedule(constant: $0) }
    }
    var steps: [LearningRateSchedule.Step] = []
    for element in elements {
      guard case .array(let pair) = element, pair.count == 2,
        let from = pair[0].double, (0..<1).contains(from), let rate = rate(pair[1].double)
      else { return nil }
      steps.append(LearningRateSchedule.Step(from: from, rate: rate))
    }
    return LearningRateSchedule(steps: steps)
  }

  private static func formatted(_ schedule: LearningRateSchedule) -> JSONValue {
    if schedule.steps.count == 1 { return .shortest(schedule.steps[0].rate) }
    return .array(schedule.steps.map { .array([.shortest($0.from), .shortest($0.rate)]) })
  }
}
