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

/// A uniform quantisation of weights: `w ≈ least + step · code`, with codes in `0..<2^bits`.
///
/// The error of a weight within the range is at most half a step. Steps are equal because codes are
/// entropy-coded: rare codes then cost almost nothing, and no other choice of levels has a smaller error
/// for the same size.
///
/// Source: Gish and Pierce, "Asymptotically efficient quantizing", 1968.
struct Quantization: Hashable, Sendable {
  /// The supported numbers of bits per code.
  static let bitCounts = 2...16

  /// The number of bits per code.
  let bits: Int
  /// The weight of code 0, in points.
  let least: Float
  /// The distance between adjacent levels, in points; 0 if there is only one level.
  let step: Float

  /// The number of bits per code in the stream of fractions.
  var fractionBits: Int { max(0, bits - 8) }
}

extension Quantization {
  /// Creates a quantisation of `range`, including both ends; weights outside are clamped.
  init(bits: Int, range: ClosedRange<Float>) {
    let width = Double(range.upperBound) - Double(range.lowerBound)
    self.init(
      bits: bits, least: range.lowerBound, step: Float(width / Double((1 << bits) - 1)))
  }

  /// Returns the code of the nearest level, among the multiples of `multiple` and the largest code.
  func code(of weight: Float, multiple: UInt32 = 1) -> UInt32 {
    guard step > 0 else { return 0 }
    let unit = Double(step) * Double(multiple)
    let count = ((Double(weight) - Double(least)) / unit).rounded()
    return UInt32(min(max(0, count * Double(multiple)), Double((1 << bits) - 1)))
  }

  /// Returns the weight that a code represents.
  func weight(of code: UInt32) -> Float {
    Float(Double(least) + Double(step) * Double(code))
  }

  /// The weights of all codes.
  var weights: [Float] { exactWeights.map { Float($0) } }

  /// The weights of all codes before they are rounded.
  var exactWeights: [Double] {
    (0..<(1 << bits)).map { Double(least) + Double(step) * Double($0) }
  }

  /// Returns the scale of a frozen table: omitted entries are 0, and the unit divides the step, so that distances between
  /// levels stay. Among these units, it is the one whose grid has all levels most nearly.
  func scale(fill: Float) -> FrozenNetwork.Scale {
    let first = Double(least) - Double(fill)
    let largest = max(abs(first), abs(first + Double(step) * Double((1 << bits) - 1)))
    guard largest > 0 else { return FrozenNetwork.Scale(base: fill, unit: 1) }
    let smallest = largest / Double(Int16.max)
    guard Double(step) >= smallest else {
      return FrozenNetwork.Scale(base: fill, unit: Float(smallest).nextUp)
    }
    // The grids of more parts are nearer by less than the rounding of a sum of floats.
    let parts = (1...min(64, Int(Double(step) / smallest))).map(Double.init)
    func error(_ parts: Double) -> Double {
      let place = first / Double(step) * parts
      return abs(place - place.rounded()) / parts
    }
    let best = parts.min { error($0) < error($1) }!
    return FrozenNetwork.Scale(base: fill, unit: Float(Double(step) / best))
  }

  /// Returns the largest power of two such that codes this far apart differ by at most `distance` points
  /// and at least four codes remain.
  func multiple(within distance: Double) -> UInt32 {
    let largest = max(0, bits - 2)
    guard step > 0, distance > Double(step) else { return 1 }
    return 1 << UInt32(min(largest, Int((distance / Double(step)).exponent)))
  }
}

/// A histogram of weights to be quantised, each counted with its importance.
struct WeightHistogram {
  private let range: ClosedRange<Float>
  private var counts: [Double]

  private static let binCount = 1 << 14

  init(range: ClosedRange<Float>) {
    self.range = range
    counts = Array(repeating: 0, count: WeightHistogram.binCount)
  }

  private var width: Double {
    (Double(range.upperBound) - Double(range.lowerBound)) / Double(WeightHistogram.binCount)
  }

  /// Adds a weight within the range.
  mutating func add(_ weight: Float, importance: Double) {
    guard width > 0 else { return }
    let bin = Int((Double(weight) - Double(range.lowerBound)) / width)
    counts[min(bin, WeightHistogram.binCount - 1)] += importance
  }

  /// Returns the quantisation with the least sum of squared errors, among those that multiply each end of
  /// the range by a power of √½.
  ///
  /// A few weights are outliers. With few codes, it is better to clamp those than to coarsen all others.
  func bestQuantization(bits: Int) -> Quantization {
    guard width > 0 else { return Quantization(bits: bits, range: range) }
    let ends = (0..<9).map { Float(0.5.squareRootPower($0)) }
    var best = Quantization(bits: bits, range: range)
    var least = error(of: best)
    for low in ends {
      for high in ends where low * range.lowerBound < high * range.upperBound {
        let candidate = Quantization(
          bits: bits, range: (low * range.lowerBound)...(high * range.upperBound))
        let error = error(of: candidate)
        if error < least { (best, least) = (candidate, error) }
      }
    }
    return best
  }

  /// Returns the weighted sum of the squared errors of the bin centres.
  private func error(of quantization: Quantization) -> Double {
    var sum = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      let weight = Float(Double(range.lowerBound) + (Double(bin) + 0.5) * width)
      let error = Double(quantization.weight(of: quantization.code(of: weight)) - weight)
      sum += count * error * error
    }
    return sum
  }
}

extension Double {
  /// Returns `self` to the power of `exponent / 2`.
  fileprivate func squareRootPower(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * squareRoot() }
  }
}
