import CLZMA

/// Constants of the xz format that liblzma declares only as macros, and settings of this package.
enum XZFormat {
  static let lzma2: lzma_vli = 0x21
  static let endOfFilters = lzma_vli.max
  /// The size of the dictionary in bytes: the bitmap of a table of 6 cells.
  static let dictionaryByteCount: UInt32 = 2 << 20
  /// The memory limit of a decoder in bytes; streams of other programs can require up to 4 GiB.
  static let decoderByteCount: UInt64 = 16 << 20
}
