import Dispatch
import Synchronization
import Testing

@testable import Basics

@Suite struct WorkerThreadsTests {
  @Test func theCallingThreadWorksMeanwhile() {
    let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let indices = Mutex<Set<Int>>([])
    var isCalled = false
    WorkerThreads.run(count: 3) { index, threads in
      #expect(threads == 3)
      began.signal()
      ended.wait()
      indices.withLock { _ = $0.insert(index) }
    } meanwhile: {
      // The threads wait for this one, which waits until they have begun.
      for _ in 0..<3 { began.wait() }
      isCalled = true
      for _ in 0..<3 { ended.signal() }
    }
    #expect(isCalled && indices.withLock(\.self) == [0, 1, 2])
  }
}
