/// The integers of a range in random order: each occurs once before any occurs again.
///
/// Each round is a Fisher–Yates shuffle with one step per draw, so all orders are equally likely.
public struct ShuffledDistribution: Sendable {
  /// The integers that can occur.
  public let range: ClosedRange<Int>
  /// The number of draws left in this round, or 0 if the next draw starts a new round.
  public private(set) var remaining: Int

  /// The integers still to come in this round, followed by those already drawn.
  private var values: [Int]

  /// Creates a distribution over `range`.
  ///
  /// - Complexity: O(*n*) time and memory, where *n* is the number of integers in the range.
  public init(_ range: ClosedRange<Int>) {
    self.range = range
    values = Array(range)
    remaining = 0
  }

  /// Returns the next integer.
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
