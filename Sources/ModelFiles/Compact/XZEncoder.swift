import Basics
import CLZMA

/// An encoder that compresses bytes, passed in parts, into one stream of the xz format.
///
/// All settings are explicit, because the presets of liblzma may change.
///
/// Safety: (1) `stream` points to one initialised record from `init` to `deinit`; (2) its input is the
/// buffer passed to `append`, and its output is a buffer of `run`; both are set before every call of
/// liblzma and valid during it; (3) only the initialisation reads the options and filters; (4) `allocator`
/// outlives the encoder.
@safe
final class XZEncoder {
  private let path: String
  private let tensor: String
  private let stream: UnsafeMutablePointer<lzma_stream>
  /// The compressed bytes so far.
  private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - path: The path of the file for messages.
  ///   - tensor: The name of the tensor for messages.
  ///   - isThorough: Whether to search for repeated bytes with the most effort, for bitmaps, which have many of
  ///     them, or with the least, for quantised weights: their repetitions are chance, and using them costs time
  ///     and bits.
  ///   - allocator: The memory functions of liblzma; nil for those of the system.
  /// - Throws: `LocatedError` if the encoder does not fit into memory.
  @safe
  init(
    path: String, tensor: String, isThorough: Bool, allocator: UnsafePointer<lzma_allocator>? = nil
  ) throws {
    (self.path, self.tensor) = (path, tensor)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    unsafe stream.pointee.allocator = allocator
    var options = unsafe lzma_options_lzma()
    unsafe options.dict_size = 2 << 20  // The bitmap of a table of 6 cells.
    // The upper 4 bits of a byte select the literal model of the next one; positions do not matter.
    unsafe options.lc = 4
    unsafe options.lp = 0
    unsafe options.pb = 0
    unsafe options.mode = LZMA_MODE_NORMAL
    unsafe options.mf = LZMA_MF_BT4
    unsafe options.nice_len = isThorough ? 273 : 8
    unsafe options.depth = isThorough ? 128 : 1
    let code = unsafe withUnsafeMutablePointer(to: &options) { options in
      let filters = unsafe [
        // LZMA2, and the end of the filters: liblzma has only macros for them.
        lzma_filter(id: 0x21, options: options), lzma_filter(id: .max, options: nil),
      ]
      return unsafe lzma_stream_encoder(stream, filters, LZMA_CHECK_CRC32)
    }
    if code == LZMA_MEM_ERROR { throw exceedsMemory }
    precondition(code == LZMA_OK, "liblzma has no such encoder: code \(code.rawValue)")
  }

  deinit {
    unsafe lzma_end(stream)
    unsafe stream.deallocate()
  }

  /// Compresses more bytes.
  ///
  /// - Throws: `LocatedError` if that does not fit into memory.
  func append(_ more: UnsafeRawBufferPointer) throws {
    guard let base = more.baseAddress, more.count > 0 else { return }
    unsafe stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = more.count
    try run(LZMA_RUN)
  }

  /// Ends the stream.
  ///
  /// - Returns: The complete stream.
  /// - Throws: `LocatedError` if that does not fit into memory.
  func finish() throws -> [UInt8] {
    try run(LZMA_FINISH)
    return bytes
  }

  private var exceedsMemory: LocatedError { .exceedsMemory(path, tensor, to: "compress") }

  private func run(_ action: lzma_action) throws {
    unsafe try withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      var code = LZMA_OK
      repeat {
        unsafe stream.pointee.next_out = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = buffer.count
        code = unsafe lzma_code(stream, action)
        let count = unsafe buffer.count - stream.pointee.avail_out
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if code == LZMA_MEM_ERROR { throw exceedsMemory }
        precondition(
          code == LZMA_OK || code == LZMA_STREAM_END, "liblzma failed: code \(code.rawValue)")
      } while unsafe action == LZMA_FINISH
        ? code != LZMA_STREAM_END : stream.pointee.avail_in > 0
    }
  }
}
