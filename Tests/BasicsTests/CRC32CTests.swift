import Testing

@testable import Basics

@Test func checksumsOfPublishedVectors() {
  // The check value of CRC-32C, and the first vectors of RFC 3720, B.4.
  #expect(crc32C("123456789".utf8) == 0xE306_9283)
  #expect(crc32C([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
  #expect(crc32C([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
  #expect(crc32C([]) == 0)
}
