import Game2048
import RandomSources

/// The random bits of the spawns of one game: a function of (seed, game, spawn) alone.
///
/// Players that meet the same numbered game meet the same luck: until they move differently they see
/// the same boards, and after that the same sequence of bits. Comparisons are paired by it.
///
/// Spawns 0 and 1 are the two tiles of the start, and spawn `t + 2` follows move `t`.
public struct GameSpawns: Sendable {
  private let key: UInt64

  public init(seed: UInt64, game: Int) {
    key = SplitMix64.streamSeed(seed, game)
  }

  /// The 64 bits that decide a spawn.
  @inline(__always)
  public func bits(_ spawn: Int) -> UInt64 {
    SplitMix64.mix(key &+ UInt64(truncatingIfNeeded: spawn &+ 1) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// The board with the two tiles of the start.
  public func startBoard(_ rules: Rules) -> Board {
    var board = Board()
    for spawn in 0..<2 { rules.spawn(on: &board, bits: bits(spawn)) }
    return board
  }

  /// The seed of a player's own randomness in this game, the same for every player.
  public var playerSeed: UInt64 { SplitMix64.mix(~key) }
}
