/// A square matrix with ones on the diagonal and one number everywhere above it.
public struct UnitBidiagonal {
  /// The number of rows.
  public let count: Int
  /// `[count, 2]`, row-major: the diagonal and what stands to its right.
  let band: FloatBuffer

  public init(count: Int, superdiagonal: Float) {
    self.count = count
    band = FloatBuffer(count: 2 * count)
    for row in 0..<count {
      band[2 * row] = 1
      band[2 * row + 1] = superdiagonal
    }
  }
}
