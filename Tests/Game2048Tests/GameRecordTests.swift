import Testing

@testable import Game2048

/// A recorded random game with its boards and scores.
private func recordedGame(
  rules: Rules = .standard, seed: UInt64
) -> (record: GameRecord, boards: [Board], scores: [Int]) {
  var source = Xoshiro256(seed: seed)
  var record = GameRecord()
  var board = Board()
  for _ in 0..<2 {
    let before = board
    rules.spawn(on: &board, using: &source)
    record.append(from: before, to: board)
  }
  var boards = [board]
  var scores = [0]
  while let direction = rules.legalDirections(from: board).randomElement(using: &source) {
    let move = rules.move(board, direction)!
    board = move.afterstate
    rules.spawn(on: &board, using: &source)
    record.append(direction, from: move.afterstate, to: board)
    boards.append(board)
    scores.append(scores.last! + move.reward)
  }
  return (record, boards, scores)
}

@Suite struct GameRecordTests {
  @Test(arguments: ["1000000000000002", "0000000110000000"])
  func aRecordBeginsWithTheBoard(text: String) throws {
    let board = try Board(text: text)
    #expect(try GameReplay(GameRecord(start: board)).board == board)
  }

  @Test func movesAreRemoved() throws {
    var record = recordedGame(seed: 1).record
    let game = recordedGame(seed: 1)
    for _ in 0..<5 { record.removeLastMove() }
    #expect(record.moves == game.record.moves - 5)
    #expect(record.bytes.elementsEqual(game.record.bytes.dropLast(5)))
  }

  @Test(arguments: [2, 3, 4])
  func aReplayIsTheGame(size: Int) throws {
    let rules = Rules(size: size)
    for seed in 0..<20 {
      let game = recordedGame(rules: rules, seed: UInt64(seed))
      #expect(game.record.bytes.count == game.boards.count + 1)
      #expect(game.record.moves == game.boards.count - 1)
      var replay = try GameReplay(game.record, rules: rules)
      for place in game.boards.indices {
        #expect(replay.board == game.boards[place])
        #expect(replay.score == game.scores[place])
        #expect(replay.moves == place)
        let step = try replay.step()
        #expect((step != nil) == (place + 1 < game.boards.count))
      }
    }
  }

  @Test func bytesAreAsDocumented() throws {
    var board = Board()
    board[3] = 1
    var record = GameRecord()
    record.append(from: Board(), to: board)
    let before = board
    board[14] = 2
    record.append(from: before, to: board)
    let afterstate = Rules.standard.move(board, .left)!.afterstate
    board = afterstate
    board[15] = 2
    record.append(.left, from: afterstate, to: board)
    // Cell 3; cell 14, a 4; left, cell 15, a 4.
    #expect(record.bytes == [0b0_0_0011_00, 0b0_1_1110_00, 0b0_1_1111_10])
    var replay = try GameReplay(record)
    let step = try replay.step()
    #expect(step?.direction == .left && step?.reward == 0)
    #expect(replay.board == board)
  }

  private static let mistakes: [([UInt8], Int, String)] = [
    ([], 0, "no start"), ([0], 1, "no start"), ([1, 4], 0, "follows no move"),
    ([0, 0], 1, "does not fit in cell 0"), ([0, 0x84], 1, "highest bit"),
    // Two 2s in the upper row: up changes nothing, and left leaves a tile in cell 0.
    ([0, 4, 0], 2, "moving up changes nothing"), ([0, 4, 2], 2, "does not fit in cell 0"),
    // A 2 × 2 board does not have cell 2.
    ([0, 8], 1, "does not fit in cell 2"),
  ]

  @Test(arguments: mistakes)
  func whatIsNoGameIsRefused(bytes: [UInt8], byte: Int, problem: String) {
    let error = #expect(throws: GameRecordError.self) {
      var replay = try GameReplay(GameRecord(bytes: bytes), rules: Rules(size: 2))
      while try replay.step() != nil {}
    }
    #expect(error?.byte == byte)
    #expect(error?.problem.contains(problem) ?? false, "\(error?.problem ?? "")")
  }
}
