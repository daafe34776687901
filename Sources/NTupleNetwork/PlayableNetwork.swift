import CIntrinsics
import Game2048

/// A network as players read it: one that learns, or a frozen one.
///
/// A value is the sum of one table entry for each pattern in each of the eight symmetries, plus the offsets of
/// downgraded levels. ``NTupleNetwork`` has weights that learning changes; ``FrozenNetwork`` has smaller ones that nothing
/// changes.
public protocol PlayableNetwork: AnyObject, Evaluator {
  /// The structure of the network.
  var shape: NetworkShape { get }
  /// The rule by which boards are read downgraded.
  var downgrading: Downgrading { get }
  /// The number of features of an afterstate.
  var featureCount: Int { get }
  /// The symmetries of the board.
  var symmetries: Symmetries { get }
  /// The offsets that the values of downgraded boards contain.
  var levelOffsets: LevelOffsets { get }

  /// Returns a network with the same weights that can learn: this one, if it can.
  ///
  /// - Precondition: The memory is available.
  func thawed() -> NTupleNetwork

  /// Returns the value of the afterstate with these planes, in points.
  ///
  /// - Parameter planes: Planes as ``planes(of:)`` returns them.
  func value(ofPlanes planes: UInt64) -> Float

  /// Returns the move with the largest reward plus value, or nil if no move is legal.
  ///
  /// If several moves are equal, the first one counts.
  func greedyMove(from board: Board, rules: Rules) -> GreedyMove?

  /// Returns the planes of a board, whose exponents are at most 15, as the network reads them, and
  /// what it adds to the sum of their features.
  func read(_ planes: UInt64) -> (planes: UInt64, offset: Float)

  /// Lists the indices of an afterstate's features, and requests their entries from memory.
  ///
  /// - Parameters:
  ///   - images: The images of the afterstate as it is read, with image `i` at `4 i`.
  ///   - planes: The planes of the afterstate before it was downgraded, on which its stage depends.
  ///   - indices: Room for the index of each feature within its table.
  @unsafe
  func request(
    images: UnsafePointer<UInt64>, ofPlanes planes: UInt64, to indices: UnsafeMutablePointer<UInt32>
  )

  /// Returns the value of an afterstate from the indices of its features.
  ///
  /// - Parameters:
  ///   - indices: What ``request(images:ofPlanes:to:)`` has listed.
  ///   - planes: The planes of the afterstate before it was downgraded.
  ///   - offset: The number to which the features are added.
  @unsafe
  func sum(ofIndices indices: UnsafePointer<UInt32>, planes: UInt64, from offset: Float) -> Float
}

extension PlayableNetwork {
  /// 1, because a value is the points still to come.
  @inlinable public var rewardWeight: Double { 1 }
  /// 0, because no points can come.
  @inlinable public var terminalValue: Double { 0 }

  /// Returns the value of `afterstate`, in points.
  @inlinable
  public func value(of afterstate: Board) -> Double {
    Double(value(ofPlanes: planes(of: afterstate)))
  }

  /// Returns the planes of a board as the network takes them, with every exponent at most 15.
  @inlinable
  @inline(__always)
  public func planes(of board: Board) -> UInt64 {
    board.highPlane == 0 ? board.planes : downgrading.planes(ofLarge: board)
  }

  /// Does what ``greedyMove(from:rules:)`` requires, compiled for this type of network.
  @inlinable
  @inline(__always)
  func bestMove(from board: Board, _ rules: Rules) -> GreedyMove? {
    let moves = rules.moves(from: board)
    let legal = moves.legalMoves(from: board)
    guard legal != 0 else { return nil }
    let planes = moves.highPlanes == .zero ? moves.planes : downgrading.planes(ofLarge: moves)
    @inline(__always)
    func best(_ valueOf: (_ move: Int) -> Float) -> GreedyMove {
      var bestMove = legal.trailingZeroBitCount
      var bestSum = -Float.infinity
      var bestValue: Float = 0
      var rest = legal
      while rest != 0 {
        let move = rest.trailingZeroBitCount
        rest &= rest &- 1
        let value = valueOf(move)
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
    let features = featureCount
    guard features <= Requests.mostFeatures else { return best { value(ofPlanes: planes[$0]) } }
    return unsafe withRequests { images, indices in
      let offsets = unsafe computeImages(of: planes, to: images)
      let words = unsafe UnsafeRawPointer(images).assumingMemoryBound(to: UInt64.self)
      var rest = legal
      while rest != 0 {
        let move = rest.trailingZeroBitCount
        rest &= rest &- 1
        unsafe request(
          images: words + move, ofPlanes: planes[move], to: indices + move &* features)
      }
      return best { move in
        unsafe sum(
          ofIndices: indices + move &* features, planes: planes[move], from: offsets[move])
      }
    }
  }

  /// Calls `body` with room for the images of four afterstates, and for the indices of their features.
  @inlinable
  @inline(__always)
  func withRequests<Result>(
    _ body: (
      _ images: UnsafeMutablePointer<SIMD4<UInt64>>, _ indices: UnsafeMutablePointer<UInt32>
    ) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(
      of: SIMD4<UInt64>.self, capacity: Symmetries.count
    ) { images in
      unsafe withUnsafeTemporaryAllocation(
        of: UInt32.self, capacity: 4 * Requests.mostFeatures
      ) { indices in
        unsafe body(images.baseAddress!, indices.baseAddress!)
      }
    }
  }

  /// Computes the images of four afterstates as the network reads them, with image `i` of afterstate `number` at word
  /// `4 i + number`, and returns the offsets of their values.
  @inlinable
  @inline(__always)
  @unsafe
  func computeImages(
    of planes: SIMD4<UInt64>, to images: UnsafeMutablePointer<SIMD4<UInt64>>
  ) -> SIMD4<Float> {
    let (first, second) = (read(planes[0]), read(planes[1]))
    let (third, fourth) = (read(planes[2]), read(planes[3]))
    let boards = SIMD4(first.planes, second.planes, third.planes, fourth.planes)
    symmetries.forEachImage(of: boards) { image, planes in
      unsafe (images + image).initialize(to: planes)
    }
    return SIMD4(first.offset, second.offset, third.offset, fourth.offset)
  }

  /// Writes the values of many afterstates.
  ///
  /// While the entries of one afterstate are added, those of the next ones are on their way from memory.
  @inlinable
  @unsafe
  public func write(
    valuesOfPlanes planes: UnsafePointer<UInt64>, count: Int,
    to values: UnsafeMutablePointer<Double>
  ) {
    guard count > 0 else { return }
    let (features, ahead) = (featureCount, 2)
    guard features <= Requests.mostFeatures else {
      for place in 0..<count { unsafe values[place] = Double(value(ofPlanes: planes[place])) }
      return
    }
    unsafe withRequests { images, indices in
      let words = unsafe UnsafeRawPointer(images).assumingMemoryBound(to: UInt64.self)
      var (offsets, lastOffsets) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for place in 0..<(count &+ ahead) {
        let number = place & 3
        if number == 0 {
          lastOffsets = offsets
          var next = SIMD4<UInt64>.zero
          for other in 0..<min(4, max(0, count &- place)) {
            next[other] = unsafe planes[place &+ other]
          }
          offsets = unsafe computeImages(of: next, to: images)
        }
        if place < count {
          unsafe request(
            images: words + number, ofPlanes: planes[place], to: indices + number &* features)
        }
        let ready = place &- ahead
        guard ready >= 0 else { continue }
        unsafe values[ready] = Double(
          sum(
            ofIndices: indices + (ready & 3) &* features, planes: planes[ready],
            from: number < ahead ? lastOffsets[ready & 3] : offsets[ready & 3]))
      }
    }
  }
}

/// Entries that are requested from memory before they are added.
@usableFromInline
enum Requests {
  /// The most features for which entries are requested: those of 8 patterns. Four times as many indices are the most
  /// for which Swift reserves room without a call.
  @usableFromInline static let mostFeatures = 64
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
