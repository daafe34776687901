import Console

/// A recorded game on the terminal, which can be shown forwards and backwards.
struct ReplayLoop {
  private let recording: Recording
  private let screen: PlayScreen
  private var content = PlayScreen.Content()
  private var keys = KeyParser()
  private var place = 0
  private var isPaused = false
  /// The time between two moves, in milliseconds.
  private var pace = 150

  private static let paces = 5...3_000

  init(_ recording: Recording, depth: ColorDepth) {
    self.recording = recording
    screen = PlayScreen(depth: depth, boardSize: recording.rules.size)
    content.keys = [
      "space pause/continue   left/right one move back/forward   up/down first/last",
      "+/- speed   q quit",
    ]
    content.bestScore = recording.frames[recording.moves].score
  }

  /// Shows the game until the person quits.
  ///
  /// - Parameter isStopped: whether to stop; called before every move.
  mutating func run(on terminal: RawTerminal, until isStopped: () -> Bool) {
    while !isStopped() {
      draw(on: terminal)
      let plays = !isPaused && place < recording.moves
      guard let bytes = terminal.readBytes(waiting: plays ? pace : 200) else { return }
      var pressed = keys.parse(bytes)
      if bytes.isEmpty { pressed += keys.flush() }
      for key in pressed {
        switch key {
        case .character("q"), .character("\u{4}"): return
        case .character("\u{1A}"): terminal.suspend()
        default: press(key)
        }
      }
      if plays, !isPaused, pressed.isEmpty { place += 1 }
    }
  }

  private mutating func press(_ key: Key) {
    switch key {
    case .character(" "): isPaused.toggle()
    case .move(let direction):
      isPaused = true
      switch direction {
      case .left: place = max(0, place - 1)
      case .right: place = min(recording.moves, place + 1)
      case .up: place = 0
      case .down: place = recording.moves
      }
    case .character("+"), .character("="): pace = max(ReplayLoop.paces.lowerBound, pace / 2)
    case .character("-"): pace = min(ReplayLoop.paces.upperBound, pace * 2)
    default: break
    }
  }

  private mutating func draw(on terminal: RawTerminal) {
    let frame = recording.frames[place]
    content.board = frame.board
    content.score = frame.score
    content.moves = place
    let move = frame.move.map { "\(PlayScreen.arrow($0.direction)) +\($0.reward)   " } ?? ""
    content.message =
      move + (place == recording.moves ? "The game is over.   " : "")
      + recording.title
    terminal.draw(screen.lines(content, on: TerminalSize.current))
  }
}
