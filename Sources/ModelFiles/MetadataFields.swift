import Basics
import Foundation

/// The metadata of a file, with accessors that validate every value.
package struct MetadataFields {
  package let path: String
  package let metadata: [String: String]

  package init(path: String, metadata: [String: String]) {
    self.path = path
    self.metadata = metadata
  }
}

extension MetadataFields {
  /// Validates the format, version and checksum of the metadata.
  ///
  /// Weight files of other programs may leave out both checksums, and then also the version.
  ///
  /// - Throws: `LocatedError` if one of them is invalid.
  package init(_ file: SafetensorsFile, format: String, remedy: String) throws {
    path = file.path
    metadata = file.header.metadata
    let actual = try text(MetadataKey.format)
    guard actual == format else {
      throw damaged(MetadataKey.format, "is '\(actual)', not '\(format)'", remedy: remedy)
    }
    if format == WeightFile.format, !hasChecksums,
      metadata[MetadataKey.metadataChecksum] == nil
    {
      guard metadata[MetadataKey.formatVersion] ?? "1" == "1" else { throw unknownVersion }
      return
    }
    let version = try text(MetadataKey.formatVersion)
    guard version != "2" else {
      throw removed(MetadataKey.formatVersion, "is 2, for stages without copied weights")
    }
    guard
      version == "1" || format == CompactFile.format && version == MetadataFields.compactVersion
    else { throw unknownVersion }
    let stated = try text(MetadataKey.metadataChecksum)
    let actualSum = Checksum.of(metadata, excluding: MetadataKey.metadataChecksum)
    guard stated == actualSum else {
      throw damaged(
        MetadataKey.metadataChecksum, "is \(stated), but the metadata have \(actualSum)",
        remedy:
          "if you changed the metadata, leave both checksums out; otherwise the file is damaged: use "
          + "another checkpoint, or copy it again")
    }
    _ = try text(MetadataKey.checksum)
  }

  /// Whether the file states a checksum of its tensors.
  package var hasChecksums: Bool { metadata[MetadataKey.checksum] != nil }

  private var unknownVersion: LocatedError {
    damaged(
      MetadataKey.formatVersion,
      "is '\(metadata[MetadataKey.formatVersion] ?? "")', which this program does not know",
      remedy: "use a newer learn2048")
  }

  /// The format version of compact files; that of other files is 1.
  static let compactVersion = "3"

  /// Returns the error for an invalid value.
  package func damaged(_ key: String, _ problem: String, remedy: String? = nil) -> LocatedError {
    .damaged(path, "metadata key '\(key)'", problem, remedy: remedy)
  }

  /// Returns the error for a value that only earlier versions could read.
  func removed(_ key: String, _ problem: String) -> LocatedError {
    damaged(key, "\(problem), which has been removed", remedy: Version.remedyForRemoved)
  }

  /// Returns the value of a key that must be present.
  package func text(_ key: String) throws -> String {
    guard let text = metadata[key] else {
      throw damaged(
        key, "is missing, so learn2048 did not write this file",
        remedy:
          "name a file that learn2048 wrote, or give a weight file at least the metadata 'format' "
          + "(\(WeightFile.format)) and 'patterns'")
    }
    return text
  }

  /// Returns the value of a key as an integer.
  package func integer<Integer: FixedWidthInteger>(_ key: String) throws -> Integer {
    let text = try text(key)
    guard let value = Integer(text) else { throw damaged(key, "is not an integer: '\(text)'") }
    return value
  }

  /// Returns the value of a key as a count.
  package func count(_ key: String) throws -> Int {
    let value: Int = try integer(key)
    guard InputLimit.count.allows(value) else {
      throw damaged(key, "is not in 0...\(InputLimit.count.most): \(value)")
    }
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
    let bytes = Array(try text(key).utf8)
    do {
      // Rejects documents with too many values, for which the decoder would take long.
      _ = try JSONParser.parse(bytes)
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch let error as JSONSyntaxError {
      throw damaged(key, "is not valid JSON: it \(error.problem)")
    } catch is DecodingError {
      throw damaged(key, "is not valid JSON for this key")
    }
  }
}

extension Encodable {
  /// Returns the value as JSON with sorted keys, for a metadata key.
  ///
  /// - Throws: `LocatedError` if the value has a number that is not finite.
  package func metadataText(_ key: String, path: String) throws -> String {
    do {
      return try JSONEncoder.text(self)
    } catch {
      throw LocatedError(
        .unsuitableData, path: path, place: "metadata key '\(key)'", "cannot be written as JSON",
        remedy: "check that all its numbers are finite")
    }
  }
}

/// The metadata keys of weight and state files.
package enum MetadataKey {
  package static let format = "format"
  package static let formatVersion = "formatVersion"
  package static let patterns = "patterns"
  package static let boardSize = "boardSize"
  /// The stage rule; present only for networks with several stages.
  package static let stages = "stages"
  /// The smallest exponent that is downgraded; present only for networks that downgrade tiles.
  package static let downgrading = "downgrading"
  /// The level offsets; present only for networks that have them.
  package static let levelOffsets = "levelOffsets"
  /// The checksum of all tensor bytes, in the order of the file.
  package static let checksum = "checksum"
  /// The checksum of all other metadata, see `Checksum.of(_:excluding:)`.
  package static let metadataChecksum = "metadataChecksum"

  // Keys of weight files.
  package static let config = "config"
  /// The probability of a 4; present only if it is not the standard one.
  package static let fourProbability = "fourProbability"
  package static let history = "history"
  package static let episodes = "episodes"
  package static let moves = "moves"
  package static let seed = "seed"
  package static let version = "version"
  /// The episodes over which weights are an average; present only for those of a running average.
  package static let averagedEpisodes = "averagedEpisodes"

  // Keys of compact files.
  package static let compact = "compact"

  // Keys of state files, which also have `episodes`.
  package static let runState = "runState"
  package static let accumulators = "accumulators"
  package static let weightsFile = "weightsFile"
  package static let weightsChecksum = "weightsChecksum"
}

extension [String: String] {
  /// Sets the checksum of the tensors, and then that of all other metadata.
  package mutating func setChecksums(tensors: String) {
    self[MetadataKey.checksum] = tensors
    self[MetadataKey.metadataChecksum] = Checksum.of(self, excluding: MetadataKey.metadataChecksum)
  }
}
