// swift-format-ignore-file: AlwaysUseLowerCamelCase
// C functions have the names of the header.

import CIntrinsics
import CLearn2048
import Game2048
import Play

/// Environments that are stepped together, each with a separate game.
///
/// Episode `e` of an environment with seed `s` has the spawns of game `e` of `learn2048 evaluate --seed s`, whatever
/// other environments and threads do.
///
/// Safety: (1) the pointers of `lanes`, `legal` and `seeds` point to `count` initialised elements until `deinit`; (2) only a
/// thread that holds `mark` uses them, with the pool's threads, each of which has separate lanes; (3) pointers of the caller
/// are for `count` elements, which the C functions compare with what the caller states; (4) seven lanes follow the one that
/// `stepEight` is called for.
@safe
final class Environments: @unchecked Sendable {
  /// One environment.
  fileprivate struct Lane {
    var board = Board()
    var score: Int32 = 0
    var spawns = GameSpawns(seed: 0, game: 0)
    /// The number of spawns of the episode.
    var spawnCount: Int32 = 0
    /// The number of the next episode.
    var episode: UInt32 = 0
  }

  /// All environments, with an array for each field, so that eight can be stepped at once.
  @unsafe
  fileprivate struct Lanes {
    let planes: UnsafeMutablePointer<UInt64>
    let highPlanes: UnsafeMutablePointer<UInt16>
    let scores: UnsafeMutablePointer<Int32>
    let spawns: UnsafeMutablePointer<GameSpawns>
    let spawnCounts: UnsafeMutablePointer<Int32>
    let episodes: UnsafeMutablePointer<UInt32>

    init(count: Int) {
      let lane = Lane()
      unsafe planes = initialised(count, lane.board.planes)
      unsafe highPlanes = initialised(count, lane.board.highPlane)
      unsafe scores = initialised(count, lane.score)
      unsafe spawns = initialised(count, lane.spawns)
      unsafe spawnCounts = initialised(count, lane.spawnCount)
      unsafe episodes = initialised(count, lane.episode)
    }

    func deallocate() {
      unsafe planes.deallocate()
      unsafe highPlanes.deallocate()
      unsafe scores.deallocate()
      unsafe spawns.deallocate()
      unsafe spawnCounts.deallocate()
      unsafe episodes.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> Lane {
      get {
        unsafe Lane(
          board: Board(planes: planes[index], highPlane: highPlanes[index]), score: scores[index],
          spawns: spawns[index], spawnCount: spawnCounts[index], episode: episodes[index])
      }
      nonmutating set {
        unsafe planes[index] = newValue.board.planes
        unsafe highPlanes[index] = newValue.board.highPlane
        unsafe scores[index] = newValue.score
        unsafe spawns[index] = newValue.spawns
        unsafe spawnCounts[index] = newValue.spawnCount
        unsafe episodes[index] = newValue.episode
      }
    }
  }

  /// The number of lanes that a thread takes at a time.
  private static let chunk = 512
  /// The largest number of environments.
  static let largestCount: Int64 = 1 << 24

  let count: Int
  let rules: Rules
  private let startTiles: Int
  private let illegalMoves: Int
  private let illegalReward: Float
  private let automaticReset: Int
  private let goalExponent: Int
  private let threads: Int
  private let lanes: Lanes
  /// The legal moves of each environment; 0 if its episode is over. Apart from the lanes, so that all moves are checked
  /// at the speed of vectors.
  private let legal: UnsafeMutablePointer<UInt8>
  private let seeds: UnsafeMutablePointer<UInt64>
  private let mark = BusyMark()
  private var hasBegun = false

  init(_ options: learn2048_environment_options) throws {
    guard (1...Environments.largestCount).contains(options.count) else {
      throw Failure.usage("the number of environments is \(options.count), not 1 to 2^24")
    }
    guard (1...2).contains(options.start_tiles) else {
      throw Failure.usage("a game starts with 1 or 2 tiles, not \(options.start_tiles)")
    }
    guard (LEARN2048_REFUSE...LEARN2048_END).contains(Int(options.illegal_moves)) else {
      throw Failure.usage("\(options.illegal_moves) is not a rule for illegal moves")
    }
    guard (LEARN2048_NO_RESET...LEARN2048_SAME_STEP).contains(Int(options.automatic_reset)) else {
      throw Failure.usage("\(options.automatic_reset) is not a mode of resets")
    }
    guard (0...Int32(Board.largestExponent)).contains(options.goal_exponent) else {
      throw Failure.usage(
        "the exponent of the goal is \(options.goal_exponent), not 0 to \(Board.largestExponent)")
    }
    count = Int(options.count)
    rules = try validatedRules(size: options.size, fourProbability: options.four_probability)
    startTiles = Int(options.start_tiles)
    illegalMoves = Int(options.illegal_moves)
    illegalReward = options.illegal_reward
    automaticReset = Int(options.automatic_reset)
    goalExponent = Int(options.goal_exponent)
    threads = try validated(threads: options.threads)
    unsafe lanes = Lanes(count: count)
    unsafe legal = initialised(count, 0)
    unsafe seeds = initialised(count, 0)
  }

  deinit {
    unsafe lanes.deallocate()
    unsafe legal.deallocate()
    unsafe seeds.deallocate()
  }

  // MARK: Episodes

  @inline(never)
  private func begin(
    _ lane: inout Lane, _ legal: inout UInt8, seed: UInt64, on board: Board? = nil
  ) {
    lane.spawns = GameSpawns(seed: seed, game: Int(lane.episode))
    lane.episode &+= 1
    lane.board = Board()
    for spawn in 0..<startTiles { rules.spawn(on: &lane.board, bits: lane.spawns.bits(spawn)) }
    // Spawn t + 2 follows move t, also after one tile.
    lane.spawnCount = 2
    lane.score = 0
    if let board { lane.board = board }
    legal = rules.legalMoves(from: lane.board)
  }

  func reset(
    _ selected: UnsafePointer<UInt8>?, seeds: UnsafePointer<UInt64>?, boards: BoardArray?,
    _ view: learn2048_view
  ) throws {
    try mark.exclude("these environments") {
      if !hasBegun, unsafe selected != nil {
        throw Failure.usage("the first reset is of all environments")
      }
      if let boards {
        for index in 0..<count where unsafe selected?[index] != 0 && rules.isOver(boards[index]) {
          throw Failure.usage("board \(index) has no legal move, so no episode can start from it")
        }
      }
      hasBegun = true
      for index in 0..<count {
        if unsafe selected?[index] != 0 {
          if let seeds = unsafe seeds {
            unsafe self.seeds[index] = seeds[index]
            unsafe lanes.episodes[index] = 0
          }
          var lane = unsafe lanes[index]
          unsafe begin(&lane, &legal[index], seed: self.seeds[index], on: boards?[index])
          unsafe lanes[index] = lane
        }
        unsafe Environments.show(lanes[index], legal[index], index, view)
        unsafe view.rewards?[index] = 0
        unsafe view.terminated?[index] = 0
        unsafe view.scores?[index] = lanes.scores[index]
      }
    }
  }

  // MARK: Steps

  func step(_ moves: UnsafePointer<Int64>, _ view: learn2048_view) throws {
    try mark.exclude("these environments") {
      unsafe try validate(moves)
      HandleTable.shared.workers.run(over: count, by: Environments.chunk, threads: threads) {
        range in
        for first in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
          let end = min(first + 8, range.upperBound)
          if end - first == 8, unsafe stepEight(first, moves, view) { continue }
          for index in first..<end { unsafe step(index, Int(moves[index]), view) }
        }
      }
    }
  }

  /// Throws unless every environment can take its move.
  private func validate(_ moves: UnsafePointer<Int64>) throws {
    guard hasBegun else { throw Failure.usage("the environments have not been reset") }
    // Without branches, so that it vectorises. Only if something is wrong, a search follows.
    let (mayBeOver, mayBeIllegal): (UInt64, UInt64) = (
      automaticReset == LEARN2048_NEXT_STEP ? 1 : 0, illegalMoves == LEARN2048_REFUSE ? 0 : 1
    )
    var wrong: UInt64 = 0
    for index in 0..<count {
      let move = UInt64(bitPattern: unsafe moves[index])
      let known = UInt64(unsafe legal[index])
      let isOver: UInt64 = known == 0 ? 1 : 0
      let isLegal = known &>> (move & 3) & 1
      wrong |= move &>> 2 | isOver & ~mayBeOver | ~(isLegal | isOver | mayBeIllegal) & 1
    }
    if wrong == 0 { return }
    for index in 0..<count {
      let move = unsafe moves[index]
      let legal = unsafe legal[index]
      guard (0..<4).contains(move) else {
        throw Failure.usage("the move of environment \(index) is \(move), not 0 to 3")
      }
      if legal == 0 {
        if automaticReset == LEARN2048_NEXT_STEP { continue }
        throw Failure.usage("the episode of environment \(index) is over. Reset it first.")
      }
      if illegalMoves == LEARN2048_REFUSE, legal &>> UInt8(move) & 1 == 0 {
        let name = Direction(rawValue: Int(move))!
        throw Failure.usage(
          "moving \(name) is not legal in environment \(index). Choose moves by the action mask, or set another rule "
            + "for illegal moves.")
      }
    }
  }

  @inline(__always)
  private func step(_ index: Int, _ move: Int, _ view: learn2048_view) {
    // Copies, which stay in registers.
    var (lane, legal) = unsafe (lanes[index], self.legal[index])
    var reward: Float = 0
    var hasEnded = false
    if legal == 0 {
      unsafe begin(&lane, &legal, seed: seeds[index])
    } else if legal &>> UInt8(truncatingIfNeeded: move) & 1 == 0 {
      reward = illegalReward
      hasEnded = illegalMoves == LEARN2048_END
    } else {
      let (afterstate, points) = rules.slide(lane.board, move: move)
      lane.board = afterstate
      rules.spawn(on: &lane.board, bits: lane.spawns.bits(Int(lane.spawnCount)))
      lane.spawnCount &+= 1
      lane.score &+= points
      legal = rules.legalMoves(from: lane.board)
      reward = Float(points)
      hasEnded =
        legal == 0 || goalExponent > 0 && lane.board.largestTileExponent >= goalExponent
    }
    unsafe view.rewards?[index] = reward
    unsafe view.terminated?[index] = hasEnded ? 1 : 0
    unsafe view.scores?[index] = lane.score
    if hasEnded { legal = 0 }
    unsafe (lanes[index], self.legal[index]) = (lane, legal)
    unsafe Environments.show(lane, legal, index, view)
    if hasEnded { unsafe end(index, view) }
  }

  /// Steps eight environments at once, unless one of them is over, has an illegal move or a very large tile, or there is a
  /// goal; then it returns false, and nothing has changed.
  @inline(__always)
  private func stepEight(
    _ first: Int, _ moves: UnsafePointer<Int64>, _ view: learn2048_view
  ) -> Bool {
    let legalBefore = unsafe load(legal + first, as: UInt64.self)
    var isReady = goalExponent == 0 && nonzeroBytes(legalBefore) == 0x0101_0101_0101_0101
    if illegalMoves != LEARN2048_REFUSE {
      for index in first..<(first + 8) {
        if unsafe legal[index] &>> UInt8(truncatingIfNeeded: moves[index]) & 1 == 0 {
          isReady = false
        }
      }
    }
    let high = unsafe load(lanes.highPlanes + first, as: SIMD2<UInt64>.self)
    guard isReady, high[0] | high[1] == 0 else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { points in
      let numbers = unsafe UnsafeRawPointer(moves + first).assumingMemoryBound(to: UInt64.self)
      let planes = unsafe lanes.planes + first
      guard unsafe ci_slide_eight(planes, numbers, points.baseAddress!, Int32(rules.size)) != 0
      else { return false }
      for place in 0..<8 {
        let index = first + place
        var board = Board(planes: unsafe planes[place])
        rules.spawn(
          on: &board, bits: unsafe lanes.spawns[index].bits(Int(lanes.spawnCounts[index])))
        unsafe planes[place] = board.planes
        unsafe lanes.spawnCounts[index] &+= 1
        let reward = Int32(truncatingIfNeeded: unsafe points[place])
        unsafe lanes.scores[index] &+= reward
        unsafe view.rewards?[index] = Float(reward)
        unsafe view.scores?[index] = lanes.scores[index]
        if let boards = unsafe view.boards { unsafe store(board, index, in: boards) }
      }
      unsafe store(ci_legal_moves_of_eight(planes, rules.cells), in: legal + first)
      unsafe finishEight(first, view)
      return true
    }
  }

  /// Shows which of eight episodes have ended, and the legal moves of the others, after ``stepEight(_:_:_:)``.
  @inline(__always)
  private func finishEight(_ first: Int, _ view: learn2048_view) {
    if let masks = unsafe view.legal {
      for index in first..<(first + 8) { unsafe store(legal: legal[index], index, in: masks) }
    }
    let hasEnded = unsafe nonzeroBytes(load(legal + first, as: UInt64.self)) ^ 0x0101_0101_0101_0101
    if let all = unsafe view.terminated { unsafe store(hasEnded, in: all + first) }
    if hasEnded != 0 {
      for index in first..<(first + 8) where unsafe legal[index] == 0 { unsafe end(index, view) }
    }
  }

  /// Shows the last board of an episode that has ended, and begins the next one if that is automatic.
  @inline(never)
  private func end(_ index: Int, _ view: learn2048_view) {
    var (lane, legal) = unsafe (lanes[index], self.legal[index])
    if let boards = unsafe view.final_boards { unsafe store(lane.board, index, in: boards) }
    guard automaticReset == LEARN2048_SAME_STEP else { return }
    unsafe begin(&lane, &legal, seed: seeds[index])
    unsafe Environments.show(lane, legal, index, view)
    unsafe (lanes[index], self.legal[index]) = (lane, legal)
  }

  @inline(__always)
  private static func show(_ lane: Lane, _ legal: UInt8, _ index: Int, _ view: learn2048_view) {
    if let boards = unsafe view.boards { unsafe store(lane.board, index, in: boards) }
    if let masks = unsafe view.legal { unsafe store(legal: legal, index, in: masks) }
  }

  func sample(_ moves: UnsafeMutablePointer<Int64>) throws {
    try mark.exclude("these environments") {
      HandleTable.shared.workers.run(over: count, by: Environments.chunk, threads: threads) {
        range in
        for index in range {
          unsafe moves[index] = Int64(lanes[index].move(of: legal[index]))
        }
      }
    }
  }
}

/// Returns memory for elements that all have a value.
private func initialised<Element>(
  _ count: Int, _ value: Element
) -> UnsafeMutablePointer<Element> {
  let elements = UnsafeMutablePointer<Element>.allocate(capacity: count)
  unsafe elements.initialize(repeating: value, count: count)
  return unsafe elements
}

/// Returns what begins at an element of an array.
@inline(__always)
@unsafe
private func load<Value: BitwiseCopyable>(_ start: UnsafeRawPointer, as type: Value.Type) -> Value {
  unsafe start.loadUnaligned(as: type)
}

/// Writes elements of an array.
@inline(__always)
@unsafe
private func store<Value: BitwiseCopyable>(_ value: Value, in start: UnsafeMutableRawPointer) {
  unsafe start.storeBytes(of: value, as: Value.self)
}

/// Returns 1 in every byte that is not 0; no byte may be above 127.
@inline(__always)
private func nonzeroBytes(_ bytes: UInt64) -> UInt64 {
  (bytes &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7 & 0x0101_0101_0101_0101
}

extension Environments.Lane {
  /// Draws one of the legal moves, or 0 if there is none.
  @inline(__always)
  fileprivate func move(of legal: UInt8) -> Int {
    // No spawn has such a number.
    let bits = spawns.bits(-2 &- Int(spawnCount))
    let choice = ((bits >> 32) &* UInt64(legal.nonzeroBitCount)) >> 32
    return ci_deposit_bits(1 << choice, UInt64(legal)).trailingZeroBitCount & 3
  }
}

// MARK: C functions

@c @implementation
public func learn2048_environments_open(
  _ options: UnsafePointer<learn2048_environment_options>!,
  _ environments: UnsafeMutablePointer<learn2048_handle>!
) -> Int32 {
  status {
    let handle = unsafe try required(environments, "environments")
    let options = unsafe try required(options, "options")
    unsafe handle.pointee = HandleTable.shared.open(try Environments(options.pointee))
  }
}

@c @implementation
public func learn2048_environments_reset(
  _ environments: learn2048_handle, _ count: Int64, _ selected: UnsafePointer<UInt8>!,
  _ seeds: UnsafePointer<UInt64>!, _ boards: UnsafePointer<UInt8>!,
  _ view: UnsafePointer<learn2048_view>!
) -> Int32 {
  status {
    let object = try find(environments, count)
    let boards = unsafe try boards.map {
      unsafe try BoardArray($0, count: count, rules: object.rules)
    }
    unsafe try object.reset(
      selected, seeds: seeds, boards: boards, try required(view, "view").pointee)
  }
}

@c @implementation
public func learn2048_environments_step(
  _ environments: learn2048_handle, _ count: Int64, _ moves: UnsafePointer<Int64>!,
  _ view: UnsafePointer<learn2048_view>!
) -> Int32 {
  status {
    let object = try find(environments, count)
    unsafe try object.step(try required(moves, "moves"), try required(view, "view").pointee)
  }
}

@c @implementation
public func learn2048_environments_sample(
  _ environments: learn2048_handle, _ count: Int64, _ moves: UnsafeMutablePointer<Int64>!
) -> Int32 {
  status {
    unsafe try find(environments, count).sample(try required(moves, "moves"))
  }
}

/// Returns the environments of a handle, for arrays of `count` elements.
private func find(_ handle: learn2048_handle, _ count: Int64) throws -> Environments {
  let object = try HandleTable.shared.find(handle, as: Environments.self)
  guard count == object.count else {
    throw Failure.usage("the arrays have \(count) elements for \(object.count) environments")
  }
  return object
}
