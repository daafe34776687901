import Game2048
import Synchronization

/// The TD residuals r + V(a′) − V(a) of greedy play, by the level of the board; see ``LevelOffsets``.
///
/// Their means show how far the value jumps when a missing tile is made, and
/// ``offsets(correcting:_:)`` makes up for it.
public struct LevelResiduals: Equatable, Sendable {
  /// A move between boards at two levels.
  struct Transition: Hashable {
    let from: TileLevel
    let to: TileLevel
  }

  /// What moves do to the level of a board.
  public enum Change: CaseIterable, Sendable {
    /// The missing tile is made.
    case falls
    /// The same tile is still missing.
    case stays
    /// A tile above the missing one is merged.
    case rises
    /// A larger tile is made than any before.
    case grows

    init(from level: TileLevel, to next: TileLevel) {
      self =
        if next.largest != level.largest { .grows } else {
          next.missing < level.missing
            ? .falls : next.missing == level.missing ? .stays : .rises
        }
    }
  }

  /// The number, mean and spread of residuals.
  public struct Moments: Equatable, Sendable {
    /// The number of residuals.
    public private(set) var count = 0
    private var sum = 0.0
    private var squares = 0.0

    /// The mean, in points.
    public var mean: Double { count > 0 ? sum / Double(count) : 0 }
    /// The standard deviation, in points.
    public var deviation: Double {
      guard count > 1 else { return 0 }
      return (max(0, squares - Double(count) * mean * mean) / Double(count - 1)).squareRoot()
    }

    mutating func add(_ residual: Double) {
      count += 1
      sum += residual
      squares += residual * residual
    }

    mutating func add(_ other: Moments) {
      count += other.count
      sum += other.sum
      squares += other.squares
    }
  }

  /// The number of games.
  public private(set) var games = 0
  private var moments: [Transition: Moments] = [:]

  /// Creates residuals of no games.
  public init() {}

  /// The levels of the boards before the moves, in the order in which a game meets them.
  public var levels: [TileLevel] {
    let found = Set(moments.keys.map(\.from))
    return Set(found.map(\.largest)).sorted().flatMap { largest in
      TileLevel.all(ofLargest: largest).filter(found.contains)
    }
  }

  /// The residuals of the moves from boards at a level.
  public subscript(level: TileLevel, change: Change) -> Moments {
    var sum = Moments()
    for (transition, moments) in moments
    where transition.from == level && Change(from: level, to: transition.to) == change {
      sum.add(moments)
    }
    return sum
  }

  mutating func add(_ other: LevelResiduals) {
    games += other.games
    moments.merge(other.moments) { sum, moments in
      var sum = sum
      sum.add(moments)
      return sum
    }
  }

  // MARK: Recording

  /// The residuals of one game in progress.
  package struct Game {
    package private(set) var residuals = LevelResiduals()
    private let least: Int
    private var last: (level: TileLevel, value: Float)?

    /// Creates a game in which a network with this rule plays.
    package init(_ downgrading: Downgrading) {
      // From the tile below on, because the first offset depends on how it is made.
      least = downgrading.least - 1
      residuals.games = 1
    }

    /// Adds the residual between the last afterstate and this one.
    package mutating func observe(_ move: GreedyMove) {
      guard move.afterstate.largestTileExponent >= least else { return }
      let level = move.afterstate.tileLevel
      if let last {
        residuals.moments[Transition(from: last.level, to: level), default: Moments()]
          .add(Double(move.reward) + Double(move.value) - Double(last.value))
      }
      last = (level, move.value)
    }
  }

  // MARK: Calibration

  /// The number of residuals below which their mean is not used.
  package static let fewest = 20

  /// Returns offsets with which the mean residual between a level and the next vanishes.
  ///
  /// The offset of a level is that of the level before, less the mean residual of the moves between them. If
  /// there were few, the step is that of boards with the next smaller tile.
  ///
  /// - Parameters:
  ///   - current: The offsets of the network that played.
  ///   - downgrading: The rule of the network.
  public func offsets(correcting current: LevelOffsets, _ downgrading: Downgrading) -> LevelOffsets
  {
    var offsets = LevelOffsets.none
    guard let least = downgrading.exponent else { return offsets }
    var steps: [TileLevel: Float] = [:]
    var offset: Float = 0
    for largest in (least - 1)...LevelOffsets.largest.upperBound {
      // Boards that are read as they are have no offset: only their last step counts, to the first level that has one.
      for level in TileLevel.all(ofLargest: largest) where level.next.largest >= least {
        if largest >= least { offsets[level] = offset }
        let residuals = moments[Transition(from: level, to: level.next)] ?? Moments()
        let step =
          residuals.count >= LevelResiduals.fewest
          ? current[level.next] - current[level] - Float(residuals.mean)
          : steps[level.inSmallerRow] ?? 0
        steps[level] = step
        offset += step
      }
    }
    return offsets
  }
}

extension TileLevel {
  /// The level of boards with the next smaller tile at which as much is missing.
  fileprivate var inSmallerRow: TileLevel {
    TileLevel(largest: largest - 1, missing: min(missing, largest - 2), isRising: isRising)
  }
}

/// Collects the residuals of games that are played in parallel.
///
/// Thread safety: any thread may call.
public final class LevelRecorder: Sendable {
  private let games = Mutex<[UInt64: LevelResiduals]>([:])

  /// Creates a recorder of no games.
  public init() {}

  /// Adds the residuals of a game that has ended.
  ///
  /// - Parameter key: A number that no other game has.
  package func add(_ game: LevelResiduals.Game, key: UInt64) {
    games.withLock { $0[key] = game.residuals }
  }

  /// The residuals of all games. They do not depend on the order in which the games ended.
  public var residuals: LevelResiduals {
    games.withLock { games in
      // Sums of floats depend on the order.
      games.keys.sorted().reduce(into: LevelResiduals()) { $0.add(games[$1]!) }
    }
  }
}
