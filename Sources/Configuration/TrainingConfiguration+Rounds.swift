extension TrainingConfiguration {
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
