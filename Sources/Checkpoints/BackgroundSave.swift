import Basics
import Dispatch
import Synchronization

/// A save that is flushed and put in place while the workers continue to play.
///
/// Flushing waits for the disk, which may take much longer than writing into its cache, and needs
/// neither the weights nor a processor.
///
/// Thread safety: may be used from any thread.
package final class BackgroundSave: Sendable {
  private let result = Mutex<Result<CheckpointDirectory.Saved, any Error>?>(nil)
  private let end = DispatchGroup()

  /// Starts `commit`, with the file operations of this task.
  package init(_ commit: @escaping @Sendable () throws -> CheckpointDirectory.Saved) {
    let operations = FileOperations.current
    DispatchQueue.global().async(group: end) { [self] in
      let outcome = Result { try FileOperations.$current.withValue(operations, operation: commit) }
      result.withLock { $0 = outcome }
    }
  }

  /// Whether ``wait()`` returns at once.
  package var hasEnded: Bool { result.withLock { $0 != nil } }

  /// Waits for the end of the save and returns its outcome.
  ///
  /// - Throws: ``LocatedError`` if it could not be put in place.
  package func wait() throws -> CheckpointDirectory.Saved {
    end.wait()
    return try result.withLock { try $0!.get() }
  }
}
