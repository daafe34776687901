import Basics

extension TrainingConfiguration {
  /// The text of a board in a saved state, in bytes.
  private static let boardText = 24
  /// The boards of the longest game that may be under way at a barrier.
  private static let longestPath = 40_000
  /// What a state may take for boards, in bytes: most of the largest header that readers take.
  private static let mostText = 90_000_000

  /// Returns what keeps episodes from starting as the configuration says.
  ///
  /// - Parameter ranks: The number of processes of the job, each with as many workers.
  package func problemsOfStarts(ranks: Int = 1) -> [String] {
    let rules = Set(starts.steps.map(\.value))
    var problems: [String] = []
    if rules.contains(.carousel), carouselTiles.isEmpty {
      problems.append(
        "starts.rule = carousel needs starts.carouselTiles, on whose appearance it starts")
    }
    // Every worker keeps boards, and the lanes of rounds those of their games under way too.
    let isSynchronous = mode == .synchronous
    var boards = rules.contains(.carousel) ? carouselTiles.count * StartSettings.ringCapacity : 0
    if rules.contains(.restart), restartFrom == .kinds { boards += StartSettings.largestReservoirs }
    if isSynchronous, rules != [.opening] { boards += TrainingConfiguration.longestPath }
    let most = TrainingConfiguration.mostText / max(1, boards * TrainingConfiguration.boardText)
    let (key, count) = isSynchronous ? ("learning.lanes", lanes) : ("threads", threads)
    if (isSynchronous ? count : count * ranks) > most {
      problems.append(
        "\(key) = \(count)\(ranks > 1 ? " on each of \(ranks) ranks" : ""): with these starts, at most \(NumberText.grouped(most)) keep boards that a "
          + "saved state has room for")
    }
    return problems
  }

  /// The moves that each lane plays in a round: its share of them.
  package var movesPerLane: Int { roundMoves / lanes }

  /// The threads that find something to do on so many patterns.
  public func threadsAtWork(patterns: Int) -> Int {
    mode == .synchronous ? min(threads, max(lanes, patterns)) : threads
  }

  /// What keeps the configuration from being learned from in rounds.
  var problemsOfRounds: [String] {
    guard mode == .synchronous else { return [] }
    var problems: [String] = []
    if roundMoves % lanes != 0 {
      problems.append(
        "learning.roundMoves = \(roundMoves) cannot be shared by learning.lanes = \(lanes): make it a "
          + "multiple of them")
    }
    if limitSeconds > 0 {
      problems.append(
        "learning.mode = synchronous and limit.seconds do not go together: schedules would follow the "
          + "clock, which is to decide nothing; use limit.moves or episodes")
    }
    if stages != nil, patterns.contains(where: { $0.count > 7 }) {
      problems.append(
        "learning.mode = synchronous and network.stages do not go together with patterns of 8 cells: "
          + "their entries cannot be told apart by 32 bits")
    }
    return problems
  }
}
