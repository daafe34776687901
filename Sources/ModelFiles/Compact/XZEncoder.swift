import CLZMA

/// Compresses bytes, which may come in parts, into one stream of the xz format.
///
/// All settings are spelled out, because the presets of liblzma may change.
///
/// Safety: (1) `stream` points at one initialised record from `init` to `deinit`; (2) its input is the
/// buffer that `append` is handed and its output a buffer of `run`, both set before every call of liblzma
/// and valid during it; (3) options and filters are read by the initialisation alone.
@safe
final class XZEncoder {
  private let stream: UnsafeMutablePointer<lzma_stream>
  /// What has been compressed so far.
  private(set) var bytes: [UInt8] = []

  /// How hard to look for bytes that repeat.
  enum Search {
    /// As hard as can be: for bit maps, which do repeat.
    case thorough
    /// Hardly at all: for quantised weights, where finding chance repeats takes longer and costs bits.
    case slight
  }

  init(_ search: Search) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    var options = unsafe lzma_options_lzma()
    unsafe options.dict_size = XZFormat.dictionaryByteCount
    // The upper half of a byte chooses the model of the next; its place does not matter.
    unsafe options.lc = 4
    unsafe options.lp = 0
    unsafe options.pb = 0
    unsafe options.mode = LZMA_MODE_NORMAL
    unsafe options.mf = LZMA_MF_BT4
    unsafe options.nice_len = search == .thorough ? 273 : 8
    unsafe options.depth = search == .thorough ? 128 : 1
    let code = unsafe withUnsafeMutablePointer(to: &options) { options in
      let filters = unsafe [
        lzma_filter(id: XZFormat.lzma2, options: options),
        lzma_filter(id: XZFormat.endOfFilters, options: nil),
      ]
      return unsafe lzma_stream_encoder(stream, filters, LZMA_CHECK_CRC32)
    }
    precondition(code == LZMA_OK, "liblzma has no such encoder: code \(code.rawValue)")
  }

  deinit {
    unsafe lzma_end(stream)
    unsafe stream.deallocate()
  }

  /// Compresses more bytes.
  func append(_ more: UnsafeRawBufferPointer) {
    guard let base = more.baseAddress, more.count > 0 else { return }
    unsafe stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = more.count
    run(LZMA_RUN)
  }

  /// Ends the stream.
  ///
  /// - Returns: all of it.
  func finish() -> [UInt8] {
    run(LZMA_FINISH)
    return bytes
  }

  private func run(_ action: lzma_action) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      var code = LZMA_OK
      repeat {
        unsafe stream.pointee.next_out = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = buffer.count
        code = unsafe lzma_code(stream, action)
        let count = unsafe buffer.count - stream.pointee.avail_out
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        precondition(
          code == LZMA_OK || code == LZMA_STREAM_END, "liblzma cannot go on: code \(code.rawValue)")
      } while unsafe action == LZMA_FINISH
        ? code != LZMA_STREAM_END : stream.pointee.avail_in > 0
    }
  }
}

/// The constants of the xz format that the headers of liblzma have as macros only.
enum XZFormat {
  static let lzma2: lzma_vli = 0x21
  static let endOfFilters = lzma_vli.max
  /// How far back a match may lie: the bit map of a table of 6 cells.
  static let dictionaryByteCount: UInt32 = 2 << 20
  /// The memory that reading a stream may take, in bytes: foreign streams ask for up to 4 GiB.
  static let decoderByteCount: UInt64 = 16 << 20
}
