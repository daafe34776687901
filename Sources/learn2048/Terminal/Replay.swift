import Console
import Game2048
import Review

/// A game as it is shown on the terminal.
struct Replay {
  let title: String
  let game: PlayedGame

  /// The number of moves.
  private var moves: Int { game.moves.count }

  /// Shows the game on the terminal, forwards and backwards, until the person quits.
  func show(color: ColorOptions) {
    let terminal = GameTerminal(boardSize: game.rules.size, fastest: 5, color: color)
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
    let position = game.position(after: place)
    var content = PlayScreen.Content()
    content.board = position.board
    content.score = position.score
    content.bestScore = game.score
    content.bestScoreName = "final"
    content.moves = place
    content.message =
      (position.move.map { "\(PlayScreen.arrow($0.direction)) +\($0.reward)   " } ?? "")
      + (place < moves
        ? ""
        : game.rules.isOver(position.board) ? "The game is over.   " : "The record ends here.   ")
      + title
    content.keys = [
      "space pause/continue", "left/right one move back/forward", "up/down first/last", "+/- speed",
      "q quit",
    ]
    return content
  }
}
