import NTupleNetwork

/// How often each weight was read, and how much error is accepted for it.
public struct Pruning: Sendable {
  /// The reads of each weight, in memory order.
  public let reads: SharedWeights
  public let rule: CompactSummary.Pruning

  public init(reads: SharedWeights, rule: CompactSummary.Pruning) {
    self.reads = reads
    self.rule = rule
  }
}

extension CompactSummary.Pruning {
  /// The error of a weight that is accepted, in points.
  func acceptedError(reads: Float) -> Double {
    tolerance / ((Double(reads) + 0.5) / Double(games)).squareRoot()
  }
}

extension CompactTable {
  /// What has to be known of a table before its first code.
  struct Survey {
    let fill: Float
    let kept: Int
    let quantization: Quantization
    private let rule: CompactSummary.Pruning?

    /// - Parameter weights: the table, in any order, and `reads` in the same.
    @unsafe
    init(
      _ weights: UnsafeMutableBufferPointer<Float>, reads: UnsafeMutableBufferPointer<Float>?,
      bits: Int, rule: CompactSummary.Pruning?
    ) {
      self.rule = rule
      let fill = unsafe Survey.majority(of: weights)
      self.fill = fill
      var kept = 0
      var (least, largest) = (Float.infinity, -Float.infinity)
      for place in 0..<weights.count {
        let weight = unsafe weights[place]
        guard
          Survey.keeps(weight, reads: unsafe reads?[place] ?? 0, fill: fill, rule: rule)
        else { continue }
        kept += 1
        least = min(least, weight)
        largest = max(largest, weight)
      }
      self.kept = kept
      let range = kept > 0 ? least...largest : 0...0
      var histogram = WeightHistogram(range: range)
      for place in 0..<weights.count {
        let weight = unsafe weights[place]
        let count = unsafe reads?[place] ?? 0
        guard Survey.keeps(weight, reads: count, fill: fill, rule: rule) else { continue }
        histogram.add(weight, importance: Double(count) + 0.5)
      }
      quantization = histogram.bestQuantization(bits: bits)
    }

    /// The code of a weight; nil if it is left out.
    func code(of weight: Float, reads: Float?) -> UInt32? {
      guard Survey.keeps(weight, reads: reads ?? 0, fill: fill, rule: rule) else { return nil }
      guard let rule else { return quantization.code(of: weight) }
      return quantization.code(
        of: weight, multiple: quantization.multiple(within: rule.acceptedError(reads: reads ?? 0)))
    }

    private static func keeps(
      _ weight: Float, reads: Float, fill: Float, rule: CompactSummary.Pruning?
    ) -> Bool {
      guard weight != fill else { return false }
      guard let rule else { return true }
      return (Double(weight) - Double(fill)).magnitude >= rule.acceptedError(reads: reads)
    }

    /// The weight of most entries, such as the initial one; 0 if there is none.
    @unsafe
    private static func majority(of weights: UnsafeMutableBufferPointer<Float>) -> Float {
      var candidate: Float = 0
      var lead = 0
      for place in 0..<weights.count {
        let weight = unsafe weights[place]
        if lead == 0 { candidate = weight }
        lead += weight == candidate ? 1 : -1
      }
      let count = unsafe weights.count { $0 == candidate }
      return 2 * count > weights.count ? candidate : 0
    }
  }
}
