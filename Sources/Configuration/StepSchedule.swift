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
