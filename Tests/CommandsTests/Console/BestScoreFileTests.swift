import Basics
import Foundation
import Game2048
import TestSupport
import Testing

@testable import Commands

@Suite("The best score")
struct BestScoreFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func file(_ environment: [String: String], boardSize: Int = 4) throws -> BestScoreFile {
    BestScoreFile(
      in: try #require(StateDirectory(environment: environment)), Rules(size: boardSize))
  }

  @Test("a better score is kept, in directories that are created")
  func kept() throws {
    let state = ["XDG_STATE_HOME": directory.file("new/state")]
    #expect(try file(state).read() == 0)
    for (score, best) in [(0, 0), (500, 500), (400, 500), (123_456, 123_456)] {
      try file(state).record(score)
      #expect(try file(state).read() == best)
    }
    #expect(
      try directory.bytes("new/state/learn2048/best-score-4x4") == Array("123456\n".utf8))
    #expect(try file(state, boardSize: 3).read() == 0, "boards of other sizes have their own")
    let rules = Rules(size: 4, fourProbability: 0.5)
    let other = BestScoreFile(in: try #require(StateDirectory(environment: state)), rules)
    #expect(other.read() == 0, "and so have other spawns")
  }

  @Test(
    "a damaged file counts as no score, and is replaced",
    arguments: ["", "x", "-5", "12 34", "99999999999999999999", "\u{0}"])
  func damaged(content: String) throws {
    let state = ["XDG_STATE_HOME": directory.path]
    let path = "learn2048/best-score-4x4"
    try FileManager.default.createDirectory(
      atPath: directory.file("learn2048"), withIntermediateDirectories: true)
    try directory.write(Array(content.utf8), path)
    #expect(try file(state).read() == 0)
    try file(state).record(20)
    #expect(try file(state).read() == 20)
  }

  @Test("the home directory is the default, and relative paths are ignored")
  func places() throws {
    let home = ["HOME": directory.path, "XDG_STATE_HOME": "relative"]
    try file(home).record(8)
    #expect(
      try directory.bytes(".local/state/learn2048/best-score-4x4") == Array("8\n".utf8))
    #expect(StateDirectory(environment: [:]) == nil)
  }

  @Test("a directory that cannot be created is an error")
  func unwritable() throws {
    try directory.write([], "state")
    let file = try file(["XDG_STATE_HOME": directory.file("state")])
    #expect(throws: LocatedError.self) { try file.record(8) }
    #expect(file.read() == 0)
  }
}
