import Basics
import Foundation
import Synchronization

/// Builds a table in a directory, and resumes a build that was interrupted.
///
/// Every layer is written to a separate file in `NAME.part` when it is finished: first the reachable boards,
/// then the probabilities. The table's file is put together from them, appears under its name complete or not at
/// all, and the parts are removed. Parts of another version of the format are computed again.
public final class TableBuilder: Sendable {
  public let shape: TableShape
  /// The path of the table's file.
  public let path: String
  private let parts: String
  /// What the checksum of every part covers beside its content: what the table will state about its shape.
  private let identity: [UInt8]
  private let threads: Int
  /// The version of the format of the parts.
  private static let version: UInt32 = 1
  private let isStopped = Atomic(false)

  /// The progress of a build.
  public struct Progress: Hashable, Sendable {
    /// The layers whose boards or probabilities are computed, of twice the number of layers.
    public let steps: Int
    public let totalSteps: Int
    /// The boards after a move that can be reached, so far.
    public let boards: Int
    /// The probabilities so far.
    public let entries: Int
  }

  /// Prepares a build.
  ///
  /// - Parameters:
  ///   - shape: The locked cells and the goal.
  ///   - directory: The directory of the table, which is created if it does not exist.
  ///   - threads: The number of threads that compute it.
  public init(_ shape: TableShape, directory: String, threads: Int) {
    self.shape = shape
    path = (directory as NSString).appendingPathComponent(
      "\(shape.name).\(EndgameTable.fileExtension)")
    parts = (directory as NSString).appendingPathComponent("\(shape.name).part")
    // Numbers and texts can always be encoded.
    identity = try! TableBuilder.version.littleEndianBytes + EndgameTable.encoder.encode(shape)
    self.threads = threads
  }

  /// Makes ``build(progress:)`` return after the current layer.
  public func requestStop() { isStopped.store(true, ordering: .relaxed) }

  /// Builds the table, unless it exists. Then its content is checked.
  ///
  /// - Parameter progress: Called after every layer.
  /// - Returns: The table; nil if the build was stopped.
  /// - Throws: `LocatedError` if a file cannot be written, if something else has the place of the table, if the table does not fit into memory, or if it exists and is
  ///   damaged or, like a build that was interrupted, has another shape.
  public func build(progress: (Progress) -> Void) throws -> EndgameTable? {
    if PathLookup.isRegularFile(path) {
      let table = try existing()
      // A build that was killed at its end may have left them.
      if FileManager.default.fileExists(atPath: parts), let lock = try? DirectoryLock(run: parts) {
        withExtendedLifetime(lock) { removeParts() }
      }
      return table
    }
    // Before hours of work for a place in which something else is.
    try AtomicFile.destination(path)
    try createDirectory(at: parts)
    let lock: DirectoryLock
    do {
      lock = try DirectoryLock(run: parts)
    } catch  where PathLookup.isRegularFile(path) {
      // Whoever held the lock has finished, and removed the directory.
      return try existing()
    }
    return try withExtendedLifetime(lock) { try buildLocked(progress: progress) }
  }

  /// Builds the table, unless another process did while this one waited for the lock of the parts.
  func buildLocked(progress: (Progress) -> Void) throws -> EndgameTable? {
    if PathLookup.isRegularFile(path) {
      let table = try existing()
      removeParts()
      return table
    }
    try claimParts()
    try Memory.require(
      TableBuilder.memory(of: shape, threads: threads), for: "the layers of the table",
      path: path, remedy: "choose a smaller goal or more locked cells, or free some memory")
    let solver = TableSolver(shape, threads: threads)
    var boards = 0
    guard try explore(solver, &boards, progress) else { return nil }
    guard try value(solver, boards, progress) else { return nil }
    try assemble(solver.index)
    removeParts()
    return try EndgameTable(path: path)
  }

  private func removeParts() { try? FileManager.default.removeItem(atPath: parts) }

  /// Returns the table that exists, after checking its shape and its content.
  private func existing() throws -> EndgameTable {
    let table = try EndgameTable(path: path)
    guard table.shape == shape else {
      throw LocatedError(
        .cannotCreate, path: path, "is a table with another largest sum or probability of a 4",
        remedy: "choose another directory, or remove the file")
    }
    try table.verify()
    return table
  }

  /// The memory that a build takes at most, in bytes.
  static func memory(of shape: TableShape, threads: Int) -> Int {
    let largest = shape.layerSizes.max() ?? 0
    // Backward: four layers of probabilities, and one as bytes; forward: sets of places.
    return max(5 * 2 * largest, (8 + threads) * largest / 8) + FreeCellIndex.byteCount(of: shape)
  }

  // MARK: Forward

  /// Finds the reachable boards of all layers; returns false if the build was stopped.
  private func explore(
    _ solver: TableSolver, _ boards: inout Int, _ progress: (Progress) -> Void
  ) throws -> Bool {
    var previous: LayerBits?
    var beforePrevious: LayerBits?
    for layer in 0..<shape.layerCount {
      if isStopped.load(ordering: .relaxed) { return false }
      let reach: TableSolver.Reach
      if let known = savedReach(layer, of: solver.index) {
        reach = known
      } else {
        reach = solver.reach(layer, after: previous, beforePrevious)
        try save([reach.states, reach.afterstates], as: reachName(layer))
      }
      (beforePrevious, previous) = (previous, reach.afterstates)
      boards += reach.afterstates.population
      progress(
        Progress(
          steps: layer + 1, totalSteps: 2 * shape.layerCount, boards: boards, entries: 0))
    }
    return true
  }

  private func savedReach(_ layer: Int, of index: FreeCellIndex) -> TableSolver.Reach? {
    let states = LayerBits(places: index.layerSizes[layer])
    let afterstates = LayerBits(places: index.layerSizes[layer])
    return load([states, afterstates], from: reachName(layer)) ? (states, afterstates) : nil
  }

  // MARK: Backward

  /// Computes the probabilities of all layers; returns false if the build was stopped.
  private func value(
    _ solver: TableSolver, _ boards: Int, _ progress: (Progress) -> Void
  ) throws -> Bool {
    var next: LayerMemory<UInt16>?
    var afterNext: LayerMemory<UInt16>?
    var entries = 0
    for layer in (0..<shape.layerCount).reversed() {
      if isStopped.load(ordering: .relaxed) { return false }
      guard let reach = savedReach(layer, of: solver.index) else {
        throw changed(reachName(layer))
      }
      let afterstates: LayerMemory<UInt16>
      if let known = savedValues(layer, of: solver.index) {
        afterstates = known
      } else {
        afterstates = solver.afterstateValues(
          layer, of: reach.afterstates, next: next, afterNext)
        let (_, bytes) = TableLayer.packed(afterstates)
        try save([bytes], as: valuesName(layer))
      }
      let states = solver.stateValues(layer, of: reach.states, afterstates: afterstates)
      (afterNext, next) = (next, states)
      entries += afterstates.nonzeroCount
      progress(
        Progress(
          steps: 2 * shape.layerCount - layer, totalSteps: 2 * shape.layerCount, boards: boards,
          entries: entries))
    }
    return true
  }

  private func savedValues(_ layer: Int, of index: FreeCellIndex) -> LayerMemory<UInt16>? {
    guard let (table, bytes) = savedLayer(layer, of: index) else { return nil }
    let values = LayerMemory<UInt16>(count: table.size)
    for number in 0..<table.size {
      if let value = unsafe table.value(number, at: UnsafeRawPointer(bytes.base)) {
        unsafe values.base[number] = value
      }
    }
    return values
  }

  /// Returns the saved probabilities of a layer as they are in the table's file; nil if there are none.
  private func savedLayer(
    _ layer: Int, of index: FreeCellIndex
  ) -> (layer: TableLayer, bytes: LayerMemory<UInt8>)? {
    guard let file = try? InputFile(path: partPath(valuesName(layer))) else { return nil }
    let empty = TableLayer(size: index.layerSizes[layer], entryCount: 0)
    let length = file.byteCount - Checksum.placeholder.utf8.count
    guard length >= empty.byteCount else { return nil }
    let bytes = LayerMemory<UInt8>(count: length)
    guard load([bytes], from: valuesName(layer)) else { return nil }
    let table = TableLayer(
      size: empty.size, entryCount: unsafe empty.bitCount(at: UnsafeRawPointer(bytes.base)))
    return table.byteCount == length ? (table, bytes) : nil
  }

  // MARK: Files

  /// Notes the shape beside the parts. That of a build that was interrupted must be the same.
  private func claimParts() throws {
    let path = partPath("shape.json")
    if let text = try? InputFile.contents(of: path, limit: .text),
      let other = try? JSONDecoder().decode(TableShape.self, from: Data(text)), other != shape
    {
      throw LocatedError(
        .cannotCreate, path: parts,
        "has half a table with the largest sum \(other.largestSum) and the probability \(other.fourProbability) of a 4",
        remedy:
          "to resume its build, give the same --margin; otherwise choose another directory, or remove this one"
      )
    }
    try writeAtomically(EndgameTable.encoder.encode(shape), to: path)
  }

  private func reachName(_ layer: Int) -> String { "reach-\(layer)" }
  private func valuesName(_ layer: Int) -> String { "values-\(layer)" }

  private func partPath(_ name: String) -> String {
    (parts as NSString).appendingPathComponent(name)
  }

  /// Returns the error for a part that was valid and no longer is.
  private func changed(_ name: String) -> LocatedError {
    .damaged(
      partPath(name), nil, "the file has changed while the table is built",
      remedy: "start the build again")
  }

  /// Returns the beginning of the checksum of every part.
  private func partChecksum() -> Checksum {
    var sum = Checksum()
    sum.update(identity)
    return sum
  }

  /// Writes memories to a part, with the checksum behind them.
  private func save<Element>(_ memories: [LayerMemory<Element>], as name: String) throws {
    let file = try AtomicFile(path: partPath(name))
    var sum = partChecksum()
    var offset = 0
    for memory in memories {
      let bytes = unsafe UnsafeRawBufferPointer(memory.bytes)
      unsafe sum.update(bytes)
      unsafe try file.writeSkippingZeros(bytes, at: offset)
      offset += bytes.count
    }
    try file.write(Array(sum.finalized().utf8), at: offset)
    try file.commit()
  }

  /// Reads memories from a part; returns false if it is missing or damaged.
  private func load<Element>(_ memories: [LayerMemory<Element>], from name: String) -> Bool {
    guard let file = try? InputFile(path: partPath(name)) else { return false }
    let length = memories.reduce(0) { unsafe $0 + $1.bytes.count }
    let stated = Checksum.placeholder.utf8.count
    guard file.byteCount == length + stated else { return false }
    var sum = partChecksum()
    var offset = 0
    for memory in memories {
      guard unsafe (try? file.read(into: memory.bytes, at: offset)) != nil else { return false }
      unsafe sum.update(UnsafeRawBufferPointer(memory.bytes))
      offset += unsafe memory.bytes.count
    }
    guard let text = try? file.bytes(at: length, count: stated) else { return false }
    return text.elementsEqual(sum.finalized().utf8)
  }

  /// Writes the table's file from the saved layers.
  private func assemble(_ index: FreeCellIndex) throws {
    var header = EndgameTable.Header(shape: shape, entries: [], checksums: [])
    func layers(_ body: (TableLayer, LayerMemory<UInt8>) throws -> Void) throws {
      for layer in 0..<shape.layerCount {
        guard let (table, bytes) = savedLayer(layer, of: index) else {
          throw changed(valuesName(layer))
        }
        try body(table, bytes)
      }
    }
    try layers { layer, bytes in
      var sum = Checksum()
      unsafe sum.update(UnsafeRawBufferPointer(bytes.bytes))
      header.entries.append(layer.entryCount)
      header.checksums.append(sum.finalized())
    }
    let prefix = try EndgameTable.prefix(header)
    let file = try AtomicFile(path: path)
    try file.write(prefix, at: 0)
    var end = prefix.count
    try layers { layer, bytes in
      unsafe try file.writeSkippingZeros(UnsafeRawBufferPointer(bytes.bytes), at: end)
      end += layer.byteCount
    }
    try file.setLength(end)
    try file.commit()
  }
}
