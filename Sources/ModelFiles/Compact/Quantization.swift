/// The whole numbers that stand for weights: `w ≈ least + step · code`, codes in `0..<2^bits`.
///
/// The error of a weight within the range is at most half a step. Steps are equal, because codes are
/// entropy-coded: then no other choice of levels has a smaller error for the same size, while codes
/// that hardly occur cost nothing.
///
/// Source: Gish and Pierce, "Asymptotically efficient quantizing", 1968.
struct Quantization: Hashable, Sendable {
  /// The numbers of bits that a code may have.
  static let bitCounts = 2...16

  let bits: Int
  /// The weight of code 0, in points.
  let least: Float
  /// The distance between neighbouring weights, in points; 0 if there is one weight only.
  let step: Float

  init(bits: Int, least: Float, step: Float) {
    self.bits = bits
    self.least = least
    self.step = step
  }

  /// Codes for the weights of `range`, both ends included; those outside become the ends.
  init(bits: Int, range: ClosedRange<Float>) {
    let width = Double(range.upperBound) - Double(range.lowerBound)
    self.init(
      bits: bits, least: range.lowerBound, step: Float(width / Double((1 << bits) - 1)))
  }

  /// The code whose weight is nearest, of the multiples of `multiple` and the largest code.
  func code(of weight: Float, multiple: UInt32 = 1) -> UInt32 {
    guard step > 0 else { return 0 }
    let unit = Double(step) * Double(multiple)
    let count = ((Double(weight) - Double(least)) / unit).rounded()
    return UInt32(min(max(0, count * Double(multiple)), Double((1 << bits) - 1)))
  }

  /// The weight that a code stands for.
  func weight(of code: UInt32) -> Float {
    Float(Double(least) + Double(step) * Double(code))
  }

  /// The largest multiple of codes whose distance is at most `distance` points: a power of two that
  /// leaves at least four codes.
  func multiple(within distance: Double) -> UInt32 {
    let largest = max(0, bits - 2)
    guard step > 0, distance > Double(step) else { return 1 }
    return 1 << UInt32(min(largest, Int((distance / Double(step)).exponent)))
  }
}
