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
public final class NTupleNetwork: PlayableNetwork, @unchecked Sendable {
  /// The structure of the network.
  public let shape: NetworkShape
  /// The weights of all tables, one after the other in the order of the patterns.
  public let weights: SharedWeights
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
  public let symmetries: Symmetries
  /// Whether the network has more than one stage.
  @usableFromInline let isStaged: Bool
  @usableFromInline let stages: StageRule
  @usableFromInline let stageStride: Int
  public let downgrading: Downgrading
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

  public func thawed() -> NTupleNetwork { self }

  // MARK: Values

  @inlinable
  public func value(ofPlanes planes: UInt64) -> Float {
    if isStaged { return stagedSum(ofPlanes: planes) }
    let (read, offset) = read(planes)
    let images = symmetries.images(of: read)
    return sum(from: offset) { images[$0] }
  }

  @inlinable
  @inline(__always)
  public func greedyMove(from board: Board, rules: Rules) -> GreedyMove? {
    bestMove(from: board, rules)
  }
}
