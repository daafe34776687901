import Basics
import CLZMA

/// A decoder that decompresses a tensor part by part.
///
/// Damaged files cannot exhaust memory: ``memoryLimit`` bounds the dictionary, and the
/// caller's buffers bound the output.
///
/// Safety: (1) `stream` and `input` point to initialised memory from `init` to `deinit`; (2) liblzma
/// reads only the part of `input` that `refill` has filled, and writes only to the buffer passed to
/// `fill`, which is valid during its calls; (3) `allocator` outlives the decoder.
@safe
final class XZDecoder {
  private let file: SafetensorsFile
  private let tensor: SafetensorsHeader.Tensor
  private let stream: UnsafeMutablePointer<lzma_stream>
  private let input: UnsafeMutableRawBufferPointer
  /// The offset of the first byte that has not been passed to liblzma.
  private var offset: Int
  private var isAtEnd = false

  private static let inputByteCount = 1 << 16
  /// The memory limit in bytes; streams of other programs can require up to 4 GiB.
  private static let memoryLimit: UInt64 = 16 << 20

  /// - Parameter allocator: The memory functions of liblzma; nil for those of the system.
  /// - Throws: `LocatedError` if the decoder does not fit into memory.
  @safe
  init(
    _ file: SafetensorsFile, _ tensor: SafetensorsHeader.Tensor,
    allocator: UnsafePointer<lzma_allocator>? = nil
  ) throws {
    self.file = file
    self.tensor = tensor
    offset = tensor.byteRange.lowerBound
    unsafe input = .allocate(byteCount: XZDecoder.inputByteCount, alignment: 1)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    unsafe stream.pointee.allocator = allocator
    let code = unsafe lzma_stream_decoder(stream, XZDecoder.memoryLimit, 0)
    if code == LZMA_MEM_ERROR { throw exceedsMemory }
    precondition(code == LZMA_OK, "liblzma has no decoder: code \(code.rawValue)")
  }

  deinit {
    unsafe lzma_end(stream)
    unsafe stream.deallocate()
    unsafe input.deallocate()
  }

  /// Fills `buffer` with the next bytes.
  ///
  /// - Throws: `LocatedError` if the stream is damaged or too short.
  @unsafe
  func read(into buffer: UnsafeMutableRawBufferPointer) throws {
    let count = unsafe try fill(buffer)
    guard count == buffer.count else { throw damaged("has too little data") }
  }

  /// Checks that the stream has been read to its end.
  ///
  /// - Throws: `LocatedError` if it has further data.
  func requireEnd() throws {
    let count = unsafe try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
      unsafe try fill($0)
    }
    let unread = unsafe stream.pointee.avail_in
    guard count == 0, isAtEnd, unread == 0, offset == tensor.byteRange.upperBound else {
      throw damaged("has too much data")
    }
  }

  /// Reads up to `buffer.count` bytes, and fewer only at the end of the stream.
  ///
  /// - Returns: The number of bytes read.
  @unsafe
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    unsafe stream.pointee.next_out = base.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = buffer.count
    while unsafe stream.pointee.avail_out > 0, !isAtEnd {
      if unsafe stream.pointee.avail_in == 0 { try refill() }
      // For the last input, liblzma must report an error instead of waiting for more.
      let isLast = offset == tensor.byteRange.upperBound
      let code = unsafe lzma_code(stream, isLast ? LZMA_FINISH : LZMA_RUN)
      switch code {
      case LZMA_OK: break
      case LZMA_STREAM_END: isAtEnd = true
      case LZMA_MEM_ERROR: throw exceedsMemory
      case LZMA_MEMLIMIT_ERROR: throw damaged("needs too much memory to decompress")
      default: throw damaged("cannot be decompressed (liblzma error \(code.rawValue))")
      }
    }
    return unsafe buffer.count - stream.pointee.avail_out
  }

  private func refill() throws {
    let count = unsafe min(input.count, tensor.byteRange.upperBound - offset)
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: input[..<count])
    unsafe try file.read(into: part, at: offset)
    offset += count
    unsafe stream.pointee.next_in = UnsafePointer(
      input.baseAddress!.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = count
  }

  private var exceedsMemory: LocatedError {
    .exceedsMemory(file.path, tensor.name, to: "decompress")
  }

  private func damaged(_ problem: String) -> LocatedError {
    .damaged(file.path, "tensor '\(tensor.name)'", problem)
  }
}

extension LocatedError {
  /// Returns the error for a tensor whose stream of the xz format cannot be read or written for lack of memory.
  ///
  /// - Parameter action: What lacks memory, such as `compress`.
  static func exceedsMemory(_ path: String, _ tensor: String, to action: String) -> LocatedError {
    LocatedError(
      .insufficientMemory, path: path, place: "tensor '\(tensor)'",
      "does not fit into memory to \(action) it", remedy: "free some memory")
  }
}

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
