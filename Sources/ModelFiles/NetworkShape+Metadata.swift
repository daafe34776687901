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
      // Version 2 keeps programs out that promote weights without a look at the rule.
      MetadataKey.formatVersion: stages.promotion == .copy ? "1" : "2",
      MetadataKey.boardSize: String(boardSize),
      MetadataKey.patterns: try patterns.map(\.description)
        .metadataText(MetadataKey.patterns, path: path),
    ]
    let exponents = downgradeTiles.map { $0 == 0 ? 0 : $0.trailingZeroBitCount }
    if !exponents.isEmpty {
      fields[MetadataKey.downgrading] =
        exponents.count == 1
        ? String(exponents[0])
        : try exponents.metadataText(MetadataKey.downgrading, path: path)
    }
    if stages.count > 1 {
      fields[MetadataKey.stages] = try StageFields(
        kind: stages.kind.rawValue, exponents: stages.exponents,
        promotion: stages.promotion == .copy ? nil : stages.promotion.rawValue
      ).metadataText(MetadataKey.stages, path: path)
    }
    return fields
  }
}

/// The stage rule in metadata, such as `{"exponents": [14], "kind": "largestTile"}`.
private struct StageFields: Codable {
  var kind: String
  var exponents: [Int]
  /// The promotion, unless it is `copy`.
  var promotion: String?
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
    let stages = try stages()
    return NetworkShape(
      patterns: patterns, boardSize: boardSize, stages: stages,
      downgrading: try downgrading(stageCount: stages.count))
  }

  private func downgrading(stageCount: Int) throws -> Downgrading {
    guard let text = metadata[MetadataKey.downgrading] else { return .none }
    func checked(_ exponent: Int) throws -> Int {
      let range = Downgrading.range
      guard range.contains(exponent) else {
        throw damaged(
          MetadataKey.downgrading,
          "is \(exponent), not in \(range.lowerBound)...\(range.upperBound)")
      }
      return exponent
    }
    guard text.hasPrefix("[") else {
      return Downgrading(from: try checked(try integer(MetadataKey.downgrading)))
    }
    let exponents: [Int] = try json(MetadataKey.downgrading)
    guard exponents.count == stageCount else {
      throw damaged(
        MetadataKey.downgrading, "has \(exponents.count) exponents for \(stageCount) stages")
    }
    return Downgrading(perStage: try exponents.map { $0 == 0 ? nil : try checked($0) })
  }

  private func stages() throws -> StageRule {
    guard metadata[MetadataKey.stages] != nil else { return .single }
    let fields: StageFields = try json(MetadataKey.stages)
    guard let kind = StageRule.Kind(rawValue: fields.kind),
      let promotion = StageRule.Promotion(rawValue: fields.promotion ?? "copy"),
      let rule = StageRule(kind, checking: fields.exponents, promotion: promotion)
    else {
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
