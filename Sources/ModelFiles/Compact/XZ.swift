import Basics
import CLZMA

/// A decoder of the streams that files had until format version 3.
///
/// Damaged files cannot exhaust memory: ``memoryLimit`` bounds the dictionary, and the
/// caller's buffers bound the output.
///
/// Safety: (1) `stream` and `input` point to initialised memory from `init` to `deinit`; (2) liblzma
/// reads only the part of `input` that `refill` has filled, and writes only to the buffer passed to
/// `fill`, which is valid during its calls; (3) `allocator` outlives the decoder.
@safe
final class XZDecoder: TensorDecoder {
  let file: SafetensorsFile
  let tensor: SafetensorsHeader.Tensor
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

  var isExhausted: Bool {
    unsafe isAtEnd && stream.pointee.avail_in == 0 && offset == tensor.byteRange.upperBound
  }

  @unsafe
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
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
}
