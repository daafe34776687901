/// How weights that are to be quantised are spread, each counted by its importance.
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

  /// Counts a weight of the range.
  mutating func add(_ weight: Float, importance: Double) {
    guard width > 0 else { return }
    let bin = Int((Double(weight) - Double(range.lowerBound)) / width)
    counts[min(bin, WeightHistogram.binCount - 1)] += importance
  }

  /// The codes with the least sum of squared errors, of those that cut both ends of the range by some
  /// powers of √½.
  ///
  /// A few weights lie far out. With few codes it is better to have those wrong than all others.
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

  /// The sum of squared errors of the bins' middles.
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
  /// `self` to the power of `exponent / 2`.
  fileprivate func squareRootPower(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * squareRoot() }
  }
}
