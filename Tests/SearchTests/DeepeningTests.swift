import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Search

@Test func passesGoPlyByPlyAndDelayFoursFirst() throws {
  let settings = try searchSettings("time=1,probability=0.25")
  let first = SearchPass(plies: 1, threshold: settings.probability)
  let passes = Array(sequence(first: first) { $0.next(upTo: 4) })
  #expect(passes.map(\.plies) == [1, 2, 3, 3, 4, 4])
  #expect(passes.map(\.delaysFours) == [false, false, true, false, true, false])
  #expect(passes.allSatisfy { $0.threshold == 0.25 })
}
