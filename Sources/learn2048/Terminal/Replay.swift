import Basics
import Console
import Game2048

/// A recorded game with all of its boards.
struct Replay {
  private let title: String
  private let rules: Rules
  /// The boards, with the move that led to each and its reward; nil for the start.
  private let frames: [(board: Board, score: Int, move: (direction: Direction, reward: Int)?)]

  /// Replays a game.
  ///
  /// - Throws: `GameRecordError` if the record breaks the rules.
  init(title: String, _ replay: GameReplay) throws {
    self.title = title
    rules = replay.rules
    var replay = replay
    var frames = [(replay.board, 0, nil as (Direction, Int)?)]
    while let move = try replay.step() { frames.append((replay.board, replay.score, move)) }
    self.frames = frames
  }

  /// The number of moves.
  private var moves: Int { frames.count - 1 }

  /// The game as text: one line per move, then the last board.
  var text: String {
    var lines = ["# \(title)"]
    for (number, frame) in frames.enumerated() {
      let move = frame.move.map { "\($0.direction) +\($0.reward)" } ?? "start"
      lines.append("\(number) \(move) \(frame.score) \(frame.board.text)")
    }
    let last = frames[moves]
    return lines.joined(separator: "\n")
      + "\n\n\(last.board.description(size: rules.size))\nscore \(NumberText.grouped(last.score)) in "
      + "\(NumberText.grouped(moves)) moves"
  }

  /// Shows the game on the terminal, forwards and backwards, until the person quits.
  func show(color: ColorOptions) {
    let terminal = GameTerminal(boardSize: rules.size, fastest: 5, color: color)
    var place = 0
    var isPaused = false
    while true {
      let plays = !isPaused && place < moves
      guard let keys = terminal.keys(content(at: place), plays: plays) else { return }
      for key in keys {
        switch key {
        case .character(" "): isPaused.toggle()
        case .move(let direction):
          isPaused = true
          switch direction {
          case .left: place = max(0, place - 1)
          case .right: place = min(moves, place + 1)
          case .up: place = 0
          case .down: place = moves
          }
        default: break
        }
      }
      if plays, !isPaused, keys.isEmpty { place += 1 }
    }
  }

  private func content(at place: Int) -> PlayScreen.Content {
    let frame = frames[place]
    var content = PlayScreen.Content()
    content.board = frame.board
    content.score = frame.score
    content.bestScore = frames[moves].score
    content.bestScoreName = "final"
    content.moves = place
    content.message =
      (frame.move.map { "\(PlayScreen.arrow($0.direction)) +\($0.reward)   " } ?? "")
      + (place < moves
        ? "" : rules.isOver(frame.board) ? "The game is over.   " : "The record ends here.   ")
      + title
    content.keys = [
      "space pause/continue", "left/right one move back/forward", "up/down first/last", "+/- speed",
      "q quit",
    ]
    return content
  }
}
