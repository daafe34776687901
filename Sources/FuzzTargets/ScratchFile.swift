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
    try! Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
