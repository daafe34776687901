import CLearn2048
import Foundation
import Synchronization

/// The open objects by their handles.
///
/// Handles count up, so none is ever used twice. A fork waits until no thread holds the lock, so the child finds the
/// table intact; threads of the parent that used objects are missing there.
///
/// Safety: (1) `mutex` is initialised once and never freed; (2) `objects` and `last` are used under the lock only.
@safe
final class HandleTable: @unchecked Sendable {
  static let shared = HandleTable()

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var objects: [Int64: any AnyObject & Sendable] = [:]
  private var last: Int64 = 0
  /// The threads that share batches. In the child of a fork there are none.
  let workers = WorkerPool()

  private init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    // Prepared by the first call, when `shared` exists.
    pthread_atfork(
      { unsafe pthread_mutex_lock(HandleTable.shared.mutex) },
      { unsafe pthread_mutex_unlock(HandleTable.shared.mutex) },
      { unsafe pthread_mutex_unlock(HandleTable.shared.mutex) })
  }

  private func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Returns a handle of an object.
  func open(_ object: any AnyObject & Sendable) -> learn2048_handle {
    withLock {
      last += 1
      objects[last] = object
      return last
    }
  }

  /// Returns the object of a handle.
  ///
  /// - Throws: `Failure` if it is closed, or of another kind.
  func find<Object: AnyObject>(_ handle: learn2048_handle, as kind: Object.Type) throws -> Object {
    guard let object = withLock({ objects[handle] }) else {
      throw Failure(LEARN2048_CLOSED, "handle \(handle) is closed, or never was open")
    }
    guard let object = object as? Object else {
      throw Failure(LEARN2048_CLOSED, "handle \(handle) is of an object of another kind")
    }
    return object
  }

  func share(_ handle: learn2048_handle) throws -> learn2048_handle {
    guard let object = withLock({ objects[handle] }) else {
      throw Failure(LEARN2048_CLOSED, "handle \(handle) is closed, or never was open")
    }
    return open(object)
  }

  func close(_ handle: learn2048_handle) throws {
    // The object is released without the lock.
    guard withLock({ objects.removeValue(forKey: handle) }) != nil else {
      throw Failure(LEARN2048_CLOSED, "handle \(handle) is closed, or never was open")
    }
  }
}

/// A mark that an object is in use by a thread.
struct BusyMark: ~Copyable, Sendable {
  private let isBusy = Atomic<Bool>(false)

  /// Runs `body` unless another thread is in such a body.
  ///
  /// - Throws: `Failure` if one is.
  func exclude<Result>(_ what: String, _ body: () throws -> Result) throws -> Result {
    guard !isBusy.exchange(true, ordering: .acquiring) else {
      throw Failure(LEARN2048_BUSY, "another thread uses \(what)")
    }
    defer { isBusy.store(false, ordering: .releasing) }
    return try body()
  }
}
