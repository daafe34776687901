import Basics
import NTupleNetwork

extension NetworkShape {
  /// Returns the first pattern that is listed twice.
  package static func firstRepeated(in patterns: [Pattern]) -> Pattern? {
    var seen: Set<Pattern> = []
    return patterns.first { !seen.insert($0).inserted }
  }

  /// Reads the metadata that describe a shape.
  ///
  /// - Parameter source: Where they come from, for messages.
  /// - Throws: `LocatedError` if a value is invalid.
  package init(fields: [String: String], path source: String) throws {
    self = try MetadataFields(path: source, metadata: fields).shape()
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

/// The stage rule in metadata, such as `{"exponents": [14], "kind": "largestTile"}`.
private struct StageFields: Codable {
  var kind = "largestTile"
  var exponents: [Int]
}

extension MetadataFields {
  /// Returns the shape of the network.
  package func shape() throws -> NetworkShape {
    let boardSize: Int = try integer(MetadataKey.boardSize)
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

  /// Checks that the tensors of a file are those of the given groups, in this order.
  package func checkTensors(_ file: SafetensorsFile, groups: [String], shape: NetworkShape) throws {
    // Checked first, because a short header can describe a shape with millions of tables.
    let count = groups.count * shape.stages.count * shape.patterns.count
    guard file.header.tensors.count == count else {
      throw LocatedError.damaged(
        path, "header", "has \(file.header.tensors.count) tensors, not \(count)")
    }
    let expected = SafetensorsHeader(groups: groups, shape: shape).tensors
    for (tensor, wanted) in zip(file.header.tensors, expected) where tensor != wanted {
      guard tensor.name == wanted.name else {
        throw LocatedError.damaged(
          path, "tensor '\(tensor.name)'", "is in the place of '\(wanted.name)'")
      }
      throw LocatedError.damaged(
        path, "tensor '\(tensor.name)'",
        "is \(tensor.type.rawValue) of shape \(tensor.shape), "
          + "not \(wanted.type.rawValue) of shape \(wanted.shape)")
    }
  }
}
