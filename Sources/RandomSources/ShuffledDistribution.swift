/// The numbers of a range in random order, every one once before any occurs again.
///
/// Each round is a Fisher–Yates shuffle done one step a draw, so all orders are equally likely.
public struct ShuffledDistribution: Sendable {
  /// The numbers that can occur.
  public let range: ClosedRange<Int>
  /// How many numbers this round has still to give: 0 when the next draw starts a new round.
  public private(set) var remaining: Int

  /// The numbers still to come in this round, then those that have been.
  private var values: [Int]

  /// - Complexity: time and memory proportional to the range.
  public init(_ range: ClosedRange<Int>) {
    self.range = range
    values = Array(range)
    remaining = 0
  }

  /// The next number.
  ///
  /// - Complexity: O(1).
  public mutating func next(using source: inout some RandomNumberGenerator) -> Int {
    if remaining == 0 { remaining = values.count }
    let choice = Int(UniformDistribution.below(UInt64(remaining), using: &source))
    remaining -= 1
    values.swapAt(choice, remaining)
    return values[remaining]
  }
}
