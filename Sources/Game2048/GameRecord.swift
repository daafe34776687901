/// A game as it was played, one byte for each tile that appeared.
///
/// The first two bytes are the tiles of the start; each further one is a move and the tile that
/// followed it:
/// ```
/// bits 0–1  the direction of the move: up, down, left, right; 0 in the first two bytes
/// bits 2–5  the cell of the new tile
/// bit  6    1 if the new tile is a 4
/// bit  7    0
/// ```
/// The tiles are written down, not drawn again, so that a record outlives any change of how they are
/// drawn.
public struct GameRecord: Hashable, Sendable {
  public private(set) var bytes: [UInt8]

  /// The record of a game of which nothing has happened yet.
  public init() { bytes = [] }

  /// A record from its bytes, valid or not; ``GameReplay`` tells.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The number of moves.
  public var moves: Int { max(0, bytes.count - 2) }

  /// Adds a tile of the start.
  public mutating func append(from before: Board, to after: Board) {
    append(directionBits: 0, before, after)
  }

  /// Adds a move and the tile that followed it.
  ///
  /// - Precondition: `after` is `afterstate` with one more tile, a 2 or a 4.
  public mutating func append(_ direction: Direction, from afterstate: Board, to after: Board) {
    append(directionBits: UInt8(direction.rawValue), afterstate, after)
  }

  private mutating func append(directionBits: UInt8, _ before: Board, _ after: Board) {
    let cell = after.cellAdded(to: before)
    let four: UInt8 = after[cell] == 2 ? 1 : 0
    bytes.append(directionBits | UInt8(cell) << 2 | four << 6)
  }
}

/// Plays a recorded game again, move by move, and believes nothing that the rules do not allow.
public struct GameReplay: Sendable {
  public let record: GameRecord
  public let rules: Rules
  /// The board after the moves so far and their tiles.
  public private(set) var board = Board()
  public private(set) var score = 0
  /// The number of moves so far.
  public private(set) var moves = 0

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

  /// Makes the next move and places the tile that followed it.
  ///
  /// - Returns: the direction and its points; nil at the end of the record.
  /// - Throws: ``GameRecordError`` if the rules do not allow it.
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
      throw GameRecordError(byte: place, problem: "cell \(cell) has no room for a new tile")
    }
    board[cell] = byte >> 6 & 1 == 1 ? 2 : 1
  }
}

/// Why a record is no game.
public struct GameRecordError: Error, Hashable, CustomStringConvertible {
  /// The byte of the record, counted from 0.
  public let byte: Int
  public let problem: String

  public var description: String { "byte \(byte) of the game: \(problem)" }
}
