import Game2048
import Testing

@testable import CIntrinsics

/// Returns the bits under a mask, moved to the low end one bit at a time.
private func extracted(_ value: UInt64, _ mask: UInt64) -> UInt64 {
  var result: UInt64 = 0
  var place: UInt64 = 0
  for bit in 0..<UInt64(64) where mask >> bit & 1 == 1 {
    result |= (value >> bit & 1) << place
    place += 1
  }
  return result
}

/// Returns the low bits, moved to the bits of a mask one bit at a time.
private func deposited(_ value: UInt64, _ mask: UInt64) -> UInt64 {
  var result: UInt64 = 0
  var place: UInt64 = 0
  for bit in 0..<UInt64(64) where mask >> bit & 1 == 1 {
    result |= (value >> place & 1) << bit
    place += 1
  }
  return result
}

private let eachPlane: UInt64 = 0x0001_0001_0001_0001

/// Masks of all kinds: dense, sparse, and repeated in every plane or not.
enum MaskKind: CaseIterable {
  case dense, sparse, crowded, planes, sparsePlanes, nearlyPlanes, onePlane, topRun

  func mask(_ source: inout Xoshiro256) -> UInt64 {
    let (a, b, c) = (source.next(), source.next(), source.next())
    return switch self {
    case .dense: a
    case .sparse: a & b & c
    case .crowded: a | b | c
    case .planes: (a & 0xFFFF) * eachPlane
    case .sparsePlanes: (a & b & 0xFFFF) * eachPlane
    case .nearlyPlanes: ((a & 0xFFFF) * eachPlane) ^ (1 << (b & 63))
    case .onePlane: a & 0xFFFF
    case .topRun: (a & b) | ~0 << (c & 63)
    }
  }
}

@Suite struct BitMovingTests {
  @Test(arguments: MaskKind.allCases)
  func everyFormAgreesWithALoop(kind: MaskKind) {
    var source = Xoshiro256(seed: 11)
    var wrong = 0
    for _ in 0..<20_000 {
      let mask = kind.mask(&source)
      let value = source.next()
      let low = extracted(value, mask)
      if ci_extract_bits(value, mask) != low { wrong += 1 }
      if ci_extract_bits_portable(value, mask) != low { wrong += 1 }
      let spread = deposited(value, mask)
      if ci_deposit_bits(value, mask) != spread { wrong += 1 }
      if ci_deposit_bits_portable(value, mask) != spread { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(
    arguments: [
      0, 1, 1 << 63, ~0, ~0 << 63, ~0 << 1, ~0 >> 1, 0xFFFF, eachPlane, eachPlane << 15,
      0xFFFF_0000_0000_0000, 0x8000_0000_0000_0001, 0x1111_1111_1111_1111, 0x000F_000F_000F_000F,
    ] as [UInt64])
  func masksAtTheEdgesAgreeWithALoop(mask: UInt64) {
    for value in [0, 1, ~0, 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210] as [UInt64] {
      #expect(ci_extract_bits_portable(value, mask) == extracted(value, mask))
      #expect(ci_deposit_bits_portable(value, mask) == deposited(value, mask))
      #expect(ci_extract_bits(value, mask) == extracted(value, mask))
      #expect(ci_deposit_bits(value, mask) == deposited(value, mask))
    }
  }

  @Test func writtenExamples() {
    #expect(ci_extract_bits_portable(0b1011_0010, 0b1111_0000) == 0b1011)
    #expect(ci_extract_bits_portable(0b1011_0010, 0b1010_1010) == 0b1101)
    #expect(ci_deposit_bits_portable(0b1101, 0b1010_1010) == 0b1010_0010)
    // Bit k of the exponent in cell 3 lies at bit 16k + 3.
    #expect(ci_extract_bits_portable(0x0008_0000_0008_0008, eachPlane << 3) == 0b1011)
  }

  @Test func thisProcessorRunsWhatTheTestsWereCompiledFor() {
    #expect(ci_missing_instruction_set() == nil)
  }
}
