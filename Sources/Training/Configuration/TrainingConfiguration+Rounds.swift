extension TrainingConfiguration {
  /// The lanes times the moves of a round that are allowed, which bounds the memory that a round takes.
  static let mostMovesOfRound = 1 << 18

  /// What keeps the configuration from being learned from in rounds.
  var problemsOfRounds: [String] {
    guard mode == .synchronous else { return [] }
    var problems: [String] = []
    if lanes * batchSize > TrainingConfiguration.mostMovesOfRound {
      problems.append(
        "learning.lanes = \(lanes) times learning.batchSize = \(batchSize) is more than the "
          + "\(TrainingConfiguration.mostMovesOfRound) moves that a round may have")
    }
    if stages != .none, patterns.contains(where: { $0.count > 7 }) {
      problems.append(
        "learning.mode = synchronous and network.stages do not go together with patterns of 8 cells: "
          + "their entries cannot be told apart by 32 bits")
    }
    return problems
  }
}
