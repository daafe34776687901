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

  @Test func nothingIsComputedForAPlaceThatIsTaken() throws {
    let builder = builder()
    try FileManager.default.createDirectory(
      atPath: builder.path, withIntermediateDirectories: true)
    var steps = 0
    let error = #expect(throws: LocatedError.self) { try builder.build { _ in steps += 1 } }
    #expect(error?.kind == .cannotCreate && error?.path == builder.path && steps == 0)
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
    // The keys of three cells with three bits each, twice.
    #expect(bytes > 2 * 4 << 9 && bytes < TableBuilder.memory(of: shape, threads: 1))
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

  // Promise: Files from others do no harm
  @Test func everyChangedBitOfTheHeaderIsFound() throws {
    let table = try built()
    let whole = try directory.bytes("tables/\(shape.name).table")
    let end = try 20 + headerLength(whole)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: table.path))
    // Every bit of the shape, which comes last, and one of every other byte.
    for bit in 0..<(8 * end) where bit >= 8 * (end - 120) || bit % 8 == bit / 8 % 8 {
      let byte = whole[bit / 8]
      func write(_ byte: UInt8) throws {
        try file.seek(toOffset: UInt64(bit / 8))
        try file.write(contentsOf: [byte])
      }
      try write(byte ^ 1 << (bit % 8))
      let error = #expect(throws: LocatedError.self, "bit \(bit)") {
        try EndgameTable(path: table.path)
      }
      #expect(error?.kind == .unsuitableData)
      try write(byte)
    }
    try EndgameTable(path: table.path).verify()
  }

  /// A table of version 1 has no checksum of its header, and states where its layers are.
  @Test func oldTablesAreReadUnderTheirName() throws {
    let table = try built()
    let bytes = try bytesOfTable()
    let header = String(decoding: bytes[16..<(16 + (try headerLength(bytes)))], as: UTF8.self)
    func write(_ header: String, as name: String) throws -> String {
      let text = Array(header.utf8)
      var old = EndgameTable.magic + UInt32(1).littleEndianBytes
      old += UInt32(text.count).littleEndianBytes + text
      old += [UInt8](repeating: 0, count: (4096 - old.count % 4096) % 4096)
      try directory.write(old + bytes[4096...], name)
      return directory.file(name)
    }
    try #require(bytes.count > 4096 && bytes[4096...].contains { $0 != 0 })
    let withOffsets = "{\"offsets\":[0]," + header.dropFirst()
    let old = try EndgameTable(path: write(withOffsets, as: "\(shape.name).table"))
    try old.verify()
    #expect(old.shape == shape && old.entryCount == table.entryCount)
    let changes = [
      (withOffsets, "other.table"),
      (header.replacing("\"locked\":\(shape.locked)", with: "\"locked\":\(shape.locked ^ 3)"), nil),
      (header.replacing("fourProbability\":0.1", with: "fourProbability\":0.3"), nil),
    ]
    for (changed, name) in changes {
      try #require(changed != header)
      let error = #expect(throws: LocatedError.self, "\(changed.prefix(30))") {
        try EndgameTable(path: write(changed, as: name ?? "\(shape.name).table"))
      }
      #expect(error?.kind == .unsuitableData)
    }
  }

  @Test func layersFillTheFile() throws {
    let bytes = try bytesOfTable()
    for length in [bytes.count - 8, bytes.count + 8] {
      try directory.write(
        (bytes + [UInt8](repeating: 0, count: 8)).prefix(length), "\(shape.name).table")
      let error = #expect(throws: LocatedError.self) {
        try EndgameTable(path: directory.file("\(shape.name).table"))
      }
      #expect(error?.problem.contains("\(bytes.count) bytes") == true)
    }
  }

  /// A file has at least a bit for each board.
  // Promise: Files from others do no harm
  @Test func anIndexIsSmallBesideItsFile() throws {
    let blocks = TableShape.freeCells.map { CellSet(.max << UInt16($0)) }
    let shapes = TableShape.goals(of: .tile).flatMap { goal in
      blocks.compactMap { TableShape(locked: $0, goal: goal, margin: 0) }
        + TableShape.chainedCells.compactMap {
          TableShape(locked: $0, goal: goal, target: .chain, margin: 0)
        }
    }
    try #require(shapes.count > 60)
    for shape in shapes {
      let file = shape.layerSizes.reduce(4096) {
        $0 + TableLayer(size: $1, entryCount: 0).byteCount
      }
      let index = FreeCellIndex.byteCount(of: shape)
      #expect(index < 16 * file, "\(shape.name): \(index) and \(file) bytes")
    }
  }

  // Promise: Files from others do no harm
  @Test func aDirectoryHasALimitedNumberOfTables() throws {
    let many = try copies(InputLimit.tables.most + 1)
    let error = #expect(throws: LocatedError.self) {
      try EndgameTable.all(in: many, target: .tile)
    }
    #expect(error?.kind == .unsuitableData && error?.path == many)
  }

  /// Each fits into the memory, and all of them do not.
  @Test func theIndicesOfADirectoryAreRequiredTogether() throws {
    let several = try copies(4)
    let error = #expect(throws: LocatedError.self) {
      try Memory.$assumed.withValue(Memory.reserve + 4 * FreeCellIndex.byteCount(of: shape) - 1) {
        try EndgameTable.all(in: several, target: .tile)
      }
    }
    #expect(error?.kind == .insufficientMemory)
  }

  private func bytesOfTable() throws -> [UInt8] {
    _ = try built()
    return try directory.bytes("tables/\(shape.name).table")
  }

  /// Copies the table, and returns the directory of the copies.
  private func copies(_ count: Int) throws -> String {
    let bytes = try bytesOfTable()
    let path = directory.file("copies")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for number in 0..<count { try directory.write(bytes, "copies/\(number).table") }
    return path
  }

  private func headerLength(_ bytes: [UInt8]) throws -> Int {
    Int(UInt32(littleEndianBytes: bytes[12..<16]))
  }

  private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
