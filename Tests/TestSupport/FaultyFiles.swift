import Basics
import Foundation
import Synchronization

/// File operations of which one fails.
///
/// An operation is named by its kind, its file and how many of that kind and file it makes. So its name does not
/// depend on when a save in the background takes place.
package final class FaultyFiles: Sendable {
  /// How an operation fails.
  package enum Fault: CaseIterable, Sendable {
    case error, shortWrite
  }

  private struct State {
    package var calls: [String] = []
    var counts: [String: Int] = [:]
    /// The files that are open, by descriptor.
    var open: [Int32: String] = [:]
    /// The descriptor to which the next write fails.
    var full: Int32?
    var didFail = false
  }

  private let state = Mutex(State())
  private let failing: String?
  private let fault: Fault

  /// Creates operations that succeed, except the one of this name.
  package init(failing: String? = nil, _ fault: Fault = .error) {
    self.failing = failing
    self.fault = fault
  }

  /// The names of the operations, in their order.
  package var calls: [String] { state.withLock { $0.calls } }
  package var didFail: Bool { state.withLock { $0.didFail } }

  /// Returns the name of a file without what differs from run to run.
  private static func stable(_ path: String) -> String {
    let name = (path as NSString).lastPathComponent
    if name.hasPrefix("events.") { return "events" }
    return name.range(of: ".tmp-").map { String(name[..<$0.lowerBound]) } ?? name
  }

  private func fails(_ kind: String, _ file: String) -> Bool {
    let isHit = state.withLock { state in
      state.counts["\(kind) \(file)", default: 0] += 1
      let call = "\(kind) \(file) \(state.counts["\(kind) \(file)"]!)"
      state.calls.append(call)
      if call == failing { state.didFail = true }
      return call == failing
    }
    if isHit { errno = EIO }
    return isHit
  }

  private func fails(_ kind: String, _ descriptor: Int32) -> Bool {
    fails(kind, state.withLock { $0.open[descriptor] ?? "?" })
  }

  private func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    let isFull = state.withLock { state in
      defer { if state.full == descriptor { state.full = nil } }
      return state.full == descriptor
    }
    if isFull {
      errno = ENOSPC
      return -1
    }
    guard fails("write", descriptor) else {
      return FileOperations().write(descriptor, bytes, offset)
    }
    guard fault == .shortWrite, bytes.count > 1 else { return -1 }
    // After half of the bytes, the disk is full for a while.
    state.withLock { $0.full = descriptor }
    let half = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
    return FileOperations().write(descriptor, half, offset)
  }

  package var operations: FileOperations {
    let normal = FileOperations()
    var operations = normal
    operations.open = { [self] path, flags in
      let file = FaultyFiles.stable(path)
      guard !fails("open", file) else { return -1 }
      let descriptor = normal.open(path, flags)
      state.withLock { $0.open[descriptor] = file }
      return descriptor
    }
    operations.write = { [self] in write($0, $1, $2) }
    operations.truncate = { [self] in fails("truncate", $0) ? -1 : normal.truncate($0, $1) }
    operations.synchronize = { [self] in fails("flush", $0) ? -1 : normal.synchronize($0) }
    operations.rename = { [self] in
      fails("rename", FaultyFiles.stable($1)) ? -1 : normal.rename($0, $1)
    }
    operations.synchronizeDirectory = { [self] in
      fails("flush directory", FaultyFiles.stable($0)) ? -1 : normal.synchronizeDirectory($0)
    }
    return operations
  }
}
