import Basics
import CZstd

/// A decoder that decompresses a tensor part by part.
protocol TensorDecoder: AnyObject {
  var file: SafetensorsFile { get }
  var tensor: SafetensorsHeader.Tensor { get }
  /// Whether the stream has ended, and no byte of the tensor follows.
  var isExhausted: Bool { get }

  /// Reads up to `buffer.count` bytes, and fewer only at the end of the stream.
  ///
  /// - Returns: The number of bytes read.
  /// - Throws: `LocatedError` if the stream is damaged.
  @unsafe
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension TensorDecoder {
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
    guard count == 0, isExhausted else { throw damaged("has too much data") }
  }

  func damaged(_ problem: String) -> LocatedError {
    .damaged(file.path, "tensor '\(tensor.name)'", problem)
  }
}

/// A decoder of one frame of the Zstandard format.
///
/// Damaged files cannot exhaust memory: ``ZstdEncoder/windowLog`` bounds the window, and the caller's buffers bound the
/// output.
///
/// Safety: (1) `context` is valid and `input` points to allocated memory from `init` to `deinit`; (2) libzstd reads only
/// the part of `input` that `refill` has filled, and writes only to the buffer passed to `fill`, which is valid during
/// its calls.
@safe
final class ZstdDecoder: TensorDecoder {
  let file: SafetensorsFile
  let tensor: SafetensorsHeader.Tensor
  private let context: OpaquePointer
  private let input: UnsafeMutableRawBufferPointer
  /// The part of `input` that has been read from the file and not been decompressed.
  private var unread = 0..<0
  /// The offset of the first byte that has not been read from the file.
  private var offset: Int
  private var isAtEnd = false

  /// - Throws: `LocatedError` if the decoder does not fit into memory.
  init(_ file: SafetensorsFile, _ tensor: SafetensorsHeader.Tensor) throws {
    self.file = file
    self.tensor = tensor
    offset = tensor.byteRange.lowerBound
    guard let context = unsafe ZSTD_createDCtx() else {
      throw LocatedError.exceedsMemory(file.path, tensor.name, to: "decompress")
    }
    unsafe self.context = context
    unsafe input = .allocate(byteCount: ZSTD_DStreamInSize(), alignment: 1)
    _ = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdEncoder.windowLog)
  }

  deinit {
    unsafe ZSTD_freeDCtx(context)
    unsafe input.deallocate()
  }

  var isExhausted: Bool { isAtEnd && unread.isEmpty && offset == tensor.byteRange.upperBound }

  @unsafe
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var output = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    while unsafe output.pos < output.size, !isAtEnd {
      if unread.isEmpty { try refill() }
      var source = unsafe ZSTD_inBuffer(
        src: input.baseAddress, size: unread.upperBound, pos: unread.lowerBound)
      let before = unsafe output.pos
      let hint = unsafe ZSTD_decompressStream(context, &output, &source)
      if ZSTD_isError(hint) != 0 {
        let problem = unsafe String(cString: ZSTD_getErrorName(hint))
        throw damaged("cannot be decompressed (libzstd: \(problem))")
      }
      // Without input, output may still come; without either, the stream has ended too early.
      if unsafe unread.isEmpty && output.pos == before && hint != 0 {
        throw damaged("cannot be decompressed (it ends too early)")
      }
      unread = unsafe source.pos..<unread.upperBound
      isAtEnd = hint == 0
    }
    return unsafe output.pos
  }

  private func refill() throws {
    let count = unsafe min(input.count, tensor.byteRange.upperBound - offset)
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: input[..<count])
    unsafe try file.read(into: part, at: offset)
    offset += count
    unread = 0..<count
  }
}

/// An encoder that compresses bytes, passed in parts, into one frame of the Zstandard format.
///
/// Files of xz were 4 % smaller, and took fifteen times as long to read.
///
/// Safety: (1) `context` is valid from `init` to `deinit`; (2) its input is the buffer passed to `append`, and its
/// output is a buffer of `run`; both are valid during the calls of libzstd.
@safe
final class ZstdEncoder {
  private let path: String
  private let tensor: String
  private let context: OpaquePointer
  /// The compressed bytes so far.
  private(set) var bytes: [UInt8] = []

  /// The logarithm of the window. Larger ones saved 0.3 % of a file, and took more memory to read.
  static let windowLog: Int32 = 18

  /// - Parameters:
  ///   - path: The path of the file for messages.
  ///   - tensor: The name of the tensor for messages.
  /// - Throws: `LocatedError` if the encoder does not fit into memory.
  init(path: String, tensor: String) throws {
    (self.path, self.tensor) = (path, tensor)
    guard let context = unsafe ZSTD_createCCtx() else {
      throw LocatedError.exceedsMemory(path, tensor, to: "compress")
    }
    unsafe self.context = context
    for (parameter, value) in [
      (ZSTD_c_compressionLevel, 19), (ZSTD_c_windowLog, ZstdEncoder.windowLog),
      // The file has a checksum.
      (ZSTD_c_checksumFlag, 0),
    ] {
      let code = unsafe ZSTD_CCtx_setParameter(context, parameter, value)
      precondition(ZSTD_isError(code) == 0, "libzstd has no such parameter")
    }
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// Compresses more bytes.
  ///
  /// - Throws: `LocatedError` if that does not fit into memory.
  func append(_ more: UnsafeRawBufferPointer) throws {
    unsafe try run(more, ZSTD_e_continue)
  }

  /// Ends the frame.
  ///
  /// - Returns: The complete frame.
  /// - Throws: `LocatedError` if that does not fit into memory.
  func finish() throws -> [UInt8] {
    unsafe try run(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end)
    return bytes
  }

  private func run(_ more: UnsafeRawBufferPointer, _ directive: ZSTD_EndDirective) throws {
    var input = unsafe ZSTD_inBuffer(src: more.baseAddress, size: more.count, pos: 0)
    unsafe try withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      var left = 0
      repeat {
        var output = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        left = unsafe ZSTD_compressStream2(context, &output, &input, directive)
        // The parameters are valid, so only memory can be lacking.
        guard ZSTD_isError(left) == 0 else {
          throw LocatedError.exceedsMemory(path, tensor, to: "compress")
        }
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<output.pos]))
      } while unsafe input.pos < input.size || directive == ZSTD_e_end && left > 0
    }
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
