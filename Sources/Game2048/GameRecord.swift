/// A recorded game, with one byte for each tile that appeared.
///
/// The first two bytes are the tiles of the start. Every other byte is a move and the tile that
/// followed it:
/// ```
/// bits 0–1  the direction of the move: up, down, left, right; 0 in the first two bytes
/// bits 2–5  the cell of the new tile
/// bit  6    1 if the new tile is a 4
/// bit  7    0
/// ```
/// The tiles are stored although the seed could reproduce them, so that a record outlives any change
/// to how tiles are drawn.
public struct GameRecord: Hashable, Sendable {
  /// The bytes of the record.
  public private(set) var bytes: [UInt8]

  /// Creates the record of a game before its first tile.
  public init() { bytes = [] }

  /// Creates the record of a game that starts from a board with two tiles.
  public init(start board: Board) {
    self.init()
    var before = Board()
    for cell in 0..<Board.cellCount where board[cell] > 0 {
      var after = before
      after[cell] = board[cell]
      append(from: before, to: after)
      before = after
    }
    precondition(bytes.count == 2, "a game starts with two tiles")
  }

  /// Creates a record from bytes, which need not be valid. ``GameReplay`` checks them.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The number of moves.
  public var moves: Int { max(0, bytes.count - 2) }

  /// Appends a move and the tile that followed it; without a direction, a tile of the start.
  ///
  /// - Precondition: `after` is `afterstate` with one additional tile, a 2 or a 4.
  public mutating func append(
    _ direction: Direction? = nil, from afterstate: Board, to after: Board
  ) {
    let cell = after.cellAdded(to: afterstate)
    let four: UInt8 = after[cell] == 2 ? 1 : 0
    bytes.append(UInt8(direction?.rawValue ?? 0) | UInt8(cell) << 2 | four << 6)
  }

  /// Removes the last move and the tile that followed it.
  ///
  /// - Precondition: There is a move.
  public mutating func removeLastMove() {
    precondition(moves > 0, "a move to remove")
    bytes.removeLast()
  }
}

/// A replay of a recorded game, move by move, which rejects everything that the rules do not allow.
public struct GameReplay: Sendable {
  /// The game to replay.
  public let record: GameRecord
  /// The rules that the game must follow.
  public let rules: Rules
  /// The board after the moves so far and their new tiles.
  public private(set) var board = Board()
  /// The points so far.
  public private(set) var score = 0
  /// The number of moves so far.
  public private(set) var moves = 0

  /// Starts a replay and places the two tiles of the start.
  ///
  /// - Throws: ``GameRecordError`` if the record does not start with two tiles.
  public init(_ record: GameRecord, rules: Rules = .standard) throws(GameRecordError) {
    self.record = record
    self.rules = rules
    guard record.bytes.count >= 2 else {
      throw GameRecordError(byte: record.bytes.count, problem: "the game has no start")
    }
    for place in 0..<2 {
      guard record.bytes[place] & 3 == 0 else {
        throw GameRecordError(byte: place, problem: "a tile of the start follows no move")
      }
      try spawn(place)
    }
  }

  /// Plays the next move and places the tile that followed it.
  ///
  /// - Returns: The direction and the points of the move, or nil at the end of the record.
  /// - Throws: ``GameRecordError`` if the rules do not allow the move or the tile.
  public mutating func step() throws(GameRecordError) -> (direction: Direction, reward: Int)? {
    let place = moves + 2
    guard place < record.bytes.count else { return nil }
    let direction = Direction.allCases[Int(record.bytes[place] & 3)]
    guard let move = rules.move(board, direction) else {
      throw GameRecordError(byte: place, problem: "moving \(direction) changes nothing")
    }
    board = move.afterstate
    try spawn(place)
    score += move.reward
    moves += 1
    return (direction, move.reward)
  }

  private mutating func spawn(_ place: Int) throws(GameRecordError) {
    let byte = record.bytes[place]
    guard byte < 0x80 else {
      throw GameRecordError(byte: place, problem: "the highest bit is never set")
    }
    let cell = Int(byte >> 2 & 15)
    guard rules.cells >> UInt16(cell) & 1 == 1, board[cell] == 0 else {
      throw GameRecordError(byte: place, problem: "a new tile does not fit in cell \(cell)")
    }
    board[cell] = byte >> 6 & 1 == 1 ? 2 : 1
  }
}

/// The reason why a record is not a game.
public struct GameRecordError: Error, Hashable, CustomStringConvertible {
  /// The index of the invalid byte, counted from 0.
  public let byte: Int
  /// What is wrong with the byte.
  public let problem: String

  public var description: String { "byte \(byte) of the game: \(problem)" }
}
