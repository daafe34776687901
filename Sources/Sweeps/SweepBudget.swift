import Configuration

/// What every trial of a sweep may use: so many seconds of training, moves or episodes.
package struct SweepBudget: Equatable, Sendable {
  /// What a budget counts.
  package enum Unit: String, CaseIterable, Sendable {
    case seconds, moves, episodes
  }

  package let amount: Double
  package let unit: Unit

  package init(_ amount: Double, _ unit: Unit) {
    self.amount = amount
    self.unit = unit
  }

  /// The key of a configuration that limits a run so.
  var key: String { unit == .episodes ? "episodes" : "limit.\(unit.rawValue)" }

  /// The length of a run that uses the budget up.
  package var length: RunLength {
    switch unit {
    case .seconds: RunLength(seconds: amount)
    case .moves: RunLength(moves: Int(amount))
    case .episodes: RunLength(episodes: Int(amount))
    }
  }
}
