import Testing

@testable import Basics

@Suite struct MessageLayoutTests {
  @Test func messagesLieOneAfterTheOther() throws {
    let layout = try #require(MessageLayout([2, 0, 3]))
    #expect(layout.counts == [2, 0, 3])
    #expect(layout.offsets == [0, 2, 2])
    #expect(layout.total == 5)
    #expect(layout.messages(in: [1, 2, 3, 4, 5]) == [[1, 2], [], [3, 4, 5]])
  }

  @Test func noMessagesTakeNoBytes() throws {
    let layout = try #require(MessageLayout([0, 0]))
    #expect(layout.total == 0 && layout.messages(in: []) == [[], []])
  }

  @Test func lessThanTwoGibibytesCanBeCounted() throws {
    let most = Int(Int32.max)
    let layout = try #require(MessageLayout([most - 3, 1, 2]))
    #expect(layout.offsets == [0, Int32.max - 3, Int32.max - 2] && layout.total == most)
    #expect(MessageLayout([most, 0])?.offsets == [0, .max])
    #expect(MessageLayout([most, 1]) == nil)
    #expect(MessageLayout([1, most]) == nil)
    #expect(MessageLayout([1 << 30, 1 << 30]) == nil)
    #expect(MessageLayout([1 << 31]) == nil)
    #expect(MessageLayout([.max, .max]) == nil)
  }
}
