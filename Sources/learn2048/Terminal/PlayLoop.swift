import Console
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
  private let terminal: GameTerminal

  /// The score of the game on the screen.
  var score: Int { session.score }

  init(
    player: any Player, label: String, rules: Rules, source: some RandomSource, watches: Bool,
    terminal: GameTerminal
  ) {
    self.player = player
    self.terminal = terminal
    isPlayerPlaying = watches
    var source = source
    session = GameSession(rules: rules, using: &source)
    self.source = source
    content.playerName = label
  }

  /// Plays until the person quits.
  mutating func run() throws {
    while true {
      let plays = isPlayerPlaying && session.phase != .over
      updateContent()
      guard let keys = terminal.keys(content, plays: plays) else { return }
      for key in keys { try press(key) }
      if plays, isPlayerPlaying, keys.isEmpty {
        if session.phase == .won { try session.keepPlaying() }
        if let direction = choice() { try play(direction) }
      }
    }
  }

  private mutating func press(_ key: Key) throws {
    switch key {
    case .move(let direction):
      guard !isPlayerPlaying, session.legalDirections.contains(direction) else { return }
      try play(direction)
    case .character("?"):
      content.hint = choice()
    case .character(" "):
      if !isPlayerPlaying, let direction = choice() { try play(direction) }
    case .character("p"):
      isPlayerPlaying.toggle()
      content.hint = nil
      if isPlayerPlaying, session.phase == .won { try session.keepPlaying() }
    case .character("c"):
      if session.phase == .won { try session.keepPlaying() }
    case .character("n"):
      session = GameSession(rules: session.rules, using: &source)
      content.hint = nil
    default: break
    }
  }

  /// Returns the player's choice, if a move can be made.
  ///
  /// Moves that are typed while the player is thinking are dropped: they would be made on a board that
  /// nobody has seen.
  private mutating func choice() -> Direction? {
    guard session.phase.acceptsMoves else { return nil }
    let choice = player.chooseMove(from: session.board)
    terminal.dropKeys { key in
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

  private mutating func updateContent() {
    content.board = session.board
    content.score = session.score
    content.bestScore = max(content.bestScore, session.score)
    content.moves = session.moves
    content.message =
      switch session.phase {
      case .over: "Game over. Press n for a new game."
      case .won: "You made 2048! Press c to play on."
      case .playing, .playingPastWin:
        isPlayerPlaying
          ? "The player plays, \(terminal.pace) ms per move. Press p to stop it." : ""
      }
  }
}
