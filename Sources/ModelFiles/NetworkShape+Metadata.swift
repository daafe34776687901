import Basics
import Game2048
import NTupleNetwork

extension NetworkShape {
  /// Returns the first pattern that is listed twice.
  package static func firstRepeated(in patterns: [Pattern]) -> Pattern? {
    var seen: Set<Pattern> = []
    return patterns.first { !seen.insert($0).inserted }
  }

  /// Returns the metadata that describe the shape.
  package func encoded(format: String, for path: String) throws -> [String: String] {
    if let repeated = NetworkShape.firstRepeated(in: patterns) {
      throw LocatedError(
        .unsuitableData, path: path, place: "pattern \(repeated)", "is listed twice",
        remedy: "list every pattern once")
    }
    var fields = [
      MetadataKey.format: format,
      MetadataKey.formatVersion: "1",
      MetadataKey.boardSize: String(boardSize),
      MetadataKey.patterns: try patterns.map(\.description)
        .metadataText(MetadataKey.patterns, path: path),
    ]
    fields[MetadataKey.downgrading] = downgrading.exponent.map { String($0) }
    if stages.count > 1 {
      fields[MetadataKey.stages] = try StageFields(exponents: stages.exponents)
        .metadataText(MetadataKey.stages, path: path)
    }
    return fields
  }
}

extension PlayableNetwork {
  /// Returns the metadata that describe the network, without its weights.
  package func encoded(format: String, for path: String) throws -> [String: String] {
    var fields = try shape.encoded(format: format, for: path)
    let rows = levelOffsets.rows
    if !rows.isEmpty {
      fields[MetadataKey.levelOffsets] = try rows.metadataText(
        MetadataKey.levelOffsets, path: path)
    }
    return fields
  }
}

extension LevelOffsets {
  /// The largest magnitude of an offset in a file, in points.
  private static let largestMagnitude: Float = 1e8

  /// The offsets by largest tile, each in the order in which a game meets the levels, such as
  /// `{"16384": [0, 13971, …]}`.
  ///
  /// Rows of zeros are left out.
  package var rows: [String: [Float]] {
    var rows: [String: [Float]] = [:]
    for largest in LevelOffsets.largest {
      let row = TileLevel.all(ofLargest: largest).map { self[$0] }
      if row.contains(where: { $0 != 0 }) { rows["\(1 << largest)"] = row }
    }
    return rows
  }

  /// Creates the offsets of these rows, or nil if they are not those of a network that downgrades tiles so.
  package init?(_ rows: [String: [Float]], _ downgrading: Downgrading) {
    self = .none
    for (tile, row) in rows {
      guard
        let largest = LevelOffsets.largest.first(where: { "\(1 << $0)" == tile }),
        largest >= downgrading.exponent ?? .max,
        row.count == TileLevel.all(ofLargest: largest).count,
        row.allSatisfy({ $0.magnitude <= LevelOffsets.largestMagnitude })
      else { return nil }
      for (level, offset) in zip(TileLevel.all(ofLargest: largest), row) { self[level] = offset }
    }
  }
}

/// The stage rule in metadata, such as `{"exponents": [14], "kind": "largestTile"}`.
private struct StageFields: Codable {
  var kind = "largestTile"
  var exponents: [Int]
}

extension MetadataFields {
  /// Returns the shape of the network.
  package func shape() throws -> NetworkShape {
    let boardSize: Int =
      metadata[MetadataKey.boardSize] == nil && !hasChecksums
      ? 4 : try integer(MetadataKey.boardSize)
    guard (2...4).contains(boardSize) else {
      throw damaged(MetadataKey.boardSize, "is \(boardSize), but boards have 2, 3 or 4 rows")
    }
    let texts: [String] = try json(MetadataKey.patterns)
    let patterns = try texts.map { text in
      do {
        return try Pattern(text, boardSize: boardSize)
      } catch let error {
        throw damaged(MetadataKey.patterns, "has '\(text)', which is not a pattern: \(error)")
      }
    }
    guard !patterns.isEmpty else { throw damaged(MetadataKey.patterns, "is empty") }
    if let repeated = NetworkShape.firstRepeated(in: patterns) {
      throw damaged(MetadataKey.patterns, "has \(repeated) twice")
    }
    return NetworkShape(
      patterns: patterns, boardSize: boardSize, stages: try stages(), downgrading: try downgrading()
    )
  }

  private func downgrading() throws -> Downgrading {
    let key = MetadataKey.downgrading
    guard let text = metadata[key] else { return .none }
    if text.hasPrefix("[") { throw removed(key, "is a list with an exponent for each stage") }
    let exponent: Int = try integer(key)
    let range = Downgrading.range
    guard range.contains(exponent) else {
      throw damaged(key, "is \(exponent), not in \(range.lowerBound)...\(range.upperBound)")
    }
    return Downgrading(from: exponent)
  }

  /// Returns the level offsets of a network of this shape.
  package func levelOffsets(_ shape: NetworkShape) throws -> LevelOffsets {
    let key = MetadataKey.levelOffsets
    guard metadata[key] != nil else { return .none }
    guard let offsets = LevelOffsets(try json(key), shape.downgrading) else {
      throw damaged(key, "does not hold the offsets of the levels of this network")
    }
    return offsets
  }

  private func stages() throws -> StageRule {
    guard metadata[MetadataKey.stages] != nil else { return .single }
    let fields: StageFields = try json(MetadataKey.stages)
    if fields.kind == "tileSet" {
      throw removed(MetadataKey.stages, "divides the game by sets of tiles")
    }
    guard fields.kind == "largestTile", let rule = StageRule(checking: fields.exponents) else {
      throw damaged(MetadataKey.stages, "is not a known stage rule")
    }
    return rule
  }

  /// Checks that the tensors of a file are those of the given groups, in any order.
  package func checkTensors(_ file: SafetensorsFile, groups: [String], shape: NetworkShape) throws {
    // Checked first, because a short header can describe a shape with millions of tables.
    try requireTensors(file, count: groups.count * shape.stages.count * shape.patterns.count)
    let tensors = file.header.tensorsByName
    for wanted in SafetensorsHeader(groups: groups, shape: shape).tensors {
      try requireTensor(tensors[wanted.name], wanted.name, wanted.type, shape: wanted.shape)
    }
  }

  func requireTensors(_ file: SafetensorsFile, count: Int) throws {
    guard file.header.tensors.count == count else {
      throw LocatedError.damaged(
        path, "header", "has \(file.header.tensors.count) tensors, not \(count)",
        remedy: "save exactly the tensors of the patterns in the metadata")
    }
  }

  /// Throws unless there is a tensor of this name, type and shape, or of one axis if the shape is nil.
  func requireTensor(
    _ tensor: SafetensorsHeader.Tensor?, _ name: String, _ type: ElementType, shape: [Int]?
  ) throws {
    let place = "tensor '\(name)'"
    guard let tensor else {
      throw LocatedError.damaged(
        path, place, "is missing, although the metadata have its pattern",
        remedy: "save exactly the tensors of the patterns in the metadata")
    }
    guard tensor.type == type, shape.map({ tensor.shape == $0 }) ?? (tensor.shape.count == 1) else {
      let wanted = shape.map { "\($0)" } ?? "[bytes]"
      throw LocatedError.damaged(
        path, place,
        "is \(tensor.type.rawValue) of shape \(tensor.shape), not \(type.rawValue) of shape \(wanted)",
        remedy: "save the tensor with this type and shape")
    }
  }
}
