import Basics
import Foundation
import Game2048
import TestSupport
import Testing

@testable import EndgameTables

@Suite struct TableBuilderTests {
  private let directory: TemporaryDirectory
  private let shape = smallShapes[3]

  init() throws { directory = try TemporaryDirectory() }

  private func builder(threads: Int = 1, in place: String = "tables") -> TableBuilder {
    TableBuilder(shape, directory: directory.file(place), threads: threads)
  }

  private func built(threads: Int = 1, in place: String = "tables") throws -> EndgameTable {
    try #require(try builder(threads: threads, in: place).build { _ in })
  }

  @Test func aTableHasTheProbabilitiesOfASlowSolver() throws {
    let table = try built()
    try table.verify()
    #expect(table.shape == shape)
    #expect(directory.names == ["tables"])
    let reference = ReferenceSolver(shape)
    var known = 0
    for content in 0..<(5 * 5 * 5 * 5 * 5 * 5) {
      var rest = content
      let exponents = (0..<6).map { _ in
        defer { rest /= 5 }
        return rest % 5
      }
      let board = reference.board(exponents)
      guard let value = table.value(ofPlanes: board.planes) else { continue }
      known += 1
      let expected = reference.probability(after: board)
      #expect(abs(Double(value) / EndgameTable.certain - expected) < 0.000_5, "\(board)")
    }
    #expect(known == table.entryCount && known > 1_000)
  }

  @Test func threadsDoNotChangeATable() throws {
    let (one, two) = (try built(), try built(threads: 2, in: "two"))
    #expect(try contents(one.path) == contents(two.path))
  }

  @Test(arguments: [1, 12, 30, 45])
  func aStoppedBuildContinuesToTheSameTable(step: Int) throws {
    let complete = try built(in: "complete")
    let stopped = builder()
    let result = try stopped.build { if $0.steps == step { stopped.requestStop() } }
    #expect(result == nil)
    #expect(!FileManager.default.fileExists(atPath: stopped.path))
    var steps: [Int] = []
    let table = try #require(try builder().build { steps.append($0.steps) })
    #expect(steps == Array(1...(2 * shape.layerCount)))
    #expect(try contents(table.path) == contents(complete.path))
  }

  @Test(arguments: ["reach-3", "values-20"])
  func damagedPartsAreComputedAgain(name: String) throws {
    let complete = try built(in: "complete")
    let stopped = builder()
    _ = try stopped.build { if $0.steps == 40 { stopped.requestStop() } }
    let part = "tables/\(shape.name).part/\(name)"
    var bytes = try directory.bytes(part)
    bytes[bytes.count / 3] ^= 4
    try directory.write(bytes, part)
    let table = try #require(try builder().build { _ in })
    #expect(try contents(table.path) == contents(complete.path))
  }

  @Test func partsOfAnotherShapeAreKept() throws {
    // The layers have the same sizes, but other sums count as lost.
    let other = try #require(
      TableShape(locked: CellSet(shape.locked), goal: shape.goal, margin: 2))
    try #require(other.name == shape.name && other.largestSum < shape.largestSum)
    let stopped = TableBuilder(other, directory: directory.file("tables"), threads: 1)
    let step = 2 * other.layerCount - 1
    _ = try stopped.build { if $0.steps == step { stopped.requestStop() } }
    #expect(directory.names == ["tables"])
    let error = #expect(throws: LocatedError.self) { try built() }
    #expect(
      error?.kind == .cannotCreate && error?.path == directory.file("tables/\(shape.name).part"))
    #expect(error?.problem.contains("largest sum \(other.largestSum)") == true)
    // The build goes on where it was.
    var steps: [Int] = []
    let table = try TableBuilder(other, directory: directory.file("tables"), threads: 1)
      .build { steps.append($0.steps) }
    #expect(table?.shape == other && steps.last == 2 * other.layerCount)
    // Parts whose shape is not noted, as older versions left them, are computed again.
    let old = TableBuilder(other, directory: directory.file("old"), threads: 1)
    _ = try old.build { if $0.steps == step { old.requestStop() } }
    try FileManager.default.removeItem(
      atPath: directory.file("old/\(shape.name).part/shape.json"))
    #expect(try contents(built(in: "old").path) == contents(built(in: "complete").path))
  }

  @Test func partsThatWereLeftAreRemoved() throws {
    let table = try built()
    let parts = "tables/\(shape.name).part"
    try FileManager.default.createDirectory(
      atPath: directory.file(parts), withIntermediateDirectories: false)
    try directory.write([1], "\(parts)/values-3")
    #expect(try built().path == table.path)
    #expect(!FileManager.default.fileExists(atPath: directory.file(parts)))
  }

  @Test func aDamagedTableIsNotKept() throws {
    let table = try built()
    var bytes = try contents(table.path)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: table.path))
    let error = #expect(throws: LocatedError.self) { try builder().build { _ in } }
    #expect(error?.kind == .unsuitableData)
  }

  @Test func aBuiltTableIsNotBuiltAgain() throws {
    let table = try built()
    var steps = 0
    let again = try builder().build { _ in steps += 1 }
    #expect(again?.path == table.path && steps == 0)
    let other = TableBuilder(
      try #require(TableShape(locked: CellSet(shape.locked), goal: shape.goal, margin: 2)),
      directory: directory.file("tables"), threads: 1)
    #expect(throws: LocatedError.self) { try other.build { _ in } }
  }

  @Test func aTableInUseIsNotBuiltTwice() throws {
    let first = builder()
    let second = builder()
    _ = try first.build { progress in
      if progress.steps == 5 {
        let error = #expect(throws: LocatedError.self) { try second.build { _ in } }
        #expect(error?.kind == .locked)
      }
    }
  }

  @Test func aTableThatAnotherBuildFinishedIsNotBuiltAgain() throws {
    let table = try built()
    let parts = directory.file("tables/\(shape.name).part")
    // What a build that waited for the lock finds: the table, and no parts but its own.
    try FileManager.default.createDirectory(
      atPath: parts, withIntermediateDirectories: false)
    var steps = 0
    let again = try builder().buildLocked { _ in steps += 1 }
    #expect(again?.path == table.path && steps == 0)
    #expect(!FileManager.default.fileExists(atPath: parts))
  }

  @Test(.enabled(if: Counters.areAvailable)) func memoryIsCheckedBeforeItIsUsed() throws {
    let shape = try #require(TableShape(locked: CellSet("####/####/..../....")!, goal: 8))
    let builder = TableBuilder(shape, directory: directory.file("tables"), threads: 1)
    var error: LocatedError?
    let failed = Counters.of {
      error = #expect(throws: LocatedError.self) {
        try Memory.$assumed.withValue(Memory.reserve) { try builder.build { _ in } }
      }
    }
    #expect(error?.kind == .insufficientMemory)
    let index = Counters.of { _ = FreeCellIndex(shape) }
    #expect(failed.allocations < index.allocations / 2, "\(failed) of \(index)")
  }

  @Test func anIndexTakesTheMemoryThatIsChecked() throws {
    let table = try built()
    let bytes = FreeCellIndex.byteCount(of: shape)
    // The keys of three cells, twice.
    #expect(bytes > 2 * 4 << 12 && bytes < TableBuilder.memory(of: shape, threads: 1))
    let error = #expect(throws: LocatedError.self) {
      try Memory.$assumed.withValue(Memory.reserve + bytes - 1) {
        try EndgameTable(path: table.path)
      }
    }
    #expect(error?.kind == .insufficientMemory)
    _ = try Memory.$assumed.withValue(Memory.reserve + bytes) {
      try EndgameTable(path: table.path)
    }
  }

  @Test func damageIsFound() throws {
    let table = try built()
    let whole = try contents(table.path)
    let layers = 4096..<whole.count
    for place in [0, 9, 30, layers.lowerBound, layers.upperBound - 1] {
      var bytes = whole
      bytes[place] ^= 0x55
      try bytes.write(to: URL(fileURLWithPath: directory.file("damaged.table")))
      let error = #expect(throws: LocatedError.self, "byte \(place)") {
        try EndgameTable(path: directory.file("damaged.table")).verify()
      }
      #expect(error?.kind == .unsuitableData)
    }
    for length in [0, 5, 15, 300, layers.lowerBound, whole.count - 1] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: directory.file("short.table")))
      #expect(throws: LocatedError.self, "\(length) bytes") {
        try EndgameTable(path: directory.file("short.table"))
      }
    }
  }

  private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
