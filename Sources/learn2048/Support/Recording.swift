import Game2048

/// A recorded game with all of its boards.
struct Recording {
  /// A board and the move that led to it.
  struct Frame {
    let board: Board
    let score: Int
    /// The move and its reward; nil for the start.
    let move: (direction: Direction, reward: Int)?
  }

  let title: String
  let rules: Rules
  let frames: [Frame]

  /// Replays a game.
  ///
  /// - Throws: `GameRecordError` if the record breaks the rules.
  init(title: String, _ replay: GameReplay) throws {
    self.title = title
    rules = replay.rules
    var replay = replay
    var frames = [Frame(board: replay.board, score: 0, move: nil)]
    while let move = try replay.step() {
      frames.append(Frame(board: replay.board, score: replay.score, move: move))
    }
    self.frames = frames
  }

  /// The number of moves.
  var moves: Int { frames.count - 1 }

  /// The game as text: one line per move, then the last board.
  var text: String {
    var lines = ["# \(title)"]
    for (number, frame) in frames.enumerated() {
      let move = frame.move.map { "\($0.direction) +\($0.reward)" } ?? "start"
      lines.append("\(number) \(move) \(frame.score) \(frame.board.text)")
    }
    let last = frames[moves]
    return lines.joined(separator: "\n")
      + "\n\n\(last.board.description(size: rules.size))\nscore \(last.score) in \(moves) moves"
  }
}
