import Game2048
import RandomSources

extension Board {
  /// The seed of a player that analyses this board.
  ///
  /// A player that draws random numbers draws others on another board, and the same on the same.
  package var analysisSeed: UInt64 { SplitMix64.mix(planes) }
}
