import CIntrinsics

/// The rules of one variant of the game: the size of the board and the probability of a 4.
///
/// Boards smaller than 4 × 4 occupy the upper left corner of the sixteen cells and leave the other
/// cells empty, so every function that takes a ``Board`` supports them.
public struct Rules: Hashable, Sendable {
  /// The number of rows, which is also the number of columns: 2, 3 or 4.
  public let size: Int
  /// The probability that a spawned tile is a 4.
  public let fourProbability: Double
  /// A mask of the cells in play.
  public let cells: UInt16
  /// The symmetries of the board.
  public let symmetries: Symmetries

  @usableFromInline let fourThreshold: UInt64
  @usableFromInline let table: MoveTable

  /// The probability of a 4 in the original game.
  public static let standardFourProbability = 0.1

  /// The original game: 4 × 4 cells, and a 4 with ``standardFourProbability``.
  public static let standard = Rules()

  /// Creates the rules for a board of `size` × `size` cells.
  ///
  /// - Precondition: `size` is 2, 3 or 4, and `fourProbability` is in `0...1`.
  public init(size: Int = 4, fourProbability: Double = Rules.standardFourProbability) {
    precondition((0...1).contains(fourProbability), "a probability is in 0...1")
    self.size = size
    self.fourProbability = fourProbability
    table = MoveTable.forBoard(size: size)
    symmetries = Symmetries(size: size)
    cells = (0..<16).reduce(0) { mask, cell in
      cell / 4 < size && cell % 4 < size ? mask | 1 << UInt16(cell) : mask
    }
    fourThreshold = UInt64(fourProbability * 0x1p32)
  }

  // The rest follows from the size and the probability.
  public static func == (a: Rules, b: Rules) -> Bool {
    (a.size, a.fourProbability) == (b.size, b.fourProbability)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(fourProbability)
  }

  /// Returns whether all tiles of `board` lie on cells in play.
  public func haveRoom(for board: Board) -> Bool { board.occupied & ~cells == 0 }

  // MARK: Moves

  /// Returns the afterstates and rewards of all four moves.
  @inlinable
  @inline(__always)
  public func moves(from board: Board) -> MoveSet {
    board.fitsFourPlanesAfterAnyMove ? table.moves(from: board.planes) : exactMoves(from: board)
  }

  /// Returns the afterstate and reward of one move, or nil if the move is not legal.
  @inlinable
  public func move(_ board: Board, _ direction: Direction) -> (afterstate: Board, reward: Int)? {
    let moves = moves(from: board)
    let afterstate = moves.afterstate(direction)
    return afterstate == board ? nil : (afterstate, moves.reward(direction))
  }

  /// Returns the afterstate and the reward of one move by its number; the board itself and 0 if the move is not legal.
  ///
  /// It takes half as long as ``moves(from:)``, and no branch depends on the move.
  ///
  /// - Precondition: `move` is in `0..<4`.
  @inlinable
  @inline(__always)
  package func slide(_ board: Board, move: Int) -> (afterstate: Board, reward: Int32) {
    guard board.fitsFourPlanesAfterAnyMove else {
      let moves = exactMoves(from: board)
      return (moves.afterstate(ofMove: move), moves.rewards[move])
    }
    let (planes, reward) = table.slide(
      board.planes, isVertical: move < 2, isTowardsLast: move & 1 == 1)
    return (Board(planes: planes), reward)
  }

  /// Returns a mask of the legal moves: bit n is set if move n changes `board`.
  ///
  /// A move is legal if a tile has an empty neighbour in its direction, or an equal neighbour in its row or column that
  /// it merges with.
  @inlinable
  @inline(__always)
  public func legalMoves(from board: Board) -> UInt8 {
    let occupied = board.occupied
    let mergeable = occupied & ~board.unmergeable
    let columns = movable(
      board, occupied, mergeable, distance: 4, pairs: cells & (cells &>> 4))
    let rows = movable(
      board, occupied, mergeable, distance: 1, pairs: cells & (cells &>> 1) & 0x7777)
    // A sixteenth is not 0 if its highest bit is set, or an addition to the others carries into it.
    let moves = columns | rows &<< 32
    let legal = (moves | ((moves & 0x7FFF_7FFF_7FFF_7FFF) &+ 0x7FFF_7FFF_7FFF_7FFF)) &>> 15
    // Bits 0, 16, 32 and 48 go to bits 48 to 51.
    let gathered = (legal & 0x0001_0001_0001_0001) &* 0x0001_0002_0004_0008
    return UInt8(truncatingIfNeeded: gathered &>> 48) & 15
  }

  /// Returns two masks of cells from which a tile can move: in bits 0 to 15 towards the first cell of its line, and in
  /// bits 16 to 31 towards the last.
  ///
  /// - Parameters:
  ///   - mergeable: The cells of tiles that merge with an equal one.
  ///   - distance: The distance of neighbouring cells.
  ///   - pairs: The first cells of pairs of neighbours, which stand for both cells.
  @inlinable
  @inline(__always)
  func movable(
    _ board: Board, _ occupied: UInt16, _ mergeable: UInt16, distance: UInt64, pairs: UInt16
  ) -> UInt64 {
    let following = occupied &>> UInt16(distance)
    let (planes, high) = (board.planes, board.highPlane)
    let different = Board(
      planes: planes ^ (planes &>> distance), highPlane: high ^ (high &>> UInt16(distance))
    ).occupied
    let equal = mergeable & ~different
    let towardsFirst = (~occupied & following | equal) & pairs
    let towardsLast = (occupied & ~following | equal) & pairs
    return UInt64(towardsFirst) | UInt64(towardsLast) &<< 16
  }

  /// Returns the directions of the legal moves.
  public func legalDirections(from board: Board) -> [Direction] {
    let legal = legalMoves(from: board)
    return Direction.allCases.filter { legal >> $0.rawValue & 1 == 1 }
  }

  /// Returns whether `board` has no legal move.
  @inlinable
  public func isOver(_ board: Board) -> Bool { legalMoves(from: board) == 0 }

  /// Returns the moves of a board that may hold or make tiles above 32768, line by line.
  @inline(never)
  @usableFromInline
  func exactMoves(from board: Board) -> MoveSet {
    var set = MoveSet(planes: .zero, highPlanes: .zero, rewards: .zero)
    for line in 0..<size {
      slide(board, line: 0x000F_000F_000F_000F << UInt64(4 * line), towards: .left, .right, &set)
      slide(board, line: 0x1111_1111_1111_1111 << UInt64(line), towards: .up, .down, &set)
    }
    return set
  }

  /// Slides one line of a board both ways.
  ///
  /// - Parameter line: A mask of its cells in all four planes.
  private func slide(
    _ board: Board, line: UInt64, towards first: Direction, _ last: Direction, _ set: inout MoveSet
  ) {
    let index = UInt16(truncatingIfNeeded: ci_extract_bits(board.planes, line))
    let high = Int(ci_extract_bits(UInt64(board.highPlane), line & 0xFFFF))
    func deposit(_ moved: UInt16, high: Int, _ direction: Direction) {
      set.planes[direction.rawValue] |= ci_deposit_bits(UInt64(moved), line)
      set.highPlanes[direction.rawValue] |= UInt16(
        truncatingIfNeeded: ci_deposit_bits(UInt64(high), line & 0xFFFF))
    }
    let fifteens = index & index >> 4 & index >> 8 & index >> 12
    let reward: Int32
    if high == 0, fifteens & (fifteens &- 1) == 0 {
      let slid = slid(line: index)
      deposit(slid.towardsFirst, high: 0, first)
      deposit(slid.towardsLast, high: 0, last)
      reward = slid.reward
    } else {
      var exponents = MoveTable.exponents(of: index)
      for place in 0..<4 { exponents[place] |= (high >> place & 1) << 4 }
      func depositLine(_ line: SIMD4<Int>, _ direction: Direction) {
        let high = (0..<4).reduce(0) { $0 | (line[$1] >> 4 & 1) << $1 }
        deposit(MoveTable.index(of: line), high: high, direction)
      }
      let towardsFirst = exponents.slid()
      let towardsLast = exponents.reversed(length: size).slid()
      depositLine(towardsFirst.line, first)
      depositLine(towardsLast.line.reversed(length: size), last)
      reward = Int32(truncatingIfNeeded: towardsFirst.reward)
    }
    set.rewards[first.rawValue] &+= reward
    set.rewards[last.rawValue] &+= reward
  }

  /// Slides a line both ways.
  ///
  /// - Parameter line: The line in the order of the planes; see ``SlidLine``.
  /// - Precondition: No two 32768 tiles of the line merge.
  @inlinable
  @inline(__always)
  package func slid(line: UInt16) -> SlidLine { unsafe table.entries[Int(line)] }

  // MARK: Spawns

  /// Places a new tile on a uniformly chosen empty cell: a 4 with ``fourProbability``, otherwise a 2.
  ///
  /// One draw of 64 bits decides both: its low half selects the cell, and its high half the tile. The
  /// choice of the cell deviates from uniform by less than 1 in 2^28.
  ///
  /// - Precondition: `board` has an empty cell.
  @inlinable
  @inline(__always)
  public func spawn(on board: inout Board, using source: inout some RandomNumberGenerator) {
    spawn(on: &board, bits: source.next())
  }

  /// Places the new tile that 64 random bits select; see ``spawn(on:using:)``.
  ///
  /// - Precondition: `board` has an empty cell.
  @inlinable
  @inline(__always)
  package func spawn(on board: inout Board, bits: UInt64) {
    let empty = UInt64(cells & ~board.occupied)
    let choice = ((bits & 0xFFFF_FFFF) &* UInt64(empty.nonzeroBitCount)) >> 32
    let cell = ci_deposit_bits(1 << choice, empty)
    board.planes |= (bits >> 32) < fourThreshold ? cell << 16 : cell
  }

  /// Returns a board with the two tiles of the start of a game.
  @inlinable
  public func startBoard(using source: inout some RandomNumberGenerator) -> Board {
    var board = Board()
    spawn(on: &board, using: &source)
    spawn(on: &board, using: &source)
    return board
  }

  /// Calls `body` with every state that a spawn on `afterstate` can lead to, and its probability.
  ///
  /// The probabilities sum to 1.
  @inlinable
  public func forEachSpawn(
    on afterstate: Board, _ body: (_ state: Board, _ probability: Double) -> Void
  ) {
    var empty = cells & ~afterstate.occupied
    let share = 1 / Double(empty.nonzeroBitCount)
    while empty != 0 {
      let cell = UInt64(empty & (0 &- empty))
      empty &= empty &- 1
      if fourProbability < 1 {
        var state = afterstate
        state.planes |= cell
        body(state, share * (1 - fourProbability))
      }
      if fourProbability > 0 {
        var state = afterstate
        state.planes |= cell << 16
        body(state, share * fourProbability)
      }
    }
  }
}

extension Rules {
  /// Returns the cell of every tile of `board` before and after a move, for animations.
  ///
  /// Two tiles that merge have the same destination.
  public func slides(
    on board: Board, _ direction: Direction
  ) -> [(origin: Int, destination: Int)] {
    var slides: [(origin: Int, destination: Int)] = []
    for line in 0..<size {
      let cells = (0..<size).map { cell(line: line, place: $0, from: direction) }
      var exponents = SIMD4<Int>.zero
      for (place, cell) in cells.enumerated() { exponents[place] = board[cell] }
      let destinations = exponents.slideDestinations()
      for (place, cell) in cells.enumerated() where exponents[place] != 0 {
        slides.append((cell, cells[destinations[place]]))
      }
    }
    return slides
  }

  /// Returns a cell of a row or column by its place, counted from the side that tiles slide to.
  private func cell(line: Int, place: Int, from side: Direction) -> Int {
    switch side {
    case .up: 4 * place + line
    case .down: 4 * (size - 1 - place) + line
    case .left: 4 * line + place
    case .right: 4 * line + size - 1 - place
    }
  }
}

extension Rules {
  /// The rules as files and their names state them: the size of the board, and the probability of a 4 if it is not the
  /// usual one. Examples are `4x4`, the usual rules, `3x3` and `4x4-0.3`.
  package var text: String {
    let spawns = fourProbability == Rules.standardFourProbability ? "" : "-\(fourProbability)"
    return "\(size)x\(size)\(spawns)"
  }

  /// Reads rules as ``text`` writes them; nil if the text is something else.
  package init?(text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let probability = parts.count == 1 ? Rules.standardFourProbability : Double(parts[1])
    guard let size = (2...4).first(where: { "\($0)x\($0)" == parts[0] }), let probability,
      (0...1).contains(probability)
    else { return nil }
    self.init(size: size, fourProbability: probability)
  }
}
