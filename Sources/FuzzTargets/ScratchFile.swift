import Foundation
import Synchronization

/// Files for readers that take paths, in a directory of this process, which is removed at its end.
enum ScratchFile {
  private static let directory: String = {
    // In memory, where there is such a file system.
    let isInMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
    let path = (isInMemory ? "/dev/shm" : NSTemporaryDirectory()) + "/learn2048-fuzz-\(getpid())"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: ScratchFile.directory) }
    return path
  }()
  private static let counter = Atomic<Int>(0)

  static func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Calls `body` with the path of a file with these bytes.
  static func with<Result>(_ bytes: [UInt8], _ body: (String) -> Result) -> Result {
    let path = path("\(counter.add(1, ordering: .relaxed).newValue)")
    write(bytes, to: path)
    defer { _ = unsafe unlink(path) }
    return body(path)
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "cannot write to \(path)")
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
    }
    precondition(count == bytes.count, "cannot write to \(path)")
  }
}
