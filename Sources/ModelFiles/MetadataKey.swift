/// The metadata keys of weight and state files.
enum MetadataKey {
  static let format = "format"
  static let formatVersion = "formatVersion"
  static let patterns = "patterns"
  static let boardSize = "boardSize"
  /// Only of networks with more stages than one.
  static let stages = "stages"
  /// Only of networks that read large tiles as smaller ones: the exponent from which on.
  static let downgrading = "downgrading"
  /// Over the bytes of all tensors, in the order of the file.
  static let checksum = "checksum"
  /// Over all other metadata, see ``Checksum/of(_:excluding:)``.
  static let metadataChecksum = "metadataChecksum"

  // Of weight files.
  static let config = "config"
  static let history = "history"
  static let episodes = "episodes"
  static let moves = "moves"
  static let seed = "seed"
  static let version = "version"

  // Of compact files.
  static let compact = "compact"

  // Of state files, which also have `episodes`.
  static let runState = "runState"
  static let accumulators = "accumulators"
  static let weightsFile = "weightsFile"
  static let weightsChecksum = "weightsChecksum"
}
