import Console
import Foundation
import Game2048
import RandomSources
import Search

/// A game in the terminal that a person plays, with a player that gives hints and can take over.
struct PlayLoop {
  private var session: GameSession
  private var source: any RandomSource
  private var player: any Player
  private var isPlayerPlaying: Bool
  private var content = PlayScreen.Content()
  private var keys = KeyParser()
  /// The keys that were typed while the player was thinking, and still count.
  private var typed: [Key] = []
  /// The time between two moves of the player, in milliseconds.
  private var pace = 150
  private let screen: PlayScreen
  private let rules: Rules

  private static let paces = 0...3_000

  /// The score of the game on the screen.
  var score: Int { session.score }

  init(
    player: any Player, label: String, rules: Rules, source: some RandomSource, watches: Bool,
    depth: ColorDepth
  ) {
    self.player = player
    self.rules = rules
    isPlayerPlaying = watches
    var source = source
    session = GameSession(rules: rules, using: &source)
    self.source = source
    screen = PlayScreen(depth: depth, boardSize: rules.size)
    content.playerName = label
  }

  /// Plays until the person quits.
  ///
  /// - Parameter isStopped: whether to stop; called before every move and key.
  mutating func run(on terminal: RawTerminal, until isStopped: () -> Bool) throws {
    while !isStopped() {
      draw(on: terminal)
      let plays = isPlayerPlaying && session.phase != .over
      let wait = plays ? pace : 200
      guard let bytes = terminal.readBytes(waiting: typed.isEmpty ? wait : 0) else { return }
      var pressed = typed + keys.parse(bytes)
      typed = []
      if bytes.isEmpty { pressed += keys.flush() }
      for key in pressed {
        if isStopped() { return }
        switch key {
        case .character("q"), .character("\u{4}"): return
        case .character("\u{1A}"): terminal.suspend()
        default: try press(key, on: terminal)
        }
      }
      if plays, isPlayerPlaying, pressed.isEmpty { try letPlayerMove(on: terminal) }
    }
  }

  private mutating func press(_ key: Key, on terminal: RawTerminal) throws {
    switch key {
    case .move(let direction):
      guard !isPlayerPlaying, session.legalDirections.contains(direction) else { return }
      try play(direction)
    case .character("?"):
      content.hint = choice(on: terminal)
    case .character(" "):
      if !isPlayerPlaying, let direction = choice(on: terminal) { try play(direction) }
    case .character("p"):
      isPlayerPlaying.toggle()
      content.hint = nil
      if isPlayerPlaying, session.phase == .won { try session.keepPlaying() }
    case .character("c"):
      if session.phase == .won { try session.keepPlaying() }
    case .character("n"):
      session = GameSession(rules: rules, using: &source)
      content.hint = nil
    case .character("+"), .character("="):
      pace = max(PlayLoop.paces.lowerBound, pace / 2)
    case .character("-"):
      pace = min(PlayLoop.paces.upperBound, max(10, pace * 2))
    default: break
    }
  }

  private mutating func letPlayerMove(on terminal: RawTerminal) throws {
    if session.phase == .won { try session.keepPlaying() }
    guard let direction = choice(on: terminal) else { return }
    try play(direction)
  }

  /// Returns the player's choice, if a move can be made.
  ///
  /// Moves that are typed while the player is thinking are dropped: they would be made on a board that
  /// nobody has seen.
  private mutating func choice(on terminal: RawTerminal) -> Direction? {
    guard session.phase.acceptsMoves else { return nil }
    let choice = player.chooseMove(from: session.board)
    typed += keys.parse(terminal.readBytes(waiting: 0) ?? []).filter { key in
      switch key {
      case .move, .character(" "), .character("?"): false
      default: true
      }
    }
    return choice
  }

  private mutating func play(_ direction: Direction) throws {
    try session.play(direction, using: &source)
    content.hint = nil
  }

  private mutating func draw(on terminal: RawTerminal) {
    content.board = session.board
    content.score = session.score
    content.bestScore = max(content.bestScore, session.score)
    content.moves = session.moves
    content.message =
      switch session.phase {
      case .over: "Game over. Press n for a new game."
      case .won: "You made 2048! Press c to play on."
      case .playing, .playingPastWin:
        isPlayerPlaying ? "The player plays, \(pace) ms per move. Press p to stop it." : ""
      }
    terminal.draw(screen.lines(content, on: TerminalSize.current))
  }
}
