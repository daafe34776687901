import COpenSSL

/// A SHA-256 sum as weight files record it: `sha256:` and 64 hexadecimal digits.
///
/// Safety: the sum owns its context, which OpenSSL allocates, from creation to `deinit`.
@safe
package struct Checksum: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("no memory for a checksum") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// A text as long as a sum, for headers whose sum is not known yet.
  package static let placeholder = text(String(repeating: "0", count: 64))

  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let isDone = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    precondition(isDone, "a checksum takes all bytes")
  }

  package consuming func finalized() -> String {
    var sum = [UInt8](repeating: 0, count: 32)
    let isDone = unsafe EVP_DigestFinal_ex(context, &sum, nil) == 1
    precondition(isDone, "a checksum is finished once")
    let digits = Array("0123456789abcdef")
    return Checksum.text(String(sum.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
  }

  /// Returns the sum of all bytes of a file.
  ///
  /// - Throws: ``LocatedError`` if the file cannot be read.
  package static func of(_ file: InputFile) throws -> String {
    var sum = Checksum()
    for start in stride(from: 0, to: file.byteCount, by: 1 << 20) {
      sum.update(try file.bytes(at: start, count: min(1 << 20, file.byteCount - start)))
    }
    return sum.finalized()
  }

  private static func text(_ digits: String) -> String { "sha256:\(digits)" }

  /// Returns the sum over metadata: every key but `excluded` and its value, in the order of the keys' UTF-8,
  /// each followed by a zero byte.
  ///
  /// It does not depend on how the header is written, so that other programs can compute it.
  package static func of(_ metadata: [String: String], excluding excluded: String) -> String {
    var sum = Checksum()
    let keys = metadata.keys.filter { $0 != excluded }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for key in keys {
      for text in [key, metadata[key] ?? ""] { sum.update(Array((text + "\0").utf8)) }
    }
    return sum.finalized()
  }
}

/// The remainder of each byte value.
private let remainders: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { remainder, _ in
    remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
  }
}

/// Returns the checksum CRC-32C (Castagnoli) of bytes.
package func crc32C(_ bytes: some Sequence<UInt8>) -> UInt32 {
  let remainders = remainders
  var remainder = ~UInt32(0)
  for byte in bytes {
    remainder = remainder >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
  }
  return ~remainder
}

// The order of the bytes of numbers in files.

extension FixedWidthInteger {
  /// The bytes of the number, the lowest first.
  package var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }

  /// Creates the number with these bytes, the lowest first.
  package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}
