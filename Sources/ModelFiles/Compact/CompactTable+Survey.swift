import NTupleNetwork

extension CompactTable {
  /// The weights, read counts and substitutes of some entries of a table, in any order.
  ///
  /// Safety: the columns have equal counts and outlive this value.
  @unsafe
  struct Columns {
    let weights: UnsafeMutableBufferPointer<Float>
    /// The read counts; nil if nothing is pruned.
    let reads: UnsafeMutableBufferPointer<Float>?
    /// The weights that are read in place of omitted entries: those of earlier stages in the file. Nil in the
    /// first stage, where all omitted entries read as the fill.
    let substitutes: UnsafeMutableBufferPointer<Float>?

    var count: Int { unsafe weights.count }

    subscript(place: Int) -> Entry {
      unsafe Entry(
        weight: weights[place], reads: reads?[place] ?? 0, substitute: substitutes?[place])
    }
  }

  /// An entry with its read count, and the weight that is read in its place if it is omitted.
  struct Entry {
    let weight: Float
    let reads: Float
    let substitute: Float?
  }

  /// The parameters of a table that are determined before it is encoded.
  struct Survey {
    let fill: Float
    let kept: Int
    let quantization: Quantization
    private let rule: CompactSummary.Pruning?

    /// Determines the parameters.
    ///
    /// - Parameter isFilled: Whether omitted entries may read as a weight other than 0.
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

    /// Returns the code of an entry, or nil if it is omitted.
    func code(of entry: Entry) -> UInt32? {
      guard Survey.keeps(entry, fill: fill, rule: rule) else { return nil }
      let error = rule?.acceptedError(reads: entry.reads) ?? 0
      let code = quantization.code(
        of: entry.weight, multiple: quantization.multiple(within: error))
      // In later stages, a weight of 0 means the weight of the stage before, which may be very different.
      guard entry.substitute != nil, quantization.weight(of: code) == 0 else { return code }
      let isLast = code == 1 << UInt32(quantization.bits) - 1
      return isLast || entry.weight < 0 && code > 0 ? code - 1 : code + 1
    }

    /// Returns the weight that is read from the file for an entry.
    func value(of entry: Entry) -> Float {
      if let code = code(of: entry) { return quantization.weight(of: code) }
      return entry.substitute ?? fill
    }

    private static func keeps(
      _ entry: Entry, fill: Float, rule: CompactSummary.Pruning?
    ) -> Bool {
      // Weights out of range are reported later, when their position is known.
      guard entry.weight != fill, entry.weight.magnitude <= TensorGroup.largestMagnitude
      else { return false }
      guard let rule else { return true }
      let change = Double(entry.weight) - Double(entry.substitute ?? fill)
      return change.magnitude >= rule.acceptedError(reads: entry.reads)
    }

    /// Returns the weight that more than half of the entries have, such as the initial one, or 0.
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
