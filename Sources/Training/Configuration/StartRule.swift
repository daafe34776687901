/// Where an episode starts.
public enum StartRule: String, CaseIterable, Codable, Sendable {
  /// From the start of the game.
  case opening
  /// From the middle of the episode before, until that was short (Matsuzaki 2017).
  case restart
  /// In turn from the start of the game and from boards on which a tile had just appeared, one tile
  /// after the other (Jaśkowski 2017, carousel shaping).
  case carousel
}

/// What decides the starts besides their rule.
package struct StartSettings: Sendable {
  /// The share of a path that a restart leaves behind.
  package var restartShare: Double
  /// The length in moves from which a path may be restarted.
  package var shortestPath: Int
  /// The exponent that some tile of a board must have at least for a restart from it.
  package var restartExponent = 0
  /// The exponents of the tiles whose first appearance is recorded, ascending.
  package var carouselExponents: [Int]

  /// The most boards kept for each tile of the carousel.
  package static let ringCapacity = 1_000
}

/// A setting over a run, in steps by the share of the run; see ``RunLength``.
public struct StepSchedule<Value: Equatable & Sendable>: Equatable, Sendable {
  /// One step: from this share of the run on, this value.
  public struct Step: Equatable, Sendable {
    /// In 0..<1.
    public var from: Double
    public var value: Value

    public init(from: Double, value: Value) {
      self.from = from
      self.value = value
    }
  }

  /// The steps in ascending order; the first is from 0.
  public let steps: [Step]

  /// The same value all along.
  public init(constant value: Value) {
    steps = [Step(from: 0, value: value)]
  }

  /// The steps given; nil unless they start at 0 and ascend.
  public init?(steps: [Step]) {
    guard steps.first?.from == 0, zip(steps, steps.dropFirst()).allSatisfy({ $0.from < $1.from })
    else { return nil }
    self.steps = steps
  }

  /// The value at this share of the run, from 0.
  public func value(at share: Double) -> Value {
    (steps.last { $0.from <= share } ?? steps[0]).value
  }

  /// The same steps with other values.
  func map<Other>(_ transform: (Value) -> Other) -> StepSchedule<Other> {
    StepSchedule<Other>(
      steps: steps.map { StepSchedule<Other>.Step(from: $0.from, value: transform($0.value)) })!
  }
}
