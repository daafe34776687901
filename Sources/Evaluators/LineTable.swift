import CIntrinsics
import Game2048

/// The scores of all lines of four exponents up to 15.
///
/// A table is made once and never freed, so keep it in a static property.
///
/// Safety: (1) `entries` points to 65,536 initialised scores that are never written again and never freed, so any thread
/// may read them at any time; (2) an index has as many bits as the masks have ones, which is 16, so it is in bounds by
/// construction.
@safe
@usableFromInline
struct LineTable<Score: Sendable>: @unchecked Sendable {
  /// The score of every line. Bit `4k + i` of the index is bit `k` of the exponent in place `i`.
  @usableFromInline let entries: UnsafePointer<Score>

  /// Creates the table of a function of lines.
  init(_ score: (SIMD4<Int>) -> Score) {
    let entries = UnsafeMutablePointer<Score>.allocate(capacity: 1 << 16)
    for index in 0..<(1 << 16) {
      let line = SIMD4<Int>(0, 1, 2, 3)
      var exponents = SIMD4<Int>.zero
      for bit in 0..<4 {
        exponents |= ((SIMD4(repeating: index) &>> (line &+ 4 * bit)) & 1) &<< bit
      }
      unsafe (entries + index).initialize(to: score(exponents))
    }
    unsafe self.entries = UnsafePointer(entries)
  }

  /// Returns the score of a row of a board whose tiles are at most 32768.
  @inlinable
  @inline(__always)
  func row(_ line: UInt64, of planes: UInt64) -> Score {
    let index = ci_extract_bits(planes, 0x000F_000F_000F_000F << (4 &* line))
    return unsafe entries[Int(truncatingIfNeeded: index)]
  }

  /// Returns the score of a column of a board whose tiles are at most 32768.
  @inlinable
  @inline(__always)
  func column(_ line: UInt64, of planes: UInt64) -> Score {
    let index = ci_extract_bits(planes, 0x1111_1111_1111_1111 << line)
    return unsafe entries[Int(truncatingIfNeeded: index)]
  }
}

extension Board {
  /// The exponents of a row, from the left.
  func row(_ line: Int) -> SIMD4<Int> {
    let first = 4 * line
    return SIMD4(self[first], self[first + 1], self[first + 2], self[first + 3])
  }

  /// The exponents of a column, from the top.
  func column(_ line: Int) -> SIMD4<Int> {
    SIMD4(self[line], self[line + 4], self[line + 8], self[line + 12])
  }
}
