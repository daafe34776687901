import Basics
import Foundation
import NTupleNetwork

/// The metadata of a file, with accessors that validate every value.
package struct MetadataFields {
  package let path: String
  package let metadata: [String: String]

  /// Validates the format, version and checksum of the metadata.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - format: The expected format.
  ///   - remedy: The remedy in the error message for a file of another format.
  /// - Throws: `LocatedError` if one of them is invalid.
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
        MetadataKey.formatVersion, "is '\(version)', but this program reads version 1",
        remedy: "use a newer learn2048")
    }
    let stated = try text(MetadataKey.metadataChecksum)
    let actualSum = Checksum.of(metadata, excluding: MetadataKey.metadataChecksum)
    guard stated == actualSum else {
      throw damaged(
        MetadataKey.metadataChecksum, "is \(stated), but the metadata have \(actualSum)")
    }
    _ = try text(MetadataKey.checksum)
  }

  /// Returns the error for an invalid value.
  package func damaged(_ key: String, _ problem: String, remedy: String? = nil) -> LocatedError {
    let place = "metadata key '\(key)'"
    guard let remedy else { return .damaged(path, place, problem) }
    return .damaged(path, place, problem, remedy: remedy)
  }

  /// Returns the value of a key that must be present.
  package func text(_ key: String) throws -> String {
    guard let text = metadata[key] else {
      throw damaged(
        key, "is missing, so learn2048 did not write this file",
        remedy: "name a file that learn2048 wrote")
    }
    return text
  }

  /// Returns the value of a key as an integer.
  package func integer<Integer: FixedWidthInteger>(_ key: String) throws -> Integer {
    let text = try text(key)
    guard let value = Integer(text) else { throw damaged(key, "is not an integer: '\(text)'") }
    return value
  }

  /// Returns the value of a key as an integer that is not negative.
  package func count(_ key: String) throws -> Int {
    let value: Int = try integer(key)
    guard value >= 0 else { throw damaged(key, "is negative: \(value)") }
    return value
  }

  /// Returns the value of a key as a number in 0...1, or nil if the key is missing.
  package func probability(_ key: String) throws -> Double? {
    guard let text = metadata[key] else { return nil }
    guard let value = Double(text), (0...1).contains(value) else {
      throw damaged(key, "is not a probability: '\(text)'")
    }
    return value
  }

  /// Returns the value of a key, decoded from JSON.
  package func json<Value: Decodable>(_ key: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(try text(key).utf8))
    } catch is DecodingError {
      throw damaged(key, "is not valid JSON for this key")
    }
  }

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
    guard metadata[MetadataKey.downgrading] != nil else { return .none }
    let exponent: Int = try integer(MetadataKey.downgrading)
    let range = Downgrading.range
    guard range.contains(exponent) else {
      throw damaged(
        MetadataKey.downgrading,
        "is \(exponent), not in \(range.lowerBound)...\(range.upperBound)")
    }
    return Downgrading(from: exponent)
  }

  private func stages() throws -> StageRule {
    guard metadata[MetadataKey.stages] != nil else { return .single }
    let fields: StageFields = try json(MetadataKey.stages)
    guard let rule = fields.rule else {
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
    let expected = SafetensorsHeader(metadata: [:], groups: groups, shape: shape).tensors
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
