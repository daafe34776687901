import Configuration

/// The budget of each trial of a sweep: a number of training seconds, moves or episodes.
package struct SweepBudget: Equatable, Sendable {
  /// The unit of a budget.
  package enum Quantity: String, CaseIterable, Sendable {
    case seconds, moves, episodes
  }

  package let amount: Double
  package let unit: Quantity

  package init(_ amount: Double, _ unit: Quantity) {
    self.amount = amount
    self.unit = unit
  }

  /// The configuration key that limits a run to the budget.
  var key: String { unit == .episodes ? "episodes" : "limit.\(unit.rawValue)" }

  /// The length of a run that uses the whole budget.
  package var length: RunLength {
    switch unit {
    case .seconds: RunLength(seconds: amount)
    case .moves: RunLength(moves: Int(amount))
    case .episodes: RunLength(episodes: Int(amount))
    }
  }
}
