import Synchronization

/// A request to stop, which is passed on to the work of the moment.
///
/// Thread safety: any thread may call everything.
package final class StopRequest: Sendable {
  private let state = Mutex<(isRequested: Bool, passOn: (@Sendable () -> Void)?)>((false, nil))

  package init() {}

  package var isRequested: Bool { state.withLock { $0.isRequested } }

  package func request() {
    state.withLock {
      $0.isRequested = true
      $0.passOn?()
    }
  }

  /// Passes requests on to some work, including an earlier one, or to none for nil.
  package func pass(to work: (@Sendable () -> Void)?) {
    state.withLock {
      $0.passOn = work
      if $0.isRequested { work?() }
    }
  }
}
