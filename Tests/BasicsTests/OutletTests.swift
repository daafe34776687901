import Dispatch
import Synchronization
import Testing

@testable import Basics

@Suite struct OutletTests {
  @Test func workIsDoneInOrder() {
    let outlet = Outlet("test", capacity: 1_000)
    let done = Mutex<[Int]>([])
    for number in 0..<1_000 { outlet.add { done.withLock { $0.append(number) } } }
    outlet.finish()
    #expect(done.withLock(\.self) == Array(0..<1_000) && outlet.isIdle)
  }

  @Test func nobodyWaitsForLong() {
    let outlet = Outlet("test", capacity: 3)
    let gate = DispatchSemaphore(value: 0)
    let began = ContinuousClock.now
    outlet.add { gate.wait() }
    for _ in 0..<100 { outlet.settle() }
    #expect(began.duration(to: .now) < .seconds(20))
    #expect(outlet.add {} && outlet.add {})
    #expect(!outlet.add {}, "more than the capacity")
    #expect(!outlet.isIdle)
    gate.signal()
    outlet.finish()
    #expect(outlet.isIdle && outlet.add {})
    outlet.settle()
    #expect(outlet.isIdle, "somebody waits again")
  }
}
