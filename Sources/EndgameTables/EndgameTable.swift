import Basics
import Foundation
import Game2048

/// A table in a file that is mapped into memory.
///
/// All numbers are little-endian:
/// ```
/// 8 bytes  "2048TABL"
/// 4 bytes  the version of the format, 2
/// 4 bytes  the length n of the header
/// n bytes  the header as JSON, see ``Header``
/// 4 bytes  the CRC-32C of all bytes before
/// ```
/// Then follow the layers, one after the other, from the next multiple of 4096 to the end of the file.
///
/// In version 1 the checksum of the header is missing. Such a file must have the name of its table, and the usual
/// probability of a 4, which all of them were built for.
public struct EndgameTable: Sendable {
  public let shape: TableShape
  let index: FreeCellIndex
  private let file: MappedFile
  private let layers: [TableLayer]
  private let offsets: [Int]
  private let checksums: [String]

  static let magic = Array("2048TABL".utf8)
  static let version: UInt32 = 2
  /// The extension of the name of a table's file.
  static let fileExtension = "table"

  /// The shape of a table, and what its layers are.
  struct Header: Codable, Sendable {
    var shape: TableShape
    /// The number of probabilities of each layer.
    var entries: [Int]
    /// The checksum of each layer.
    var checksums: [String]
  }

  /// The probability of the goal that the file states for certain.
  public static let certain = Double(TableSolver.certain)

  /// Opens a table.
  ///
  /// The header is checked, and that its layers fill the file; ``verify()`` checks the content.
  ///
  /// - Throws: `LocatedError` if the file cannot be read, or is not a table.
  public init(path: String) throws { try self.init(EndgameTable.opened(path)) }

  /// A file whose header and length are right.
  private struct Opened {
    let file: MappedFile
    let header: Header
    let layers: [TableLayer]
    let offsets: [Int]
  }

  private init(_ opened: Opened) throws {
    let shape = opened.header.shape
    // Its memory does not depend on the length of the file, so that is checked first.
    try Memory.require(
      FreeCellIndex.byteCount(of: shape), for: "the index of the table", path: opened.file.path,
      remedy: "free some memory")
    (self.shape, index) = (shape, FreeCellIndex(shape))
    (file, layers, offsets) = (opened.file, opened.layers, opened.offsets)
    checksums = opened.header.checksums
  }

  private static func opened(_ path: String) throws -> Opened {
    let file = try MappedFile(path: path)
    let (header, start) = try header(of: file)
    let shape = header.shape
    guard [header.entries.count, header.checksums.count].allSatisfy({ $0 == shape.layerCount })
    else { throw damagedHeader(of: path, "it lists other layers than the shape has") }
    var layers: [TableLayer] = []
    var offsets: [Int] = []
    var end = start
    for (size, entries) in zip(shape.layerSizes, header.entries) {
      guard (0...size).contains(entries) else {
        throw damagedHeader(of: path, "a layer has more probabilities than boards")
      }
      layers.append(TableLayer(size: size, entryCount: entries))
      offsets.append(end)
      end += layers.last!.byteCount
    }
    // So the index, whose size follows from the shape, is small beside the file.
    guard end == file.byteCount else {
      throw damagedHeader(
        of: path, "it states \(end) bytes, and the file has \(file.byteCount)")
    }
    return Opened(file: file, header: header, layers: layers, offsets: offsets)
  }

  /// Returns the header of a table's file, with a valid shape, and the first byte after it at which a layer may be.
  private static func header(of file: MappedFile) throws -> (Header, start: Int) {
    let path = file.path
    let bytes = unsafe file.bytes
    let prefix = EndgameTable.magic.count + 8
    guard file.byteCount >= prefix, unsafe bytes.prefix(8).elementsEqual(EndgameTable.magic)
    else { throw EndgameTable.damagedHeader(of: path, "this is not a table") }
    let version = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard (1...EndgameTable.version).contains(version) else {
      throw EndgameTable.damagedHeader(
        of: path,
        "the format version is \(version), and this program reads versions 1 and 2")
    }
    let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    try InputLimit.tableHeader.require(length, path: path, place: "the header")
    let end = prefix + length + (version == 1 ? 0 : checksumBytes)
    guard file.byteCount >= end else {
      throw EndgameTable.damagedHeader(of: path, "the file ends too early")
    }
    if version > 1 {
      let stated = unsafe bytes.loadUnaligned(fromByteOffset: prefix + length, as: UInt32.self)
      guard unsafe stated == crc32C(bytes[..<(prefix + length)]) else {
        throw EndgameTable.damagedHeader(of: path, "its checksum does not match")
      }
    }
    guard
      let header = unsafe try? JSONDecoder().decode(
        Header.self, from: Data(bytes[prefix..<(prefix + length)])),
      header.shape.isValid
    else { throw EndgameTable.damagedHeader(of: path, "its content is invalid") }
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    guard
      version > 1
        || (name == header.shape.name
          && header.shape.fourProbability == Rules.standardFourProbability)
    else {
      throw EndgameTable.damagedHeader(
        of: path, "a table of version 1 must have the name of its shape, \(header.shape.name)")
    }
    return (header, startOfLayers(headerEnd: end))
  }

  /// Returns the bytes before the layers of a table with this header.
  static func prefix(_ header: Header) throws -> [UInt8] {
    let text = Array(try encoder.encode(header))
    var bytes = magic + version.littleEndianBytes + UInt32(text.count).littleEndianBytes + text
    bytes += crc32C(bytes).littleEndianBytes
    return bytes + [UInt8](repeating: 0, count: startOfLayers(headerEnd: bytes.count) - bytes.count)
  }

  /// The encoder of headers, which writes equal values as equal bytes.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  private static let checksumBytes = 4

  /// Returns the first byte of the layers of a file whose header and its checksum end here.
  private static func startOfLayers(headerEnd: Int) -> Int { (headerEnd + 4095) / 4096 * 4096 }

  private static func damagedHeader(of path: String, _ reason: String) -> LocatedError {
    .damaged(path, "the header", reason, remedy: remedy)
  }

  /// Opens all tables of a directory that have a target.
  ///
  /// - Throws: `LocatedError` if there is none, one cannot be read, or their indices do not fit into memory together.
  public static func all(
    in directory: String, target: TableShape.Target
  ) throws -> [EndgameTable] {
    let files = try files(in: directory, target: target)
    try Memory.require(
      indexByteCount(of: files), for: "the indices of the tables", path: directory,
      remedy: "use fewer tables, or free some memory")
    return try files.map { try EndgameTable($0) }
  }

  /// Returns the bytes of memory that the tables of a directory with a target take, besides their files.
  ///
  /// - Throws: `LocatedError` if there is none, or one cannot be read.
  package static func indexByteCount(
    in directory: String, target: TableShape.Target
  ) throws -> Int {
    indexByteCount(of: try files(in: directory, target: target))
  }

  private static func indexByteCount(of files: [Opened]) -> Int {
    files.reduce(0) { $0 + FreeCellIndex.byteCount(of: $1.header.shape) }
  }

  /// Returns the files of a directory whose headers state a target.
  private static func files(
    in directory: String, target: TableShape.Target
  ) throws -> [Opened] {
    let files = try paths(at: directory).map(opened).filter { $0.header.shape.target == target }
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
  ///
  /// - Throws: `LocatedError` if there are too many.
  public static func paths(at path: String) throws -> [String] {
    func isTable(_ name: String) -> Bool { (name as NSString).pathExtension == fileExtension }
    guard PathLookup.isDirectory(path) else { return isTable(path) ? [path] : [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let tables = names.filter(isTable).sorted()
    try InputLimit.tables.require(tables.count, path: path)
    return tables.map { (path as NSString).appendingPathComponent($0) }
  }

  private static let remedy = "remove the file, and build the table again"

  /// The name of the file.
  public var path: String { file.path }
  /// The number of probabilities.
  public var entryCount: Int { layers.reduce(0) { $0 + $1.entryCount } }
  /// The length of the file, in bytes.
  public var byteCount: Int { file.byteCount }

  /// Checks the content of the file against its checksums.
  ///
  /// - Throws: `LocatedError` if a layer is damaged.
  public func verify() throws {
    for (number, layer) in layers.enumerated() {
      var sum = Checksum()
      let start = offsets[number]
      unsafe sum.update(
        UnsafeRawBufferPointer(rebasing: file.bytes[start..<(start + layer.byteCount)]))
      guard sum.finalized() == checksums[number],
        unsafe layer.bitCount(at: file.bytes.baseAddress! + start) == layer.entryCount
      else {
        throw LocatedError.damaged(
          path, "layer \(number)", "its content does not match its checksum",
          remedy: EndgameTable.remedy)
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
