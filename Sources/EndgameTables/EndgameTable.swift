import Basics
import Foundation
import Game2048

/// A table in a file that is mapped into memory.
///
/// All numbers are little-endian:
/// ```
/// 8 bytes  "2048TABL"
/// 4 bytes  the version of the format, 1
/// 4 bytes  the length n of the header
/// n bytes  the header as JSON, see ``Header``
/// ```
/// Then follow the layers, each at the byte that the header states.
public struct EndgameTable: Sendable {
  public let shape: TableShape
  let index: FreeCellIndex
  private let file: MappedFile
  private let layers: [TableLayer]
  private let offsets: [Int]
  private let checksums: [String]

  static let magic = Array("2048TABL".utf8)
  static let version: UInt32 = 1
  /// The extension of the name of a table's file.
  static let fileExtension = "table"

  /// The shape of a table, and where its layers are.
  struct Header: Codable, Sendable {
    var shape: TableShape
    /// The number of probabilities of each layer.
    var entries: [Int]
    /// The first byte of each layer, counted from the end of the header rounded up to a multiple of 4096.
    var offsets: [Int]
    /// The checksum of each layer.
    var checksums: [String]
  }

  /// The probability of the goal that the file states for certain.
  public static let certain = Double(TableSolver.certain)

  /// Opens a table.
  ///
  /// The header is checked, and that the file is as long as it states; ``verify()`` checks the content.
  ///
  /// - Throws: `LocatedError` if the file cannot be read, or is not a table.
  public init(path: String) throws { try self.init(MappedFile(path: path)) }

  private init(_ file: MappedFile) throws {
    self.file = file
    let path = file.path
    let (header, start) = try EndgameTable.header(of: file)
    let shape = header.shape
    guard
      [header.entries.count, header.offsets.count, header.checksums.count]
        .allSatisfy({ $0 == shape.layerCount })
    else { throw EndgameTable.damagedHeader(of: path, "it lists other layers than the shape has") }
    let layers = zip(shape.layerSizes, header.entries).map {
      TableLayer(size: $0, entryCount: max(0, min($0, $1)))
    }
    let most = file.byteCount
    let offsets = header.offsets.map { $0 < 0 || $0 > most ? most : start + $0 }
    for (layer, offset) in zip(layers, offsets)
    where offset % 8 != 0 || offset + layer.byteCount > most {
      throw EndgameTable.damagedHeader(of: path, "a layer ends after the end of the file")
    }
    // Its memory does not depend on the length of the file, so that is checked first.
    try Memory.require(
      FreeCellIndex.byteCount(of: shape), for: "the index of the table", path: path,
      remedy: "free some memory")
    (self.shape, index) = (shape, FreeCellIndex(shape))
    (self.layers, self.offsets, checksums) = (layers, offsets, header.checksums)
  }

  /// Returns the header of a table's file, with a valid shape, and the first byte after it at which a layer may be.
  private static func header(of file: MappedFile) throws -> (Header, start: Int) {
    let path = file.path
    let bytes = unsafe file.bytes
    let prefix = EndgameTable.magic.count + 8
    guard file.byteCount >= prefix, unsafe bytes.prefix(8).elementsEqual(EndgameTable.magic)
    else { throw EndgameTable.damagedHeader(of: path, "this is not a table") }
    let version = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard version == EndgameTable.version else {
      throw EndgameTable.damagedHeader(
        of: path, "the format version is \(version), and this program reads version 1")
    }
    let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    try InputLimit.tableHeader.require(length, path: path, place: "the header")
    guard file.byteCount >= prefix + length,
      let header = unsafe try? JSONDecoder().decode(
        Header.self, from: Data(bytes[prefix..<(prefix + length)])),
      header.shape.isValid
    else { throw EndgameTable.damagedHeader(of: path, "its content is invalid") }
    return (header, EndgameTable.startOfLayers(headerLength: length))
  }

  private static func damagedHeader(of path: String, _ reason: String) -> LocatedError {
    .damaged(path, "the header", reason, remedy: remedy)
  }

  /// Opens all tables of a directory that have a target.
  ///
  /// - Throws: `LocatedError` if there is none, one cannot be read, or its index does not fit into memory.
  public static func all(
    in directory: String, target: TableShape.Target
  ) throws -> [EndgameTable] {
    try files(in: directory, target: target).map { try EndgameTable($0.file) }
  }

  /// Returns the bytes of memory that the tables of a directory with a target take, besides their files.
  ///
  /// - Throws: `LocatedError` if there is none, or one cannot be read.
  package static func indexByteCount(
    in directory: String, target: TableShape.Target
  ) throws -> Int {
    try files(in: directory, target: target).reduce(0) {
      $0 + FreeCellIndex.byteCount(of: $1.shape)
    }
  }

  /// Returns the files of a directory whose headers state a target.
  private static func files(
    in directory: String, target: TableShape.Target
  ) throws -> [(file: MappedFile, shape: TableShape)] {
    let files = try paths(at: directory).map { path in
      let file = try MappedFile(path: path)
      return (file: file, shape: try header(of: file).0.shape)
    }.filter { $0.shape.target == target }
    guard !files.isEmpty else {
      // Without cells, 'tables build' builds tables of chains.
      let (kind, arguments) =
        target == .tile
        ? ("endgame tables", " DIRECTORY LOCKED GOAL") : ("tables of chains", " DIRECTORY")
      throw LocatedError(
        .missingInput, path: directory, "has no \(kind)",
        remedy: "build some with 'learn2048 tables build\(arguments)', or check the path")
    }
    return files
  }

  /// Returns the paths of the tables at a path: that of a table, or of a directory with tables.
  public static func paths(at path: String) -> [String] {
    func isTable(_ name: String) -> Bool { (name as NSString).pathExtension == fileExtension }
    guard PathLookup.isDirectory(path) else { return isTable(path) ? [path] : [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter(isTable).sorted().map { (path as NSString).appendingPathComponent($0) }
  }

  private static let remedy = "remove the file, and build the table again"

  /// The name of the file.
  public var path: String { file.path }
  /// The number of probabilities.
  public var entryCount: Int { layers.reduce(0) { $0 + $1.entryCount } }
  /// The length of the file, in bytes.
  public var byteCount: Int { file.byteCount }

  /// Returns the offset of the first layer in a file.
  static func startOfLayers(headerLength: Int) -> Int {
    (magic.count + 8 + headerLength + 4095) / 4096 * 4096
  }

  /// Checks the content of the file against its checksums.
  ///
  /// - Throws: `LocatedError` if a layer is damaged.
  public func verify() throws {
    for (number, layer) in layers.enumerated() {
      var sum = Checksum()
      let start = offsets[number]
      unsafe sum.update(
        UnsafeRawBufferPointer(rebasing: file.bytes[start..<(start + layer.byteCount)]))
      guard sum.finalized() == checksums[number] else {
        throw LocatedError.damaged(
          path, "layer \(number)", "its checksum does not match", remedy: EndgameTable.remedy)
      }
    }
  }

  /// Returns the probability of the goal after a move, before the spawn; nil if the table does not know the board.
  ///
  /// - Parameter planes: The planes of a board with large tiles on exactly the locked cells of the shape.
  @inline(__always)
  func value(ofPlanes planes: UInt64) -> UInt16? {
    index.place(of: planes).flatMap(value(at:))
  }

  /// Returns the probability of a chain after a move, before the spawn: 1 for a finished chain, and 0 if the table does
  /// not know the board.
  func chainProbability(ofPlanes planes: UInt64) -> Double {
    guard let place = index.place(of: planes) else { return 0 }
    if index.hasChain(planes) { return 1 }
    return Double(value(at: place) ?? 0) / EndgameTable.certain
  }

  @inline(__always)
  private func value(at place: FreeCellIndex.Place) -> UInt16? {
    unsafe layers[place.layer].value(
      place.number, at: file.bytes.baseAddress! + offsets[place.layer])
  }
}
