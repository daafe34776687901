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

  /// Returns the largest power of two such that codes this far apart differ by at most `distance` points
  /// and at least four codes remain.
  func multiple(within distance: Double) -> UInt32 {
    let largest = max(0, bits - 2)
    guard step > 0, distance > Double(step) else { return 1 }
    return 1 << UInt32(min(largest, Int((distance / Double(step)).exponent)))
  }
}
