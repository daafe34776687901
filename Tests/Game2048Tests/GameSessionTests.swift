import TestSupport
import Testing

@testable import Game2048

@Suite struct GameSessionTests {
  private let game = ReferenceGame()

  private func session(_ rows: String, fourProbability: Double = 0) -> GameSession {
    GameSession(rules: Rules(fourProbability: fourProbability), board: game.board(rows))
  }

  @Test func aNewGameHasTwoTilesAndNoPoints() {
    var source = Xoshiro256(seed: 1)
    let session = GameSession(using: &source)
    #expect(session.board.tileCount == 2)
    #expect(session.score == 0 && session.moves == 0 && session.phase == .playing)
  }

  @Test(arguments: [2, 3, 4], [1, 2, 3] as [UInt64])
  func aWholeGameFollowsTheReference(size: Int, seed: UInt64) throws {
    let game = ReferenceGame(size: size)
    var source = Xoshiro256(seed: seed)
    var session = GameSession(rules: Rules(size: size), using: &source)
    var score = 0
    var moves = 0
    while session.phase != .over {
      let tiles = game.tiles(of: session.board)
      let legal = Direction.allCases.filter { game.move(tiles, $0) != nil }
      #expect(session.legalDirections == legal)
      let direction = try #require(legal.randomElement(using: &source))
      let expected = try #require(game.move(tiles, direction))
      let step = try session.play(direction, using: &source)
      score += expected.points
      moves += 1
      #expect(step.direction == direction && step.reward == expected.points)
      #expect(step.afterstate == game.board(of: expected.tiles))
      var spawned = step.afterstate
      #expect(spawned[step.spawnCell] == 0)
      spawned[step.spawnCell] = step.spawnExponent
      #expect(session.board == spawned)
      #expect(session.score == score && session.moves == moves)
    }
    #expect(game.isOver(game.tiles(of: session.board)))
    #expect(session.legalDirections.isEmpty)
  }

  @Test func winningWaitsForTheDecisionToGoOn() throws {
    var source = Xoshiro256(seed: 2)
    var session = session("1024 1024 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    #expect(session.phase == .playing)
    try session.play(.left, using: &source)
    #expect(session.phase == .won && session.score == 2048 && session.moves == 1)
    #expect(session.legalDirections.isEmpty)
    let won = session.board
    #expect(throws: GameSessionError.noMove(in: .won)) {
      try session.play(.down, using: &source)
    }
    #expect(session.board == won && session.moves == 1)
    try session.keepPlaying()
    #expect(session.phase == .playingPastWin && session.board == won)
    let direction = try #require(session.legalDirections.first)
    try session.play(direction, using: &source)
    #expect(session.phase == .playingPastWin)
  }

  @Test func aSecondWinningTileDoesNotWinAgain() throws {
    var source = Xoshiro256(seed: 3)
    var session = session("2048 1024 1024 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    #expect(session.phase == .playingPastWin)
    try session.play(.left, using: &source)
    #expect(session.phase == .playingPastWin && session.score == 2048)
  }

  @Test(arguments: [GameSession.Phase.playing, .playingPastWin])
  func aMoveThatLeavesNoMoveEndsTheGame(from phase: GameSession.Phase) throws {
    var source = Xoshiro256(seed: 4)
    let corner = phase == .playing ? "1024" : "4096"
    // Left leaves only the upper right corner empty, and the 2 that must appear there merges with nothing.
    var session = session("0 4 8 16 / 16 32 4 32 / 4 16 8 2 / 8 4 16 \(corner)")
    #expect(session.phase == phase)
    try session.play(.left, using: &source)
    #expect(session.phase == .over)
    #expect(throws: GameSessionError.noMove(in: .over)) {
      try session.play(.left, using: &source)
    }
    #expect(throws: GameSessionError.notWon(.over)) {
      try session.keepPlaying()
    }
  }

  @Test func aWinOnADeadBoardIsAWinFirst() throws {
    var source = Xoshiro256(seed: 5)
    var session = session("1024 1024 8 16 / 16 32 4 32 / 4 16 8 2 / 8 4 16 8")
    try session.play(.left, using: &source)
    #expect(session.phase == .won)
    #expect(session.rules.isOver(session.board))
    try session.keepPlaying()
    #expect(session.phase == .over)
  }

  @Test func aMoveThatChangesNothingIsAnError() {
    var source = Xoshiro256(seed: 6)
    let untouched = Xoshiro256(seed: 6)
    var session = session("2 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    let before = session.board
    #expect(throws: GameSessionError.changesNothing(.left)) {
      try session.play(.left, using: &source)
    }
    #expect(session.board == before && session.moves == 0 && session.phase == .playing)
    #expect(source.state == untouched.state)
  }

  @Test func keepPlayingIsForWonGamesOnly() {
    for rows in [
      "2 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", "2048 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0",
      "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2",
    ] {
      var session = session(rows)
      let phase = session.phase
      #expect(throws: GameSessionError.notWon(phase)) {
        try session.keepPlaying()
      }
      #expect(session.phase == phase)
    }
  }

  @Test func aGameGoesOnFromASavedPosition() throws {
    var source = Xoshiro256(seed: 7)
    let board = game.board("65536 65536 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    var session = GameSession(board: board, score: 1_800_000, moves: 40_000)
    try session.play(.right, using: &source)
    #expect(session.score == 1_931_072 && session.moves == 40_001)
    #expect(session.board[3] == 17)
    #expect(session.phase == .playingPastWin)
  }

  @Test func transitionsAreThoseOfTheTable() {
    let table: [GameSession.Phase: Set<GameSession.Phase>] = [
      .playing: [.won, .over], .won: [.playingPastWin, .over], .playingPastWin: [.over], .over: [],
    ]
    for phase in GameSession.Phase.allCases { #expect(phase.successors == table[phase]) }
    #expect(GameSession.Phase.allCases.filter(\.acceptsMoves) == [.playing, .playingPastWin])
  }

  @Test func errorsSayWhatIsWrong() {
    #expect(
      GameSessionError.noMove(in: .over).description
        == "the game is over: no move is taken")
    #expect(
      GameSessionError.noMove(in: .won).description
        == "the game is won: keep playing before the next move")
    #expect(
      GameSessionError.notWon(.playing).description
        == "a game can be kept playing only once it is won, and it is playing")
    #expect(GameSessionError.changesNothing(.up).description == "moving up changes nothing")
  }
}
