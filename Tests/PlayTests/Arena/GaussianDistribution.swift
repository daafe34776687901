import Foundation

/// A normal distribution, drawn by Marsaglia's polar method.
struct GaussianDistribution {
  let mean: Double
  let deviation: Double

  func next(using source: inout some RandomNumberGenerator) -> Double {
    func coordinate() -> Double { Double(source.next() >> 11) * 0x1p-52 - 1 }
    while true {
      let (x, y) = (coordinate(), coordinate())
      let square = x * x + y * y
      if square > 0, square < 1 {
        return mean + deviation * x * (-2 * log(square) / square).squareRoot()
      }
    }
  }
}
