import Game2048
import RandomSources

/// The random bits that decide the spawns of one game: a function of seed, game and spawn alone.
///
/// Players of the same numbered game see the same boards until their moves differ, and the same sequence
/// of bits after that. This pairs their games for comparisons.
///
/// Spawns 0 and 1 are the two initial tiles, and spawn `t + 2` follows move `t`.
public struct GameSpawns: Sendable {
  private let key: UInt64

  /// Creates the spawns of game number `game` for a seed.
  public init(seed: UInt64, game: Int) {
    key = SplitMix64.streamSeed(seed, game)
  }

  /// Returns the 64 bits that decide a spawn.
  @inline(__always)
  public func bits(_ spawn: Int) -> UInt64 {
    SplitMix64.mix(key &+ UInt64(truncatingIfNeeded: spawn &+ 1) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Returns the board with the two initial tiles.
  public func startBoard(_ rules: Rules) -> Board {
    var board = Board()
    for spawn in 0..<2 { rules.spawn(on: &board, bits: bits(spawn)) }
    return board
  }

  /// Returns a number below `count` that is drawn for this game; the same for every player.
  ///
  /// Its bits are those before the first spawn's.
  func draw(below count: Int) -> Int {
    Int(bits(-1).multipliedFullWidth(by: UInt64(count)).high)
  }

  /// The seed for random decisions of a player in this game; the same for every player.
  public var playerSeed: UInt64 { SplitMix64.mix(~key) }
}
