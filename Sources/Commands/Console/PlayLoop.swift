import Basics
import Game2048
import Search

/// A game in the terminal that a person plays, with a player that gives hints and can take over.
struct PlayLoop {
  /// A game, and the name of the last player that made a move in it; nil if the person has made all moves.
  private struct State {
    var session: GameSession
    var helper: String?
  }

  private var state: State
  /// The states before each move, which undo returns to.
  private var past: [State] = []
  private var record: GameRecord
  private let makeSource: (_ seed: UInt64) -> any RandomSource
  private var source: any RandomSource
  private var player: any Player
  private var isPlayerPlaying: Bool
  /// Whether a new game was asked for, and must be confirmed because it discards this one.
  private var isDiscarding = false
  private var content = PlayScreen.Content()
  /// The longest time for which a move is only in memory.
  private static let longestUnkept = Duration.seconds(5)
  private let terminal: GameTerminal
  private let bestScore: BestScoreFile?
  private var kept: KeptGame?
  /// The file of the game; nil if it is not kept.
  var keptPath: String? { kept?.path }
  /// Whether the file of the game has all of its moves, or the game has none yet.
  private var isKept = true
  private var lastKept = ContinuousClock.now
  /// The seed of the game on the screen. A new game takes the next one.
  private(set) var seed: UInt64
  private(set) var bestScoreFailure: (any Error)?
  private(set) var failure: (any Error)?

  var session: GameSession { state.session }
  /// Whether this game was continued from a file, so that the seed does not tell its spawns.
  private(set) var isContinued = false
  private var isUntouched = true

  /// Starts a game, or continues the one that is kept if it is not over.
  init(
    player: any Player, label: String, rules: Rules, seed: UInt64,
    makeSource: @escaping (_ seed: UInt64) -> any RandomSource, watches: Bool,
    bestScore: BestScoreFile?, kept: KeptGame?, terminal: GameTerminal
  ) throws {
    self.player = player
    self.terminal = terminal
    self.bestScore = bestScore
    self.kept = kept
    self.seed = seed
    isPlayerPlaying = watches
    self.makeSource = makeSource
    var source = makeSource(seed)
    state = State(session: GameSession(rules: rules, using: &source))
    record = GameRecord(start: state.session.board)
    self.source = source
    content.bestScore = bestScore?.read() ?? 0
    content.keys = PlayScreen.keys(player: label)
    if let open = kept?.open {
      try resume(open.replay, helper: open.helper)
      self.seed = open.seed
    }
  }

  private mutating func resume(_ replay: GameReplay, helper: String?) throws {
    var replay = replay
    var states: [State] = []
    repeat {
      let session = GameSession(
        rules: replay.rules, board: replay.board, score: replay.score, moves: replay.moves)
      states.append(State(session: session, helper: helper))
    } while try replay.step() != nil
    state = states.removeLast()
    (past, record, isContinued) = (states, replay.record, true)
    countForBestScore()
  }

  mutating func run() throws {
    while true {
      let plays = isPlayerPlaying && state.session.phase != .over && !isDiscarding
      updateContent()
      guard let keys = terminal.keys(content, plays: plays) else { return keep() }
      for key in keys { try press(key) }
      if lastKept.duration(to: .now) >= PlayLoop.longestUnkept { keep() }
      if plays, isPlayerPlaying, keys.isEmpty {
        if state.session.phase == .won { try state.session.keepPlaying() }
        try playPlayersMove()
      }
    }
  }

  private mutating func press(_ key: Key) throws {
    let isConfirmed = isDiscarding
    (isDiscarding, isUntouched) = (false, false)
    switch key {
    case .move(let direction):
      guard !isPlayerPlaying, state.session.legalDirections.contains(direction) else { return }
      try play(direction, isOwn: true)
    case .character("?"):
      content.advice = thought { player, board in player.decide(on: board).advice }
      if content.advice != nil { (state.helper, isKept) = (player.name, false) }
    case .character(" "):
      if !isPlayerPlaying { try playPlayersMove() }
    case .character("p"):
      isPlayerPlaying.toggle()
      content.advice = nil
      if isPlayerPlaying, state.session.phase == .won { try state.session.keepPlaying() }
    case .character("c"):
      if state.session.phase == .won { try state.session.keepPlaying() }
    case .character("u"):
      guard let last = past.popLast() else { return }
      state = last
      record.removeLastMove()
      isKept = false
      isPlayerPlaying = false
      content.advice = nil
    case .character("n"):
      let isLost = state.session.moves > 0 && state.session.phase != .over
      if isLost, !isConfirmed {
        isDiscarding = true
      } else {
        startNewGame()
      }
    default: break
    }
  }

  private mutating func startNewGame() {
    keep()
    seed &+= 1
    source = makeSource(seed)
    state = State(session: GameSession(rules: state.session.rules, using: &source))
    record = GameRecord(start: state.session.board)
    past = []
    (isContinued, isKept) = (false, false)
    content.advice = nil
  }

  private mutating func playPlayersMove() throws {
    let choice = thought { player, board in player.chooseMove(from: board) }
    if let choice { try play(choice, isOwn: false) }
  }

  /// Returns what the player thinks of the board, if a move can be made and no signal ends the thought.
  ///
  /// Keys that concern the board are dropped if they are typed while the player is thinking: they would apply to a
  /// board that nobody has seen.
  private mutating func thought<Thought>(
    _ think: (inout any Player, Board) -> Thought?
  ) -> Thought? {
    guard state.session.phase.acceptsMoves else { return nil }
    let thought = SearchCancellation.$current.withValue(terminal.cancellation) {
      think(&player, state.session.board)
    }
    if terminal.cancellation.isCancelled { return nil }
    terminal.dropKeys { key in
      switch key {
      case .move, .character(" "), .character("?"), .character("u"): false
      default: true
      }
    }
    return thought
  }

  private mutating func play(_ direction: Direction, isOwn: Bool) throws {
    let before = state
    let step = try state.session.play(direction, using: &source)
    record.append(direction, from: step.afterstate, to: state.session.board)
    isKept = false
    if !isOwn { state.helper = player.name }
    countForBestScore()
    past.append(before)
    content.advice = nil
  }

  private mutating func countForBestScore() {
    if state.helper == nil { content.bestScore = max(content.bestScore, session.score) }
  }

  /// Writes the game and the best score to their files, unless they are there. What fails is tried again later.
  private mutating func keep() {
    lastKept = .now
    bestScoreFailure = PlayLoop.failure { try bestScore?.record(content.bestScore) }
    guard !isKept, var file = kept else { return }
    failure = PlayLoop.failure {
      try file.write(
        record, score: session.score, rules: session.rules, seed: seed, helper: state.helper)
      isKept = true
    }
    kept = file
  }

  private static func failure(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private mutating func updateContent() {
    let session = state.session
    content.board = session.board
    content.score = session.score
    content.scoreName = state.helper == nil ? "score" : "score with help"
    content.moves = session.moves
    // The lines have room for 39 characters.
    content.message =
      switch session.phase {
      case _ where isDiscarding: "Press n again to discard this game."
      case _ where failure != nil:
        "Not kept: \((failure as? LocatedError)?.problem ?? "\(failure!)")"
      case .over: "Game over. Press n for a new game."
      case .won: "You made 2048! Press c to play on."
      case .playing, .playingPastWin:
        isPlayerPlaying
          ? "Playing, \(terminal.pace) ms per move. p stops it."
          : isUntouched && isContinued ? "Continued. Press n for a new game." : ""
      }
  }
}

extension Decision {
  /// The decision as the screen shows it; nil if no move is legal.
  fileprivate var advice: Advice? {
    guard let best else { return nil }
    let bestValue = moves[best.rawValue].value
    return Advice(
      best: best,
      losses: moves.compactMap { move in
        guard move.direction != best, let value = move.value, let bestValue else { return nil }
        return (move.direction, bestValue - value)
      }, probability: isFromTable ? bestValue : nil)
  }
}
