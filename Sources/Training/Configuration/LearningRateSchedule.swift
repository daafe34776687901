/// The learning rate over a run: constant, or changing in steps at given shares of the run.
public struct LearningRateSchedule: Equatable, Sendable {
  /// One piece of the schedule.
  public struct Step: Equatable, Sendable {
    /// The share of the run's episodes, in `0..<1`, from which the rate holds.
    public var from: Double
    /// The total learning rate α; each of m features moves by α/m of the error.
    public var rate: Double

    public init(from: Double, rate: Double) {
      self.from = from
      self.rate = rate
    }
  }

  /// The steps in ascending order; the first is from 0.
  public let steps: [Step]

  /// A constant rate.
  public init(constant rate: Double) {
    steps = [Step(from: 0, rate: rate)]
  }

  /// A rate in steps, or nil unless they start at 0 and ascend.
  public init?(steps: [Step]) {
    guard steps.first?.from == 0, zip(steps, steps.dropFirst()).allSatisfy({ $0.from < $1.from })
    else { return nil }
    self.steps = steps
  }

  /// The rate in force for episode `index` of `total`, counted from 0.
  public func rate(atEpisode index: Int, of total: Int) -> Double {
    let share = Double(index) / Double(max(1, total))
    return (steps.last { $0.from <= share } ?? steps[0]).rate
  }
}
