import Basics
import Foundation
import NTupleNetwork
import Synchronization

/// A network in a small file for play: a ``WeightFile`` with quantised and compressed weights.
///
/// The file is a safetensors file. Instead of one tensor of weights, each table has three tensors of bytes
/// (`U8`), each a frame of the Zstandard format: the positions of the kept entries, the upper bits of their
/// codes, and the other bits. The metadata are those of a weight file, but `format` is
/// `learn2048-compact`, `formatVersion` is 3, and `compact` is the JSON of a ``CompactSummary``. Files of
/// version 1 have streams of the xz format instead.
///
/// ``WeightFile`` reads both formats.
public enum CompactFile {
  static let format = "learn2048-compact"

  /// The supported numbers of bits per code.
  public static let bitCounts = Quantization.bitCounts

  /// Writes a network atomically and durably.
  ///
  /// The same network and arguments produce the same bytes.
  ///
  /// - Parameters:
  ///   - network: The network.
  ///   - metadata: The origin of the weights.
  ///   - bits: The number of bits per code.
  ///   - pruning: The rule that decides which entries to omit; nil to keep all weights.
  ///   - source: The checksum of the file from which the network was read.
  ///   - path: The path of the file.
  /// - Precondition: No other thread changes the network, `bits` is in ``bitCounts``, and `pruning` has a
  ///   read count per weight.
  /// - Throws: `LocatedError`; an existing file is then unchanged.
  /// - Complexity: O(entries), and as much memory as the file. With several stages, one stage of weights
  ///   is kept in memory as well.
  @discardableResult
  public static func write(
    _ network: NTupleNetwork, metadata: ModelMetadata, bits: Int, pruning: Pruning? = nil,
    source: String? = nil, to path: String
  ) throws -> WeightFile.Written {
    precondition(bitCounts.contains(bits), "codes have 2 to 16 bits")
    precondition(
      pruning.map { $0.reads.count == network.weights.count } ?? true, "one read count per weight")
    var fields = try metadata.encoded(for: path)
      .merging(network.encoded(format: format, for: path)) { $1 }
    var header = SafetensorsHeader()
    var checksum = Checksum()
    var summary = CompactSummary(bits: bits, pruning: pruning?.rule, source: source, tables: [])
    var streams: [[UInt8]] = []
    var readings: SharedWeights?
    if network.shape.stages.count > 1 {
      let count = network.shape.stageStorageCount
      try Memory.require(
        count * MemoryLayout<Float>.stride, for: "the weights of one stage", path: path)
      readings = SharedWeights(count: count)
    }
    for table in CompactTable.all(of: network.shape) {
      let encoded = try table.encoded(
        network, bits: bits, pruning: pruning, readings: readings, path: path)
      summary.tables.append(encoded.summary)
      for (name, bytes) in zip(table.tensorNames, encoded.streams) {
        header.append(name, .uint8, shape: [bytes.count])
        checksum.update(bytes)
      }
      streams += encoded.streams
    }
    fields[MetadataKey.formatVersion] = MetadataFields.compactVersion
    fields[MetadataKey.compact] = try summary.metadataText(MetadataKey.compact, path: path)
    fields.setChecksums(tensors: checksum.finalized())
    header.metadata = fields
    try header.requireReadable(path: path, limit: .weightHeader)
    let start = header.encoded()
    guard
      InputLimit.compactEntries.allows(
        network.shape.entryCount, fileBytes: start.count + header.dataByteCount)
    else {
      throw LocatedError(
        .unsuitableData, path: path,
        "would keep too few of its weights to be read as a compact model",
        remedy: "use the safetensors format")
    }
    let file = try AtomicFile(path: path)
    var offset = 0
    for bytes in [start] + streams {
      try file.write(bytes, at: offset)
      offset += bytes.count
    }
    return WeightFile.Written(
      path: try file.commit(), checksum: fields[MetadataKey.checksum]!, byteCount: offset)
  }

  /// Verifies the checksum of a file with validated metadata, and reads its weights.
  ///
  /// - Parameter weights: The destination, all zero; nil to validate only.
  /// - Throws: `LocatedError` about the first table that cannot be read.
  static func readWeights(
    _ file: SafetensorsFile, _ header: WeightFile.Header, _ summary: CompactSummary,
    into weights: SharedWeights?
  ) throws {
    let byteCount = (weights?.count ?? 0) * MemoryLayout<Float>.stride
    try forEachTable(file, header, summary, byteCount) { table, tensors, place in
      let (quantization, fill) = summary.encoding(ofTable: place)
      unsafe try weights.withWeights(in: table.place.range) { entries in
        unsafe try table.decode(
          file, tensors, summary.tables[place], Levels(quantization, fill: fill), into: entries)
      }
    }
  }

  /// Reads the network of a file with validated metadata that can be frozen.
  ///
  /// - Throws: `LocatedError` about the first table that cannot be read, or if it does not fit into memory.
  static func readFrozen(
    _ file: SafetensorsFile, _ header: WeightFile.Header, _ summary: CompactSummary
  ) throws -> FrozenNetwork {
    let byteCount = FrozenNetwork.byteCount(of: header.shape)
    try Memory.require(byteCount, for: "the network's weights", path: file.path)
    let encodings = summary.tables.indices.map { summary.encoding(ofTable: $0) }
    let network = FrozenNetwork(
      header.shape, scales: encodings.map { $0.quantization.scale(fill: $0.fill) },
      levelOffsets: header.levelOffsets)
    try forEachTable(file, header, summary, byteCount) { table, tensors, place in
      let quantization = encodings[place].quantization
      unsafe try network.withEntries(ofPattern: place) { entries in
        unsafe try table.decode(
          file, tensors, summary.tables[place],
          Levels(quantization, network.scales[place]), into: entries)
      }
    }
    return network
  }

  /// Verifies the checksum of a file, and calls `body` for each table, on several threads.
  ///
  /// - Parameter byteCount: The memory that `body` fills in all, which still counts as available.
  private static func forEachTable(
    _ file: SafetensorsFile, _ header: WeightFile.Header, _ summary: CompactSummary,
    _ byteCount: Int,
    _ body:
      @Sendable (CompactTable, _ tensors: [SafetensorsHeader.Tensor], _ place: Int) throws ->
      Void
  ) throws {
    let tables = CompactTable.all(of: header.shape)
    let tensorsByName = file.header.tensorsByName
    let tensors = tables.map { $0.tensorNames.map { tensorsByName[$0]! } }
    try verifyChecksum(of: file, tensors.flatMap(\.self))
    let next = Atomic<Int>(0)
    let failure = Mutex<(place: Int, error: any Error)?>(nil)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let room = (Memory.available() ?? .max) - byteCount
    let threads = min(tables.count, cores, mostThreads, room / bytesPerThread)
    WorkerThreads.run(count: max(1, threads)) { _, _ in
      while failure.withLock({ $0 == nil }) {
        let place = next.add(1, ordering: .relaxed).oldValue
        guard place < tables.count else { return }
        do {
          try body(tables[place], tensors[place], place)
        } catch {
          // Tables are begun in order, so the first one with an error has been begun.
          failure.withLock { if place < $0?.place ?? .max { $0 = (place, error) } }
        }
      }
    }
    if let error = failure.withLock({ $0?.error }) { throw error }
  }

  private static let mostThreads = 8
  /// More than a thread takes, most of it for dictionaries.
  private static let bytesPerThread = 80 << 20

  private static func verifyChecksum(
    of file: SafetensorsFile, _ tensors: [SafetensorsHeader.Tensor]
  ) throws {
    var checksum = Checksum()
    unsafe try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      for range in tensors.map(\.byteRange) {
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: buffer.count) {
          let part = unsafe UnsafeMutableRawBufferPointer(
            rebasing: buffer[..<min(buffer.count, range.upperBound - offset)])
          unsafe try file.read(into: part, at: offset)
          unsafe checksum.update(UnsafeRawBufferPointer(part))
        }
      }
    }
    try file.requireChecksum(checksum.finalized())
  }
}

extension MetadataFields {
  /// Returns the summary of a compact file, validated against the shape and the tensors.
  func compactSummary(_ file: SafetensorsFile, shape: NetworkShape) throws -> CompactSummary {
    let summary: CompactSummary = try json(MetadataKey.compact)
    guard Quantization.bitCounts.contains(summary.bits) else {
      throw damaged(MetadataKey.compact, "has codes of \(summary.bits) bits, not 2 to 16")
    }
    // Checked first, because a short header can describe a shape with millions of tables.
    let count = shape.stages.count * shape.patterns.count
    guard summary.tables.count == count else {
      throw damaged(MetadataKey.compact, "describes \(summary.tables.count) tables, not \(count)")
    }
    try requireTensors(file, count: CompactTable.streams.count * count)
    // A few bytes of a compressed stream can stand for any number of entries.
    try InputLimit.compactEntries.require(
      shape.entryCount, fileBytes: file.byteCount, path: path,
      place: "metadata key '\(MetadataKey.patterns)'")
    let tables = CompactTable.all(of: shape)
    for (table, entry) in zip(tables, summary.tables) {
      guard 0...table.place.pattern.entryCount ~= entry.kept,
        entry.step >= 0,
        [entry.least, entry.least + entry.step * Float(1 << summary.bits), entry.fill]
          .allSatisfy({ $0.magnitude <= TensorGroup.largestMagnitude })
      else {
        throw damaged(MetadataKey.compact, "does not describe the tensor \(table.tensorNames[0])")
      }
    }
    let tensors = file.header.tensorsByName
    for name in tables.flatMap(\.tensorNames) {
      try requireTensor(tensors[name], name, .uint8, shape: nil)
    }
    return summary
  }
}

/// The encoding of the weights in a compact file.
public struct CompactSummary: Codable, Hashable, Sendable {
  /// The encoding of one table.
  public struct Table: Codable, Hashable, Sendable {
    /// The number of kept entries.
    public var kept: Int
    /// The weight of code 0, in points.
    public var least: Float
    /// The distance between adjacent levels, in points.
    public var step: Float
    /// The weight of omitted entries, in points.
    public var fill: Float
  }

  /// The number of bits per code.
  public var bits: Int
  /// The rule that decided which entries were omitted; nil if all that differ from the fill were kept.
  public var pruning: Pruning?
  /// The checksum of the file from which the weights were read; nil if it has none.
  public var source: String?
  /// The tables, in the order of the file.
  public var tables: [Table]

  /// Returns the encoding of a table, and the weight of omitted entries.
  func encoding(ofTable place: Int) -> (quantization: Quantization, fill: Float) {
    let table = tables[place]
    return (Quantization(bits: bits, least: table.least, step: table.step), table.fill)
  }

  /// Whether entries of 16 bits have room for the codes: relative to the fill, a level may be negative.
  func canBeFrozen(_ shape: NetworkShape) -> Bool { shape.stages.count == 1 && bits < 16 }

  /// The number of kept entries in all tables.
  public var keptCount: Int { tables.reduce(0) { $0 + $1.kept } }

  /// The rule for the error that is accepted for a weight, given how often it is read.
  ///
  /// If a weight is read `reads` times in `games` greedy games, an error `d` of the weight adds
  /// `√((reads + ½) / games) · |d|` to the error of the values in a game. An entry is omitted if this is
  /// less than the tolerance, where `d` is the distance from ``Table/fill`` or, in later stages, from the
  /// weight that is read in its place. Otherwise its code is rounded to a multiple of the largest power of
  /// two whose steps stay within the tolerance.
  ///
  /// The ½ accounts for reads that the games happened not to have. Without it, every entry that was never
  /// read would be omitted, even one with a large weight, which costs far more than it saves.
  public struct Pruning: Codable, Hashable, Sendable {
    /// The error that an entry may add to the values in a game, in points.
    public var tolerance: Double
    /// The number of games in which reads were counted.
    public var games: Int
    /// The seed of the spawns of these games.
    public var seed: UInt64

    /// Creates a rule.
    public init(tolerance: Double, games: Int, seed: UInt64) {
      self.tolerance = tolerance
      self.games = games
      self.seed = seed
    }

    /// Returns the accepted error of a weight, in points.
    func acceptedError(reads: Float) -> Double {
      tolerance / ((Double(reads) + 0.5) / Double(games)).squareRoot()
    }
  }
}

/// The read counts of a network, and the rule for the error that they allow.
public struct Pruning: Sendable {
  /// The number of reads of each weight, in memory order.
  public let reads: SharedWeights
  /// The rule that decides which entries are omitted.
  public let rule: CompactSummary.Pruning

  /// Creates a pruning rule with its read counts.
  public init(reads: SharedWeights, rule: CompactSummary.Pruning) {
    self.reads = reads
    self.rule = rule
  }
}
