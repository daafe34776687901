import CIntrinsics
import Game2048

/// An n-tuple network: the value of an afterstate is the sum of one table entry for each pattern in
/// each of the eight symmetries.
///
/// `V(a) = Σ_p Σ_s table_p[index_p(s(a))]`, in points. With several stages, each has separate tables;
/// see ``StageRule``. With downgrading, large tiles are read as smaller ones, and boards with a tile
/// above 32768 are downgraded before their stage is determined; see ``Downgrading``. The offsets of
/// their levels belong to the value; see ``LevelOffsets``. Without downgrading, tiles above 32768 are
/// read as 32768.
///
/// Source: Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game
/// 2048", 2014.
///
/// Thread safety: any number of threads may read and update; see ``SharedWeights``.
///
/// Safety: (1) `tables` points to one initialised record for each pattern, written once in `init`, and
/// `offsets` to `LevelOffsets.count` initialised numbers, which are read and written atomically; both
/// are freed in `deinit`; (2) the index of a feature has as many bits as the pattern's mask, so it
/// lies within the pattern's table by construction.
@safe
public final class NTupleNetwork: @unchecked Sendable {
  /// The structure of the network.
  public let shape: NetworkShape
  /// The weights of all tables, one after the other in the order of the patterns.
  public let weights: SharedWeights
  /// The number of features of an afterstate.
  public let featureCount: Int
  /// The marks of the entries that batches update; nil if nobody needs them.
  @usableFromInline let marks: UpdateMarks?

  /// The data of one pattern that a look-up needs.
  @usableFromInline
  @safe
  struct Table {
    @usableFromInline let mask: UInt64
    @usableFromInline let entries: UnsafeMutablePointer<Float>
  }

  @usableFromInline let tables: UnsafeMutablePointer<Table>
  @usableFromInline let tableCount: Int
  /// The symmetries of the board.
  @usableFromInline let symmetries: Symmetries
  /// Whether the network has more than one stage.
  @usableFromInline let isStaged: Bool
  @usableFromInline let stages: StageRule
  @usableFromInline let stageStride: Int
  @usableFromInline let downgrading: Downgrading
  @usableFromInline let offsets: UnsafeMutablePointer<Float>

  /// Creates a network whose weights are all zero.
  public convenience init(_ shape: NetworkShape) {
    self.init(shape, weights: SharedWeights(count: shape.storageCount))
  }

  /// Creates a network on existing weights, which it may share with others.
  ///
  /// - Parameters:
  ///   - shape: The structure of the network.
  ///   - weights: The weights of all tables.
  ///   - marks: The marks that updates of batches set; by default, they mark nothing.
  /// - Precondition: The number of weights, and that of the entries of the marks, is the shape's
  ///   ``NetworkShape/storageCount``.
  public init(_ shape: NetworkShape, weights: SharedWeights, marks: UpdateMarks? = nil) {
    precondition(weights.count == shape.storageCount, "a weight for every entry")
    precondition(marks?.entryCount ?? weights.count == weights.count, "a mark for every entry")
    self.shape = shape
    self.weights = weights
    self.marks = marks
    featureCount = shape.featureCount
    symmetries = Rules(size: shape.boardSize).symmetries
    tableCount = shape.patterns.count
    stages = shape.stages
    isStaged = shape.stages.count > 1
    stageStride = shape.stageStride
    downgrading = shape.downgrading
    unsafe offsets = .allocate(capacity: LevelOffsets.count)
    unsafe offsets.initialize(repeating: 0, count: LevelOffsets.count)
    unsafe tables = .allocate(capacity: tableCount)
    for (place, (pattern, offset)) in zip(shape.patterns, shape.tableOffsets).enumerated() {
      unsafe (tables + place).initialize(
        to: Table(
          mask: IndexLayout(pattern, boardSize: shape.boardSize).mask,
          entries: weights.base + offset))
    }
  }

  /// Sets weights such that every afterstate has the value `value`.
  ///
  /// Weights of later stages stay unlearned, and are read from the first one.
  ///
  /// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021.
  public func setInitialValue(_ value: Float) {
    let weight = value / Float(featureCount)
    unsafe weights.withUnsafeWeights { weights in
      for table in shape.tables where table.stage == 0 {
        let entries = table.offset..<(table.offset + table.pattern.entryCount)
        unsafe UnsafeMutableBufferPointer(rebasing: weights[entries]).update(repeating: weight)
      }
    }
  }

  deinit {
    unsafe tables.deallocate()
    unsafe offsets.deallocate()
  }

  /// The offsets that the values of downgraded boards contain; by default, none.
  ///
  /// Like weights, they may change while other threads read values.
  public var levelOffsets: LevelOffsets {
    get {
      LevelOffsets(values: (0..<LevelOffsets.count).map { unsafe ci_load_relaxed(offsets + $0) })
    }
    set {
      for (place, offset) in newValue.values.enumerated() {
        unsafe ci_store_relaxed(offsets + place, offset)
      }
    }
  }

  // MARK: Values

  /// Returns the planes of a board as the network takes them, with every exponent at most 15.
  @inlinable
  @inline(__always)
  public func planes(of board: Board) -> UInt64 {
    board.highPlane == 0 ? board.planes : planes(ofLarge: board)
  }

  /// Returns the planes of a board with a tile above 32768.
  @usableFromInline
  @inline(never)
  func planes(ofLarge board: Board) -> UInt64 {
    // Downgrades only as far as the four planes require, because the stage depends on these planes.
    (downgrading == .none ? board : board.downgraded(from: 16)).saturatedPlanes
  }

  /// Returns the planes of all afterstates, some of which may have a tile above 32768.
  @usableFromInline
  @inline(never)
  func planes(ofLarge moves: MoveSet) -> SIMD4<UInt64> {
    var planes = moves.planes
    for move in 0..<4 { planes[move] = self.planes(of: moves.afterstate(ofMove: move)) }
    return planes
  }

  /// Returns the value of the afterstate with these planes, in points.
  ///
  /// - Parameter planes: Planes as ``planes(of:)`` returns them.
  @inlinable
  public func value(ofPlanes planes: UInt64) -> Float {
    if isStaged { return stagedSum(ofPlanes: planes) }
    let (read, offset) = read(planes)
    let images = symmetries.images(of: read)
    return sum(from: offset) { images[$0] }
  }

  /// Returns the move with the largest reward plus value, or nil if no move is legal.
  ///
  /// If several moves are equal, the first one counts.
  @inlinable
  @inline(__always)
  public func greedyMove(from board: Board, rules: Rules) -> GreedyMove? {
    let moves = rules.moves(from: board)
    let planes = moves.highPlanes == .zero ? moves.planes : planes(ofLarge: moves)
    return withSums(of: planes) { sumOf in
      var legal = moves.legalMoves(from: board)
      guard legal != 0 else { return nil }
      var bestMove = legal.trailingZeroBitCount
      var bestSum = -Float.infinity
      var bestValue: Float = 0
      while legal != 0 {
        let move = legal.trailingZeroBitCount
        legal &= legal &- 1
        let value = sumOf(move)
        let sum = Float(moves.rewards[move]) + value
        if sum > bestSum {
          bestSum = sum
          // A branch, not a conditional move: after a correct prediction, the processor looks up the
          // features of the next move while those of this one are still loading.
          bestMove = ci_keep_branch(move)
          bestValue = value
        }
      }
      return GreedyMove(
        move: bestMove, afterstate: moves.afterstate(ofMove: bestMove), planes: planes[bestMove],
        reward: moves.rewards[bestMove], value: bestValue)
    }
  }
}

/// The best move of a greedy player.
public struct GreedyMove: Sendable {
  /// The number of the move: the raw value of its direction.
  @usableFromInline let move: Int
  /// The board after the slide, before the spawn.
  public let afterstate: Board
  /// The planes of the afterstate as the network takes them.
  public let planes: UInt64
  /// The points of the move.
  public let reward: Int32
  /// The network's value of the afterstate, without the reward.
  public let value: Float

  @inlinable
  init(move: Int, afterstate: Board, planes: UInt64, reward: Int32, value: Float) {
    self.move = move
    self.afterstate = afterstate
    self.planes = planes
    self.reward = reward
    self.value = value
  }

  /// The direction of the move.
  public var direction: Direction { Direction(rawValue: move)! }
}

extension NTupleNetwork: Evaluator {
  /// 1, because a value is the points still to come.
  @inlinable public var rewardWeight: Double { 1 }
  /// 0, because no points can come.
  @inlinable public var terminalValue: Double { 0 }

  /// Returns the value of `afterstate`, in points.
  @inlinable
  public func value(of afterstate: Board) -> Double {
    Double(value(ofPlanes: planes(of: afterstate)))
  }
}
