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
  /// Entries of a table with all that decides about them, in any order.
  ///
  /// Safety: the columns have equal counts, and outlive the value.
  @unsafe
  struct Columns {
    let weights: UnsafeMutableBufferPointer<Float>
    /// Nil if reads do not matter.
    let reads: UnsafeMutableBufferPointer<Float>?
    /// What an entry reads as if it is left out: in later stages what the file has of those before.
    /// Nil in the first stage, where that is the same for all.
    let substitutes: UnsafeMutableBufferPointer<Float>?

    var count: Int { unsafe weights.count }

    subscript(place: Int) -> Entry {
      unsafe Entry(
        weight: weights[place], reads: reads?[place] ?? 0, substitute: substitutes?[place])
    }
  }

  struct Entry {
    let weight: Float
    let reads: Float
    let substitute: Float?
  }

  /// What has to be known of a table before its first code.
  struct Survey {
    let fill: Float
    let kept: Int
    let quantization: Quantization
    private let rule: CompactSummary.Pruning?

    /// - Parameter isFilled: whether entries that are left out may read as something other than 0.
    @unsafe
    init(_ columns: Columns, bits: Int, rule: CompactSummary.Pruning?, isFilled: Bool) {
      self.rule = rule
      let fill = isFilled ? unsafe Survey.majority(of: columns.weights) : 0
      self.fill = fill
      var kept = 0
      var (least, largest) = (Float.infinity, -Float.infinity)
      for place in unsafe 0..<columns.count {
        let entry = unsafe columns[place]
        guard Survey.keeps(entry, fill: fill, rule: rule) else { continue }
        kept += 1
        least = min(least, entry.weight)
        largest = max(largest, entry.weight)
      }
      self.kept = kept
      var histogram = WeightHistogram(range: kept > 0 ? least...largest : 0...0)
      for place in unsafe 0..<columns.count {
        let entry = unsafe columns[place]
        guard Survey.keeps(entry, fill: fill, rule: rule) else { continue }
        histogram.add(entry.weight, importance: Double(entry.reads) + 0.5)
      }
      quantization = histogram.bestQuantization(bits: bits)
    }

    /// The code of an entry; nil if it is left out.
    func code(of entry: Entry) -> UInt32? {
      guard Survey.keeps(entry, fill: fill, rule: rule) else { return nil }
      let error = rule?.acceptedError(reads: entry.reads) ?? 0
      let code = quantization.code(
        of: entry.weight, multiple: quantization.multiple(within: error))
      // In later stages a weight of 0 would read as that of the stage before, however different.
      guard entry.substitute != nil, quantization.weight(of: code) == 0 else { return code }
      let isLast = code == 1 << UInt32(quantization.bits) - 1
      return isLast || entry.weight < 0 && code > 0 ? code - 1 : code + 1
    }

    /// What an entry reads as in the file.
    func value(of entry: Entry) -> Float {
      if let code = code(of: entry) { return quantization.weight(of: code) }
      return entry.substitute ?? fill
    }

    private static func keeps(
      _ entry: Entry, fill: Float, rule: CompactSummary.Pruning?
    ) -> Bool {
      // Weights out of range are refused once their place is known.
      guard entry.weight != fill, entry.weight.magnitude <= TensorGroup.largestMagnitude
      else { return false }
      guard let rule else { return true }
      let change = Double(entry.weight) - Double(entry.substitute ?? fill)
      return change.magnitude >= rule.acceptedError(reads: entry.reads)
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
