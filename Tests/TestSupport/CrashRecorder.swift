import Basics
import Foundation
import Synchronization

/// A record of what is written to the files of a directory, from which follows what a crash could leave there.
///
/// A crash may come after any call. What a file got since it was last flushed may be on the disk in part: up to any
/// write, or without one of them. Names that were created, replaced or removed since their directory was flushed may
/// be as they are or as they were, each by itself. A rename is never half done.
///
/// The directories themselves must exist before, and only calls by ``operations`` count.
///
/// Thread safety: any thread may write; calls count in the order in which they end.
public final class CrashRecorder: Sendable {
  /// A file without its name.
  private typealias File = Int

  private enum Call {
    case name(File, path: String)
    case write(File, offset: Int, bytes: [UInt8])
    case truncate(File, length: Int)
    case flush(File)
    case rename(File, from: String, to: String)
    case remove(path: String)
    case flushDirectory(path: String)
  }

  private struct State {
    var calls: [Call] = []
    /// The files by their paths, and by descriptors.
    var names: [String: File] = [:]
    var open: [Int32: File] = [:]
    /// The contents of the files at the beginning.
    var contents: [[UInt8]] = []
  }

  /// The contents of all files, by their paths in the directory.
  public typealias Disk = [String: [UInt8]]

  private let root: String
  private let ignores: @Sendable (_ name: String) -> Bool
  private let isOpaque: @Sendable (_ name: String) -> Bool
  private let state: Mutex<State>
  private let initial: [String: File]

  /// Starts a record.
  ///
  /// - Parameters:
  ///   - root: The directory, with the files that are on the disk already.
  ///   - ignores: Whether a file does not matter, and is in no state.
  ///   - isOpaque: Whether nobody reads the content of a file, which is empty in all states.
  public init(
    of root: String, ignores: @escaping @Sendable (_ name: String) -> Bool = { _ in false },
    isOpaque: @escaping @Sendable (_ name: String) -> Bool = { _ in false }
  ) throws {
    (self.root, self.ignores, self.isOpaque) = (root, ignores, isOpaque)
    var state = State()
    for (path, bytes) in try CrashRecorder.contents(of: root) where !ignores(path) {
      state.names[path] = state.contents.count
      state.contents.append(bytes)
    }
    initial = state.names
    self.state = Mutex(state)
  }

  /// Returns the files below a directory.
  public static func contents(of root: String) throws -> Disk {
    var disk: Disk = [:]
    for path in FileManager.default.subpaths(atPath: root) ?? [] {
      let full = root + "/" + path
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: full, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { continue }
      disk[path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: full)))
    }
    return disk
  }

  private func relative(_ path: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path == root ? "" : path
  }

  /// The operations to write with.
  package var operations: FileOperations {
    let normal = FileOperations.current
    var operations = normal
    operations.open = { [self] path, flags in
      let descriptor = normal.open(path, flags)
      let path = relative(path)
      guard descriptor >= 0 else { return descriptor }
      state.withLock { state in
        if let file = state.names[path] {
          state.open[descriptor] = file
        } else {
          let file = state.contents.count
          state.contents.append([])
          (state.names[path], state.open[descriptor]) = (file, file)
          state.calls.append(.name(file, path: path))
        }
      }
      return descriptor
    }
    @Sendable func change(_ descriptor: Int32, _ succeeded: Bool, _ call: (File) -> Call) {
      guard succeeded else { return }
      state.withLock { $0.calls.append(call($0.open[descriptor]!)) }
    }
    operations.write = { descriptor, bytes, offset in
      let count = unsafe normal.write(descriptor, bytes, offset)
      let written = unsafe [UInt8](bytes.prefix(max(0, count)))
      change(descriptor, count > 0) { .write($0, offset: offset, bytes: written) }
      return count
    }
    operations.truncate = { descriptor, length in
      let code = normal.truncate(descriptor, length)
      change(descriptor, code == 0) { .truncate($0, length: length) }
      return code
    }
    // Nothing needs to survive a power failure.
    operations.synchronize = { descriptor in
      change(descriptor, true) { .flush($0) }
      return 0
    }
    operations.rename = { [self] from, to in
      let code = normal.rename(from, to)
      guard code == 0 else { return code }
      let (from, to) = (relative(from), relative(to))
      state.withLock { state in
        guard let file = state.names.removeValue(forKey: from) else { return }
        state.names[to] = file
        state.calls.append(.rename(file, from: from, to: to))
      }
      return code
    }
    operations.remove = { [self] path in
      let code = normal.remove(path)
      guard code == 0 else { return code }
      state.withLock { state in
        state.names[relative(path)] = nil
        state.calls.append(.remove(path: relative(path)))
      }
      return code
    }
    operations.synchronizeDirectory = { [self] path in
      state.withLock { $0.calls.append(.flushDirectory(path: relative(path))) }
      return 0
    }
    return operations
  }

  /// The number of calls.
  public var callCount: Int { state.withLock(\.calls.count) }

  /// Returns all different contents that a crash could leave, those of early crashes first.
  public func states() -> [Disk] {
    let (calls, contents) = state.withLock { ($0.calls, $0.contents) }
    var disk = Model(names: initial, contents: contents, ignores: ignores, isOpaque: isOpaque)
    var seen: Set<Disk> = []
    var states: [Disk] = []
    for call in [nil] + calls.map(Optional.some) {
      if let call { disk.add(call) }
      for state in disk.afterCrash() where seen.insert(state).inserted { states.append(state) }
    }
    return states
  }

  /// Writes a state to a directory, which is replaced. Directories of the record are created.
  public func write(_ disk: Disk, to path: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    for name in [""] + (manager.subpaths(atPath: root) ?? []) {
      var isDirectory: ObjCBool = false
      _ = manager.fileExists(atPath: root + "/" + name, isDirectory: &isDirectory)
      guard isDirectory.boolValue else { continue }
      try manager.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }
    for (name, bytes) in disk {
      let full = path + "/" + name
      try manager.createDirectory(
        atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      guard manager.createFile(atPath: full, contents: Data(bytes)) else {
        throw CocoaError(.fileWriteUnknown)
      }
    }
  }

  /// What is on the disk for sure, and what may be.
  private struct Model {
    var names: [String: File]
    var contents: [[UInt8]]
    let ignores: (String) -> Bool
    let isOpaque: (String) -> Bool
    /// Calls since the last flush, by file and for names.
    var writes: [File: [Call]] = [:]
    var renames: [Call] = []

    mutating func add(_ call: Call) {
      switch call {
      case .write(let file, _, _), .truncate(let file, _): writes[file, default: []].append(call)
      case .flush(let file):
        contents[file] = Model.applied(writes[file] ?? [], to: contents[file])
        writes[file] = nil
      case .name, .rename, .remove: renames.append(call)
      case .flushDirectory(let path):
        names = Model.applied(renames.filter { Model.directory($0) == path }, to: names)
        renames.removeAll { Model.directory($0) == path }
      }
    }

    private static func directory(_ call: Call) -> String {
      switch call {
      case .name(_, let path), .remove(let path), .rename(_, _, let path):
        (path as NSString).deletingLastPathComponent
      default: ""
      }
    }

    private static func applied(_ calls: [Call], to content: [UInt8]) -> [UInt8] {
      calls.reduce(into: content) { content, call in
        func resize(_ length: Int) {
          content += [UInt8](repeating: 0, count: max(0, length - content.count))
        }
        switch call {
        case .write(_, let offset, let bytes):
          resize(offset + bytes.count)
          content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        case .truncate(_, let length):
          resize(length)
          content.removeLast(content.count - length)
        default: break
        }
      }
    }

    private static func applied(_ calls: [Call], to names: [String: File]) -> [String: File] {
      calls.reduce(into: names) { names, call in
        switch call {
        case .name(let file, let path): names[path] = file
        case .rename(let file, let from, let to):
          if names[from] == file { names[from] = nil }
          names[to] = file
        case .remove(let path): names[path] = nil
        default: break
        }
      }
    }

    /// Returns the contents that a file may have: up to any of its last writes, or without one of them.
    private func versions(_ file: File) -> [[UInt8]] {
      let calls = writes[file] ?? []
      let subsets =
        (0...calls.count).map { Array(calls.prefix($0)) }
        + calls.indices.map { Array(calls[..<$0] + calls[($0 + 1)...]) }
      return Array(Set(subsets.map { Model.applied($0, to: contents[file]) }))
    }

    /// Returns what a crash could leave now.
    func afterCrash() -> Set<Disk> {
      var states: Set<Disk> = []
      precondition(renames.count <= 10, "too many names were changed without a flush")
      var versions: [File: [[UInt8]]] = [:]
      for chosen in 0..<(1 << renames.count) {
        let calls = renames.indices.filter { chosen >> $0 & 1 == 1 }.map { renames[$0] }
        var disks: [Disk] = [[:]]
        for (path, file) in Model.applied(calls, to: names) where !ignores(path) {
          let all = isOpaque(path) ? [[]] : versions[file] ?? self.versions(file)
          if !isOpaque(path) { versions[file] = all }
          disks = disks.flatMap { disk in
            all.map { content in
              var disk = disk
              disk[path] = content
              return disk
            }
          }
        }
        states.formUnion(disks)
      }
      return states
    }
  }
}
