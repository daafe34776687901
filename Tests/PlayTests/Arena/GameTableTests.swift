import Foundation
import Game2048
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Play

extension GameTable {
  init(_ result: ArenaResult) {
    self.init(seed: result.seed)
    players = result.contestants.enumerated().map { place, name in
      let games = result.results[place].enumerated().map { Game(number: $0, result: $1) }
      return Player(name: name, weights: result.weights[place], games: games)
    }
  }

  /// The same table without some games of a player.
  func without(_ numbers: Set<Int>, of player: Int) -> GameTable {
    var table = self
    table.players[player].games.removeAll { numbers.contains($0.number) }
    return table
  }
}

/// The files of `evaluate --csv`, and evaluations that resume from them.
@Suite struct GameTableTests {
  private let directory: TemporaryDirectory
  private let contestants: [Contestant]
  private let starts = [
    Board(exponents: [9, 8, 7] + [Int](repeating: 0, count: 12) + [1]),
    Board(exponents: [10, 9] + [Int](repeating: 0, count: 12) + [1, 1]),
  ]

  init() throws {
    directory = try TemporaryDirectory()
    let named = try ["random", "rules"].map { try contestant($0) }
    contestants = [
      Contestant(name: #"a,"b""#, weights: "sha256:1", makePlayer: named[0].makePlayer), named[1],
    ]
  }

  private func play(
    _ games: Int, threads: Int = 2, stopping: StoppingRule? = nil, starts: [Board] = [],
    isRecorded: Bool = false, earlier: GameTable? = nil,
    save: (@Sendable (GameTable, Bool) -> Void)? = nil
  ) -> ArenaResult {
    Arena.run(
      contestants: contestants, games: games, seed: 3, threads: threads, stopping: stopping,
      starts: StartBoards(starts), isRecorded: isRecorded,
      earlier: earlier?.players.map(\.games) ?? [],
      save: save)
  }

  private func table(
    _ games: Int, starts: [Board] = [], isRecorded: Bool = false
  ) -> GameTable {
    GameTable(play(games, starts: starts, isRecorded: isRecorded))
  }

  private func read(_ text: String) throws -> GameTable {
    try directory.write(Array(text.utf8), "games.csv")
    return try GameTable(path: directory.file("games.csv"))
  }

  /// Returns what a table is after it was written and read.
  private func copy(_ table: GameTable) throws -> GameTable {
    try table.write(to: directory.file("copy.csv"))
    return try GameTable(path: directory.file("copy.csv"))
  }

  // MARK: Files

  @Test func aFileHasALineForEachGame() throws {
    func game(_ score: Int) -> GameResult {
      GameResult(score: score, moves: score / 4, largestExponent: 5, seconds: 0.25)
    }
    let table = GameTable(
      ArenaResult(
        seed: 9, contestants: ["greedy", #"a:b=1,c="x""#], weights: [nil, "sha256:5"],
        results: [[game(40), game(44)], [game(48), game(52)]]))
    try table.write(to: directory.file("games.csv"))
    let text = String(decoding: try directory.bytes("games.csv"), as: UTF8.self)
    #expect(
      text.split(separator: "\r\n", omittingEmptySubsequences: false) == [
        "game,player,score,moves,largestTile,seconds,seed,weights", "1,greedy,40,10,32,0.25,9,",
        #"1,"a:b=1,c=""x""",48,12,32,0.25,9,sha256:5"#, "2,greedy,44,11,32,0.25,9,",
        #"2,"a:b=1,c=""x""",52,13,32,0.25,9,sha256:5"#, "",
      ])
  }

  @Test func aFileHasTheGamesThatWereWritten() throws {
    let whole = table(7)
    #expect(try copy(whole) == whole && whole.end == 7)
    let late = table(5, starts: starts)
    #expect(try copy(late) == late)
    // Any game may be missing.
    let some = whole.without([0, 3], of: 0).without([5, 6], of: 1)
    let read = try copy(some)
    #expect(Set(read.players) == Set(some.players) && read.end == 7)
  }

  /// Numbers and texts at the ends of their ranges.
  @Test func whateverIsWrittenIsRead() throws {
    let names = ["a", #"",b""#, "ü 🎲", " c ", "", "learned:model=x y,depth=1"]
    let counts = [0, 1, InputLimit.countOfEpisode.most]
    let seconds = [0, .leastNonzeroMagnitude, 0.1, 1e-5, 123_456_789.123, .greatestFiniteMagnitude]
    let starts = [Board(exponents: Array(repeating: 17, count: 16)), Board(), nil]
    for start in starts {
      for rules in [
        Rules.standard, Rules(size: 2, fourProbability: 1), Rules(size: 3, fourProbability: 1e-300),
      ] {
        var table = GameTable(seed: .max, rules: rules)
        for (place, name) in names.enumerated() {
          table.players.append(
            GameTable.Player(name: name, weights: [nil, "sha256:0", #"",""#][place % 3]))
          // The last number is that of the longest evaluation.
          for (number, exponent) in [(0, 1), (1, 17), (2, 18), (3, 31), (Int(1e8), 5)] {
            table.players[place].games.append(
              GameTable.Game(
                number: number,
                result: GameResult(
                  score: counts[(place + number) % 3], moves: counts[number % 3],
                  largestExponent: exponent, seconds: seconds[(place + number) % seconds.count],
                  start: start)))
          }
        }
        #expect(try copy(table) == table)
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func longFilesAreReadInLinearTime() throws {
    // With a copy of all games for each line, this would take several minutes.
    var text = GameTable.columns.joined(separator: ",") + "\n"
    for game in 1...150_000 { text += "\(game),a,4,2,4,0.1,3,\n" }
    #expect(try read(text).end == 150_000)
  }

  @Test(arguments: [
    Rules(size: 3), Rules(fourProbability: 0.3), Rules(size: 2, fourProbability: 0),
  ])
  func aFileNamesOtherThanTheUsualRules(rules: Rules) throws {
    for starts in [[], starts] {
      var games = GameTable(seed: 3, rules: rules)
      games.players = table(2, starts: starts).players
      let read = try copy(games)
      #expect(read == games && read != table(2, starts: starts))
      #expect(read.rules == rules && read.rules != .standard)
    }
  }

  @Test func aFileWithoutRulesHasTheUsualOnes() throws {
    let read = try read(GameTable.columns.joined(separator: ",") + "\r\n1,a,4,2,4,0.1,3,\r\n")
    #expect(read.rules == .standard)
    #expect(Rules.standard.text == "4x4")
    #expect(Rules(size: 3, fourProbability: 1e-5).text == "3x3-1e-05")
    for text in ["", "4", "4x3", "1x1", "5x5", "4x4-", "4x4-2", "4x4-nan", "4x4-0.3-"] {
      #expect(Rules(text: text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("", "has no games"), ("game,player\r\n", "line 1: the columns are not game,player,score"),
    ("HEADER\r\n", "has no games"),
    ("HEADER\r\n3,a,4,2,4,0.1,3,\r\n3,a,4,2,4,0.1,3,\r\n", "line 3: game 3 follows game 3"),
    (
      "HEADER\r\n1,a,4,2,4,0.1,3,\r\n2,a,4,2,4,0.1,4,\r\n",
      "line 3: its seed is 4, and that of the first game is 3"
    ),
    ("HEADER\r\n1,a,4,2,4,0.1,3,\r\n2,a,4,2,4,0.1,3,w\r\n", "line 3: the weights are not those"),
    ("HEADER\r\n1,a,4,2,5,0.1,3,\r\n", "line 2: it has no game"),
    ("HEADER\r\n1,a,4,2,0,0.1,3,\r\n", "line 2: it has no game"),
    ("HEADER\r\n0,a,4,2,4,0.1,3,\r\n", "line 2: it has no game"),
    ("HEADER\r\n1,a,-4,2,4,0.1,3,\r\n", "line 2: it has no game"),
    ("HEADER\r\n1,a,4,2,4,nan,3,\r\n", "line 2: it has no game"),
    ("HEADER\r\n1,a,4,2,4,0.1,3\r\n", "line 2: it has no game"),
    ("HEADER\r\n1,\"a,4,2,4,0.1,3,\r\n", "line 2: it has no game"),
    ("HEADER,start\r\n1,a,4,2,4,0.1,3,,zz\r\n", "line 2: it has no game"),
    ("HEADER,rules\r\n1,a,4,2,4,0.1,3,,9x9\r\n", "line 2: it has no game"),
    ("HEADER,rules\r\n1,a,4,2,4,0.1,3,\r\n", "line 2: it has no game"),
    ("HEADER,start,rules\r\n", "line 1: the columns are not game,player,score"),
    (
      "HEADER,rules\r\n1,a,4,2,4,0.1,3,,3x3\r\n2,a,4,2,4,0.1,3,,3x3-0.3\r\n",
      "line 3: its rules are 3x3-0.3, and those of the first game are 3x3"
    ),
  ]) func damageIsNamed(text: String, message: String) {
    let header = GameTable.columns.joined(separator: ",")
    let error = #expect(throws: LocatedError.self) {
      try read(text.replacing("HEADER", with: header))
    }
    #expect(error?.kind == .unsuitableData, "\(String(describing: error))")
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func gamesOfAnotherTableAreAdded() {
    let whole = table(6)
    var some = whole.without([0, 1, 4], of: 0).without([2], of: 1)
    some.add(whole.without([3, 5], of: 0))
    #expect(some == whole)
    // The added ones win.
    var changed = whole
    changed.players[0].games[2].result.score = 7
    some.add(changed)
    #expect(some == changed)
    var other = GameTable(seed: 3)
    other.add(whole)
    #expect(other == whole)
  }

  // MARK: Resuming

  @Test(arguments: [1, 3]) func earlierGamesAreNotPlayedAgain(threads: Int) throws {
    let whole = play(20, isRecorded: true)
    let played = Mutex(0)
    let counted = contestants.map { contestant in
      Contestant(name: contestant.name, weights: contestant.weights) { seed in
        played.withLock { $0 += 1 }
        return contestant.makePlayer(seed)
      }
    }
    let earlier = table(8, isRecorded: true).without([2, 5], of: 0).without([0], of: 1)
    let last = Mutex<Arena.Standing?>(nil)
    let resumed = Arena.run(
      contestants: counted, games: 20, seed: 3, threads: threads, isRecorded: true,
      earlier: earlier.players.map(\.games),
      progress: { standing in last.withLock { $0 = standing } })
    #expect(played.withLock(\.self) == 40 - 13)
    #expect(resumed.outcomes == whole.outcomes)
    #expect(resumed.results.joined().map(\.record) == whole.results.joined().map(\.record))
    let standing = last.withLock { $0 }
    #expect(standing?.gamesDone == 40 && standing?.gamesPlayed == 27)
    // With all games, none is played.
    #expect(play(8, earlier: table(8)).outcomes == whole.outcomes.map { Array($0.prefix(8)) })
  }

  @Test(arguments: [1, 10, 400]) func theSameGameDecidesAComparison(games: Int) {
    let rule = StoppingRule(players: 2, errorRate: 0.05)
    let whole = play(400, stopping: rule)
    #expect(whole.stopping?.isDecided == true && (11..<400).contains(whole.games))
    let tables = Mutex<[GameTable]>([])
    let resumed = play(400, stopping: rule, earlier: table(games)) { table, _ in
      tables.withLock { $0.append(table) }
    }
    #expect(resumed.outcomes == whole.outcomes)
    #expect(resumed.stopping?.decisions == whole.stopping?.decisions)
    // Games after that are kept.
    #expect(tables.withLock(\.last)?.end ?? 0 >= max(games, whole.games))
  }

  @Test func gamesOfOthersAreRejected() throws {
    let whole = table(3)
    func games(
      _ name: String, _ weights: String?, _ starts: [Board] = [], rules: Rules = .standard
    ) throws -> [GameTable.Game] {
      try whole.games(
        of: name, weights: weights, rules: rules, starts: StartBoards(starts), path: "games.csv")
    }
    #expect(try games(#"a,"b""#, "sha256:1") == whole.players[0].games)
    #expect(try games("rules", nil) == whole.players[1].games)
    #expect(try games("new", "sha256:2") == [])
    for (name, weights, starts, message) in [
      (#"a,"b""#, "sha256:2", [], "with other weights"), (#"a,"b""#, nil, [], "with other weights"),
      ("rules", "x", [], "with other weights"), ("rules", nil, starts, "from other boards"),
    ] {
      let error = #expect(throws: LocatedError.self) { try games(name, weights, starts) }
      #expect(error?.kind == .usage && error?.description.contains(message) == true)
    }
    // Also if the player has no game: the file would have games of both.
    for name in ["rules", "new"] {
      let error = #expect(throws: LocatedError.self) {
        try games(name, nil, rules: Rules(size: 3))
      }
      #expect(error?.kind == .usage)
      #expect(error?.description.contains("other rules: 4x4, but the players play 3x3") == true)
    }
    let late = table(5, starts: starts)
    func lateGames(_ starts: StartBoards) throws -> [GameTable.Game] {
      try late.games(of: "rules", weights: nil, rules: .standard, starts: starts, path: "")
    }
    #expect(try lateGames(StartBoards(starts)).count == 5)
    for others in [StartBoards(starts.reversed()), StartBoards(starts, areDrawn: true)] {
      #expect(throws: LocatedError.self) { try lateGames(others) }
    }
  }

  @Test func movesComeFromTheRecord() throws {
    let whole = table(6, isRecorded: true)
    func record(_ table: GameTable) -> GameRecordFile { GameRecordFile(table) }
    func withMoves(_ table: GameTable, _ file: GameRecordFile) throws -> GameTable {
      try copy(table).withMoves(of: file, path: "record", ownPath: "copy")
    }
    #expect(try withMoves(whole, record(whole)) == whole)
    // The record of a player ends before the first game that it has not played.
    let gap = record(whole.without([4], of: 1))
    #expect(gap.header.gameCounts == [6, 4])
    #expect(try withMoves(whole, gap) == whole.without([4, 5], of: 1))
    let shorter = whole.without([4, 5], of: 0).without([4, 5], of: 1)
    #expect(try withMoves(whole, record(shorter)) == shorter)
    #expect(try withMoves(shorter, record(whole)) == shorter)

    let others = Arena.run(
      contestants: contestants, games: 6, seed: 4, threads: 1, isRecorded: true)
    let error = #expect(throws: LocatedError.self) {
      try withMoves(whole, record(GameTable(others)))
    }
    #expect(error?.description.contains("game 1 of") == true)
    // Games of nobody in the table, with another seed.
    var strangers = GameTable(seed: 4)
    strangers.players = [.init(name: "new", weights: nil, games: whole.players[0].games)]
    let seed = #expect(throws: LocatedError.self) { try withMoves(whole, record(strangers)) }
    #expect(seed?.description.contains("has games of another seed than in copy") == true)
    var small = GameTable(seed: 3, rules: Rules(size: 3))
    small.players = whole.players
    let rules = #expect(throws: LocatedError.self) { try withMoves(whole, record(small)) }
    #expect(rules?.description.contains("other rules (3x3, not 4x4) than in copy") == true)
  }

  // MARK: Records

  /// The players of a record and the scores of their games.
  private func scores(_ file: GameRecordFile) -> [String: [Int]] {
    Dictionary(uniqueKeysWithValues: zip(file.header.players, file.entries.map { $0.map(\.score) }))
  }

  /// A kill or a full disk came before the record.
  @Test func noMovesComeFromAMissingRecord() throws {
    let whole = table(6)
    let games = try whole.withMoves(of: nil, path: "games", ownPath: "games.csv")
    #expect(games.seed == whole.seed && games.rules == whole.rules && games.end == 0)
    #expect(games.players.map(\.name) == whole.players.map(\.name))
  }

  @Test func aRecordKeepsTheGamesOfTheFormerOne() throws {
    let (whole, names) = (table(6, isRecorded: true), contestants.map(\.name))
    let all = scores(GameRecordFile(whole))
    let former = GameRecordFile(whole)
    // A player that plays no longer.
    var alone = whole
    alone.players.remove(at: 0)
    #expect(scores(GameRecordFile(alone, keeping: former)) == all)
    // Fewer games than before, as after a comparison that was decided early.
    let few = whole.without([3, 4, 5], of: 0).without([3, 4, 5], of: 1)
    #expect(GameRecordFile(few, keeping: former) == former)
    // A further player with fewer games, and one without any.
    var added = GameTable(seed: 3)
    added.players = [
      .init(name: "new", weights: nil, games: Array(whole.players[1].games.prefix(2))),
      .init(name: "none", weights: nil),
    ]
    let ragged = GameRecordFile(added, keeping: former)
    #expect(ragged.header.players == ["new"] + names && ragged.header.gameCounts == [2, 6, 6])
    #expect(ragged.header.games == 6)
    #expect(scores(ragged)[names[0]] == all[names[0]])
    // New games replace the old ones of their numbers, and follow them.
    var changed = table(8, isRecorded: true)
    changed.players[0].games[2].result.score = 7
    let longer = GameRecordFile(changed, keeping: former)
    #expect(longer == GameRecordFile(changed) && longer.entries[0][2].score == 7)
    // Games without moves do not hide recorded ones, and nothing follows a gap.
    #expect(GameRecordFile(table(6), keeping: former) == former)
    let late = whole.without([0], of: 0).without([0, 1, 2], of: 1)
    let (gap, empty) = (GameRecordFile(late), table(6))
    #expect(gap.header.players == names && gap.header.games == 0)
    #expect(GameRecordFile(empty).entries == [[], []])
  }

  // MARK: Saving

  @Test func gamesAreSavedAtTheEnd() {
    let saves = Mutex<[(GameTable, Bool)]>([])
    let result = play(5) { table, isLast in saves.withLock { $0.append((table, isLast)) } }
    let all = saves.withLock(\.self)
    #expect(all.count == 1 && all[0].1 && all[0].0 == GameTable(result))
  }

  @Test func gamesAreSavedWhileOthersArePlayed() {
    let saves = Mutex<[Int]>([])
    let games = Mutex(0)
    func saver(_ interval: Duration) -> Saver {
      Saver(games: 2, interval: interval) {
        saves.withLock { $0.append(games.withLock(\.self)) }
      }
    }
    func finish(_ count: Int, _ saver: Saver) {
      games.withLock { $0 = count }
      saver.saveIfDue(games: count)
    }
    let eager = saver(.zero)
    for count in [1, 2, 3, 3] { finish(count, eager) }
    #expect(saves.withLock(\.self) == [3], "only new games")
    let patient = saver(.seconds(1e6))
    for count in [3, 4] { finish(count, patient) }
    #expect(saves.withLock(\.self) == [3], "too early")
  }

  @Test func aSaveThatTakesLongIsRare() {
    let saves = Mutex(0)
    let saver = Saver(games: 0, interval: .zero) {
      saves.withLock { $0 += 1 }
      Thread.sleep(forTimeInterval: 0.1)
    }
    for games in 1...20 { saver.saveIfDue(games: games) }
    #expect(saves.withLock(\.self) == 1)
  }
}
