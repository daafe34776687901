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
