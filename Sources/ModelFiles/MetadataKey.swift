/// The metadata keys of weight and state files.
package enum MetadataKey {
  package static let format = "format"
  package static let formatVersion = "formatVersion"
  package static let patterns = "patterns"
  package static let boardSize = "boardSize"
  /// Only of networks with more stages than one.
  package static let stages = "stages"
  /// Only of networks that read large tiles as smaller ones: the exponent from which on.
  package static let downgrading = "downgrading"
  /// Over the bytes of all tensors, in the order of the file.
  package static let checksum = "checksum"
  /// Over all other metadata, see ``Checksum/of(_:excluding:)``.
  package static let metadataChecksum = "metadataChecksum"

  // Of weight files.
  package static let config = "config"
  package static let history = "history"
  package static let episodes = "episodes"
  package static let moves = "moves"
  package static let seed = "seed"
  package static let version = "version"

  // Of compact files.
  package static let compact = "compact"

  // Of state files, which also have `episodes`.
  package static let runState = "runState"
  package static let accumulators = "accumulators"
  package static let weightsFile = "weightsFile"
  package static let weightsChecksum = "weightsChecksum"
}
