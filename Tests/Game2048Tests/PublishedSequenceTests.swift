import Testing

@testable import Game2048

/// The first values of every source, from the programs of their authors and from standards.
@Suite struct PublishedSequenceTests {
  private func values(_ count: Int, of source: some RandomNumberGenerator) -> [UInt64] {
    var source = source
    return (0..<count).map { _ in source.next() }
  }

  @Test func splitMix64() {
    #expect(
      values(5, of: SplitMix64(seed: 1_234_567)) == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func xoshiro256() throws {
    let source = try #require(Xoshiro256(state: [1, 2, 3, 4]))
    #expect(
      values(10, of: source) == [
        41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386,
        9_228_616_714_210_784_205, 9_973_669_472_204_895_162, 14_011_001_112_246_962_877,
        12_406_186_145_184_390_807, 15_849_039_046_786_891_736, 10_450_023_813_501_588_000,
      ])
    #expect(Xoshiro256(seed: 1_234_567).state == values(4, of: SplitMix64(seed: 1_234_567)))
  }

  @Test func mersenneTwister64FromAKey() {
    let numbers = values(
      1_000, of: MersenneTwister64(key: [0x12345, 0x23456, 0x34567, 0x45678]))
    #expect(
      numbers.prefix(5) == [
        7_266_447_313_870_364_031, 4_946_485_549_665_804_864, 16_945_909_448_695_747_420,
        16_394_063_075_524_226_720, 4_873_882_236_456_199_058,
      ])
    #expect(numbers[999] == 994_412_663_058_993_407)
  }

  @Test func mersenneTwister64FromASeed() {
    let numbers = values(10_000, of: MersenneTwister64(seed: 5489))
    #expect(numbers[0] == 14_514_284_786_278_117_030)
    #expect(numbers[1] == 4_620_546_740_167_642_908)
    // The value that the C++ standard requires of `mt19937_64`.
    #expect(numbers[9_999] == 9_981_545_732_273_789_042)
    #expect(values(1, of: MersenneTwister64(seed: 0)) == [2_947_667_278_772_165_694])
  }

  @Test(
    arguments: [
      (
        42,
        [
          -5_025_562_857_975_149_833, -5_843_495_416_241_995_736, 5_694_868_678_511_409_995,
          5_111_195_811_822_994_797,
        ]
      ),
      (
        0,
        [
          -4_962_768_465_676_381_896, 4_437_113_781_045_784_766, -6_688_467_811_848_818_630,
          -8_292_973_307_042_192_125,
        ]
      ),
      (
        -1,
        [
          4_961_115_982_468_162_243, 226_341_162_490_527_646, -6_233_441_030_884_181_172,
          7_681_931_065_131_779_340,
        ]
      ),
    ] as [(Int64, [Int64])])
  func javaNextLong(seed: Int64, expected: [Int64]) {
    let source = JavaLinearCongruential(seed: UInt64(bitPattern: seed))
    #expect(values(4, of: source).map { Int64(bitPattern: $0) } == expected)
  }

  @Test func javaNextInt() {
    var source = JavaLinearCongruential(seed: 42)
    #expect([source.nextInt(), source.nextInt()] == [-1_170_105_035, 234_785_527])
  }

  /// Key streams of RFC 6229: key, offset, sixteen bytes.
  @Test(
    arguments: [
      (0x01_0203_0405, 5, 0, 0xB239_6305_F03D_C027, 0xCCC3_524A_0A11_18A8),
      (0x01_0203_0405, 5, 240, 0x28CB_1132_C96C_E286, 0x421D_CAAD_B8B6_9EAE),
      (0x01_0203_0405, 5, 768, 0xEB62_638D_4F0B_A1FE, 0x9FCA_20E0_5BF8_FF2B),
      (0x01_0203_0405, 5, 4096, 0xFF25_B589_9599_6707, 0xE51F_BDF0_8B34_D875),
      (0x0102_0304_0506_0708, 8, 0, 0x97AB_8A1B_F0AF_B961, 0x32F2_F672_58DA_15A8),
      (0x0102_0304_0506_0708, 8, 768, 0x4417_3A10_3B66_16C5, 0xD5AD_1CEE_40C8_63D0),
      (0x0102_0304_0506_0708, 8, 1536, 0x8369_E1A9_6561_0BE8, 0x87FB_D0C7_9162_AAFB),
    ] as [(UInt64, Int, Int, UInt64, UInt64)])
  func arc4(key: UInt64, length: Int, offset: Int, first: UInt64, second: UInt64) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: key >> (8 * (length - 1 - $0))) }
    var source = ARC4(key: bytes, dropping: offset)
    for expected in [first, second] {
      // The RFC prints bytes in order; the first byte of a word is the lowest.
      #expect(source.next() == expected.byteSwapped)
    }
  }

  @Test func arc4WithSixteenKeyBytes() {
    let source = ARC4(key: (1...16).map { UInt8($0) }, dropping: 0)
    #expect(
      values(2, of: source).map(\.byteSwapped) == [0x9AC7_CC9A_609D_1EF7, 0xB293_2899_CDE4_1B97])
  }

  @Test func arc4SeedsDrop768Bytes() {
    #expect(
      values(3, of: ARC4(seed: 42)) == [
        3_095_138_093_595_983_490, 320_263_216_692_203_627, 7_301_363_264_609_916_409,
      ])
    #expect(
      values(97, of: ARC4(key: [42, 0, 0, 0, 0, 0, 0, 0], dropping: 0))[96]
        == 3_095_138_093_595_983_490)
  }
}
