import Foundation

/// A separate directory for a test, which is removed with the object.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("learn2048-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a file in the directory.
  public func file(_ name: String) -> String { path + "/" + name }

  /// The names of all files in the directory, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  public func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  public func write(_ bytes: some Collection<UInt8>, _ name: String) throws {
    // `Data` would wait for the disk.
    guard let stream = fopen(file(name), "wb") else { throw CocoaError(.fileWriteUnknown) }
    defer { fclose(stream) }
    let bytes = Array(bytes)
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
