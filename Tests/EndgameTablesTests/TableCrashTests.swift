import Basics
import Foundation
import TestSupport
import Testing

@testable import EndgameTables

/// A crash may come at any moment of a build: the same command ends in the same table.
@Suite struct TableCrashTests {
  // Promise: A run is never lost
  @Test func aBuildEndsInTheSameTable() throws {
    let root = try TemporaryDirectory()
    let shape = try #require(
      TableShape(locked: CellSet("####/####/####/#...")!, goal: 3, margin: 0))
    func build(in directory: String) throws -> [UInt8] {
      let table = try TableBuilder(shape, directory: directory, threads: 1).build { _ in }
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: #require(table?.path))))
    }
    let directory = root.file("tables")
    try FileManager.default.createDirectory(
      atPath: "\(directory)/\(shape.name).part", withIntermediateDirectories: true)
    let recorder = try CrashRecorder(of: directory)
    let expected = try FileOperations.$current.withValue(recorder.operations) {
      try build(in: directory)
    }
    // The build has removed it, and a crash need not.
    try FileManager.default.createDirectory(
      atPath: "\(directory)/\(shape.name).part", withIntermediateDirectories: true)
    let states = recorder.states()
    for (number, state) in states.enumerated() {
      try recorder.write(state, to: root.file("copy"))
      #expect(
        try build(in: root.file("copy")) == expected, "state \(number): \(state.keys.sorted())")
      #expect(try CrashRecorder.contents(of: root.file("copy")).count == 1)
    }
    #expect(states.count == 79, "the number of states")
  }
}
