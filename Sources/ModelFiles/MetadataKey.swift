import Basics

/// The metadata keys of weight and state files.
package enum MetadataKey {
  package static let format = "format"
  package static let formatVersion = "formatVersion"
  package static let patterns = "patterns"
  package static let boardSize = "boardSize"
  /// The stage rule; present only for networks with several stages.
  package static let stages = "stages"
  /// The smallest exponent that is downgraded, or a list with one exponent per stage and 0 for none;
  /// present only for networks that downgrade tiles.
  package static let downgrading = "downgrading"
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
