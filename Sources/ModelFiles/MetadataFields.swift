import Basics
import Foundation
import NTupleNetwork

/// The metadata of a file, read with an error message for everything that can be wrong with it.
package struct MetadataFields {
  package let path: String
  package let metadata: [String: String]

  /// Checks format, version and checksum of the metadata.
  ///
  /// - Throws: ``LocatedError``.
  package init(_ file: SafetensorsFile, format: String, remedy: String) throws {
    path = file.path
    metadata = file.header.metadata
    let actual = try text(MetadataKey.format)
    guard actual == format else {
      throw damaged(MetadataKey.format, "is '\(actual)', not '\(format)'", remedy: remedy)
    }
    let version = try text(MetadataKey.formatVersion)
    guard version == "1" else {
      throw damaged(
        MetadataKey.formatVersion, "is '\(version)', and this program reads version 1",
        remedy: "use a newer learn2048")
    }
    let stated = try text(MetadataKey.metadataChecksum)
    let actualSum = Checksum.of(metadata, excluding: MetadataKey.metadataChecksum)
    guard stated == actualSum else {
      throw damaged(
        MetadataKey.metadataChecksum, "states \(stated), but the metadata sum to \(actualSum)")
    }
    _ = try text(MetadataKey.checksum)
  }

  package func damaged(_ key: String, _ problem: String, remedy: String? = nil) -> LocatedError {
    let place = "metadata key '\(key)'"
    guard let remedy else { return .damaged(path, place, problem) }
    return .damaged(path, place, problem, remedy: remedy)
  }

  package func text(_ key: String) throws -> String {
    guard let text = metadata[key] else {
      throw damaged(
        key, "is missing, so learn2048 did not write this file",
        remedy: "name a file that learn2048 wrote")
    }
    return text
  }

  package func integer<Integer: FixedWidthInteger>(_ key: String) throws -> Integer {
    let text = try text(key)
    guard let value = Integer(text) else { throw damaged(key, "is not an integer: '\(text)'") }
    return value
  }

  /// A whole number that is not negative.
  package func count(_ key: String) throws -> Int {
    let value: Int = try integer(key)
    guard value >= 0 else { throw damaged(key, "is negative: \(value)") }
    return value
  }

  /// A number in 0...1; nil if the file does not have the key.
  package func probability(_ key: String) throws -> Double? {
    guard let text = metadata[key] else { return nil }
    guard let value = Double(text), (0...1).contains(value) else {
      throw damaged(key, "is not a probability: '\(text)'")
    }
    return value
  }

  package func json<Value: Decodable>(_ key: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(try text(key).utf8))
    } catch is DecodingError {
      throw damaged(key, "is not the JSON that belongs there")
    }
  }

  /// The shape of the network that the file belongs to.
  package func shape() throws -> NetworkShape {
    let boardSize: Int = try integer(MetadataKey.boardSize)
    guard (2...4).contains(boardSize) else {
      throw damaged(MetadataKey.boardSize, "is \(boardSize), and boards are 2, 3 or 4 cells wide")
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
    guard metadata[MetadataKey.downgrading] != nil else { return .none }
    let exponent: Int = try integer(MetadataKey.downgrading)
    let range = Downgrading.range
    guard range.contains(exponent) else {
      throw damaged(
        MetadataKey.downgrading,
        "is \(exponent), and not in \(range.lowerBound)...\(range.upperBound)")
    }
    return Downgrading(from: exponent)
  }

  private func stages() throws -> StageRule {
    guard metadata[MetadataKey.stages] != nil else { return .single }
    let fields: StageFields = try json(MetadataKey.stages)
    guard let rule = fields.rule else {
      throw damaged(MetadataKey.stages, "names no stages that this program knows")
    }
    return rule
  }

  /// Checks that the file holds these groups for every pattern, in this order, and nothing else.
  package func checkTensors(_ file: SafetensorsFile, groups: [String], shape: NetworkShape) throws {
    // First of all, because a short header may state a shape of millions of tables.
    let count = groups.count * shape.stages.count * shape.patterns.count
    guard file.header.tensors.count == count else {
      throw LocatedError.damaged(
        path, "header", "has \(file.header.tensors.count) tensors, not \(count)")
    }
    let expected = SafetensorsHeader(metadata: [:], groups: groups, shape: shape).tensors
    for (tensor, wanted) in zip(file.header.tensors, expected) where tensor != wanted {
      guard tensor.name == wanted.name else {
        throw LocatedError.damaged(
          path, "tensor '\(tensor.name)'", "stands where '\(wanted.name)' should")
      }
      throw LocatedError.damaged(
        path, "tensor '\(tensor.name)'",
        "is \(tensor.type.rawValue) of shape \(tensor.shape), "
          + "not \(wanted.type.rawValue) of shape \(wanted.shape)")
    }
  }
}

extension NetworkShape {
  package static func firstRepeated(in patterns: [Pattern]) -> Pattern? {
    var seen: Set<Pattern> = []
    return patterns.first { !seen.insert($0).inserted }
  }

  /// What a file says about the shape.
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
      MetadataKey.patterns: try HeaderJSON.encode(
        patterns.map(\.description), MetadataKey.patterns, path: path),
    ]
    if let exponent = downgrading.exponent {
      fields[MetadataKey.downgrading] = String(exponent)
    }
    if stages.count > 1 {
      fields[MetadataKey.stages] = try HeaderJSON.encode(
        StageFields(stages), MetadataKey.stages, path: path)
    }
    return fields
  }
}

/// How a file describes the stages of a network: `{"exponents": [14], "kind": "largestTile"}`.
private struct StageFields: Codable {
  var kind: String
  var exponents: [Int]

  init(_ rule: StageRule) {
    kind = rule.kind.rawValue
    exponents = rule.exponents
  }

  /// The rule; nil unless it is one with more stages than one.
  var rule: StageRule? {
    StageRule.Kind(rawValue: kind).flatMap { StageRule($0, checking: exponents) }
  }
}

/// JSON within metadata.
package enum HeaderJSON {
  package static func encode(_ value: some Encodable, _ key: String, path: String) throws -> String
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw LocatedError(
        .unsuitableData, path: path, place: "metadata key '\(key)'", "cannot be written as JSON",
        remedy: "every number in it must be finite")
    }
  }
}
