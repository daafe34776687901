import Basics
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
