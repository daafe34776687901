import Foundation
import TestSupport
import Testing

@Suite("review")
struct ReviewCommandTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train()
    let outcome = try workspace.run(
      "evaluate", "--against", "random", "--against", "greedy", "--games", "2", "--seed", "9",
      "--record", "games", "--json")
    try #require(outcome.code == 0, "\(outcome)")
  }

  private func review(_ arguments: String...) throws -> JSON {
    let outcome = try workspace.run(["review"] + arguments + ["--model", "tiny", "--json"])
    try #require(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.count == 1 && outcome.errors == "")
    return try JSON(outcome.output)
  }

  @Test("--json has the summary and all moves")
  func schema() throws {
    let review = try review("games", "--depth", "1")
    #expect(
      review.keys == [
        "player", "score", "best", "small", "medium", "large", "accuracy", "worst", "moments",
        "moves",
      ])
    #expect(review["player"].string == "learned:model=tiny,depth=1")
    let moves = review["moves"].array
    #expect(
      moves[0].keys == [
        "number", "board", "played", "best", "score", "expected", "loss", "share", "meanLoss",
      ])
    let losses = try moves.map { try #require($0["loss"].number) }
    #expect(losses.allSatisfy { $0 >= 0 })
    let shares = try moves.map { try #require($0["share"].number) }
    #expect(shares.allSatisfy { (0...1).contains($0) })
    let counts = ["best", "small", "medium", "large"].compactMap { review[$0].integer }
    #expect(counts.reduce(0, +) == moves.count)
    #expect(counts[0] == losses.filter { $0 == 0 }.count)
    #expect(counts[3] == shares.filter { $0 >= 0.1 }.count)
    let worst = try review["worst"].array.map { try #require($0.integer) }
    #expect(worst.map { shares[$0 - 1] } == Array(shares.sorted(by: >).prefix(10)))
    let moments = try review["moments"].array.map { try #require($0.integer) }
    #expect(moments == moments.sorted() && moments.contains(worst[0]))
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 20 })
    #expect(try #require(review["accuracy"].number) < 1)
    // A board and its move are those of an analysis.
    let analysis = try workspace.run(
      "analyze", "--board", try #require(moves[5]["board"].string),
      "--model", "tiny", "--depth", "1", "--json")
    let values = try JSON(analysis.output)["moves"].array
    let best = try #require(values.compactMap { $0["value"].number }.max())
    let played = try #require(
      values.first { $0["direction"] == moves[5]["played"] }?["value"].number)
    #expect(abs(best - played - losses[5]) < 1e-9)
    let expected = try #require(moves[5]["expected"].number)
    #expect(abs(expected - best - Double(try #require(moves[5]["score"].integer))) < 1e-9)
  }

  // Promise: A review leaves games alone
  @Test("the boards of a replay are reviewed like the recorded game")
  func sources() throws {
    let recorded = try review("games", "--game", "2", "--of", "greedy", "--depth", "1")
    let replay = try workspace.run("replay", "games", "--game", "2", "--player", "greedy")
    try workspace.write(replay.output, "replay.txt")
    #expect(try review("replay.txt", "--depth", "1") == recorded)
    let boards = recorded["moves"].array.compactMap { $0["board"].string }
    let last = try #require(replay.lines.last { $0.contains("+") }?.split(separator: " ").last)
    try workspace.write((boards + [String(last)]).joined(separator: "\n"), "boards.txt")
    let plain = try review("boards.txt", "--depth", "1")
    #expect(plain["score"] == recorded["score"])
    #expect(plain["moves"].array.count == boards.count)
    let piped = try workspace.shell(
      #""$learn2048" review - --model tiny --depth 1 --json < replay.txt"#)
    #expect(try JSON(piped.output) == recorded)
    #expect(try review("games", "--depth", "1") != recorded)
  }

  @Test("games of other programs are reviewed and replayed, or say what they lack")
  func otherPrograms() throws {
    try workspace.write(
      "1: left\n2 2 4 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n2: down\n4 4 0 0\n2 0 0 0\n0 0 0 0\n0 0 0 0\n",
      "log")
    #expect(try review("log", "--depth", "1")["score"].integer == 4)
    let replay = try workspace.run("replay", "log")
    #expect(
      replay.lines.starts(with: [
        "# log", "0 start 0 1120000000000000", "1 left +4 4 2200100000000000",
      ]),
      "\(replay)")
    try workspace.write(
      "1 1 2 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n2 2 0 0\n1 0 0 0\n0 0 0 0\n0 0 0 0\n", "rows")
    #expect(try review("rows", "--exponents", "--depth", "1")["score"].integer == 4)
    #expect(try workspace.run("replay", "rows", "--exponents").lines[2] == replay.lines[2])
    try workspace.write("URDLURDL", "moves")
    try workspace.write(
      #"{"grid":{"size":4,"cells":[[{"value":2},null,null,null],[null,null,null,null],[null,null,null,null],"#
        + #"[null,null,null,{"value":4}]]},"score":8}"#, "state")
    for (command, file, words) in [
      ("review", "moves", "has 8 moves and no boards"),
      ("replay", "moves", "has 8 moves and no boards"),
      ("review", "state", "Evaluate the board with learn2048 analyze 1000000000000002."),
    ] {
      let outcome = try workspace.run(
        [command, file] + (command == "review" ? ["--model", "tiny"] : []))
      #expect(outcome.code == 65 && outcome.errors.contains(words), "\(outcome)")
    }
    let state = try workspace.run("replay", "state")
    #expect(state.code == 0 && state.lines[1] == "0 start 8 1000000000000002", "\(state)")
    let option = try workspace.run("replay", "log", "--player", "x")
    #expect(
      option.code == 64 && option.errors.contains("--player is for recorded games"), "\(option)")
  }

  @Test("the text has the summary, and the boards that mattered most or all moves")
  func text() throws {
    let document = try review("games", "--threads", "1")
    #expect(document["player"].string == "learned:model=tiny,depth=3")
    let outcome = try workspace.run("review", "games", "--model", "tiny", "--threads", "3")
    #expect(outcome.code == 0, "\(outcome)")
    let moves = document["moves"].array.count
    #expect(outcome.lines[0] == "reviewed by learned:model=tiny,depth=3")
    #expect(outcome.lines[1].hasSuffix("in \(moves) moves"))
    let accuracy = try #require(document["accuracy"].number)
    #expect(outcome.lines[3] == "accuracy " + String(format: "%.1f%%", 100 * accuracy))
    let moments = document["moments"].array.compactMap(\.integer)
    #expect(!moments.isEmpty)
    // Without empty lines: the summary, a title, and for each moment a line and a board of four rows.
    #expect(outcome.lines.count == 5 + 5 * moments.count, "\(outcome)")
    let first = document["moves"].array[moments[0] - 1]
    #expect(
      outcome.lines[5].hasPrefix(
        "move \(moments[0]): \(first["played"].string ?? "") instead of \(first["best"].string ?? "") gave away"
      ))
    let all = try workspace.run("review", "games", "--model", "tiny", "--all")
    #expect(all.lines.count == 6 + moves)
  }

  @Test("a player whose values are not points is rejected", arguments: ["heuristic", "greedy"])
  func noPoints(player: String) throws {
    let outcome = try workspace.run("review", "games", "--player", player)
    #expect(outcome.code == 64 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("are not points"))
    #expect(outcome.errors.contains("montecarlo"))
  }

  @Test("errors name the place and the remedy")
  func errors() throws {
    try workspace.write("1120000000000000\n2200000000000000\n", "bad.txt")
    let pair = try workspace.run("review", "bad.txt", "--model", "tiny")
    #expect(pair.code == 65 && pair.output == "", "\(pair)")
    #expect(
      pair.errors.hasPrefix(
        "learn2048: bad.txt: line 2: no move leads from 1120000000000000 to 2200000000000000. Check that"
      ))
    let option = try workspace.run("review", "bad.txt", "--model", "tiny", "--game", "2")
    #expect(option.code == 64 && option.errors.contains("--game is for recorded games"))
    let game = try workspace.run("review", "games", "--model", "tiny", "--game", "3")
    #expect(game.code == 64 && game.errors.contains("The last is 2"), "\(game)")
    let player = try workspace.run("review", "games", "--model", "tiny", "--of", "rules")
    #expect(player.code == 64 && player.errors.contains("random, greedy"), "\(player)")
    let file = try workspace.run("review", "none", "--model", "tiny")
    #expect(file.code == 66 && file.errors.contains("none"), "\(file)")
    try workspace.train(
      "--run", "small", "--set", "game.boardSize=3", "--set", #"network.patterns=["012","45"]"#)
    let size = try workspace.run("review", "games", "--model", "small")
    #expect(size.code == 64 && size.errors.contains("3x3"), "\(size)")
    try workspace.damage("games") { $0 / 2 }
    let damaged = try workspace.run("review", "games", "--model", "tiny")
    #expect(damaged.code == 65 && damaged.errors.contains("byte "), "\(damaged)")
  }

  // Promise: A review leaves games alone
  @Test("files that are reviewed, replayed or served stay as they are")
  func filesStay() throws {
    let replay = try workspace.run("replay", "games")
    try workspace.write(replay.output, "boards.txt")
    // A file that is written again gets another date.
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let files = ["games", "boards.txt"]
    for name in files {
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: workspace.path(name))
    }
    func contents() throws -> [Data] {
      try files.map { try Data(contentsOf: URL(fileURLWithPath: workspace.path($0))) }
    }
    let (before, names) = (try contents(), workspace.names(in: "."))
    for name in files { _ = try review(name, "--depth", "1") }
    #expect(try workspace.run("replay", "games", "--game", "2").code == 0)
    let server = try workspace.start("serve", "--port", "0", "--model", "tiny", "--games", "games")
    try server.waitForLines(1)
    let address = try #require(URLComponents(string: String(server.output.dropLast())))
    for path in ["/api/games", "/api/games/1", "/api/games/2?player=greedy"] {
      let client = try SocketClient(port: try #require(address.port))
      client.get(path)
      #expect(
        client.receive() && client.received.starts(with: Array("HTTP/1.1 200".utf8)), "\(path)")
    }
    server.send(SIGTERM)
    _ = try server.finish()
    #expect(try contents() == before)
    #expect(workspace.names(in: ".") == names)
    for name in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: workspace.path(name))
      #expect(attributes[.modificationDate] as? Date == date, "\(name)")
    }
  }

  // Promise: A review leaves games alone
  @Test("a review depends on the game and the player only")
  func sameAnswer() throws {
    let first = try review("games", "--game", "2", "--depth", "2", "--threads", "1")
    _ = try review("games", "--game", "1", "--depth", "1")
    #expect(try review("games", "--game", "2", "--depth", "2", "--threads", "3") == first)
    // The name of the file, what else is in it, and its date do not matter.
    let replay = try workspace.run("replay", "games", "--game", "2")
    try workspace.write("# another\n\n" + replay.output, "other.txt")
    #expect(try review("other.txt", "--depth", "2") == first)
  }

  // Promise: A review leaves games alone
  @Test("hostile files are rejected before they cost much")
  func hostileFiles() throws {
    try workspace.write(String(repeating: "1120000000000000\n", count: 300_000), "long.txt")
    try workspace.write(String(repeating: "5", count: 2_000), "line.txt")
    try workspace.write("1120000000000000\n\u{1B}[2J00100000000000\n", "control.txt")
    for (name, words) in [
      ("long.txt", "4 MiB"), ("line.txt", "1,024 bytes"), ("/dev/zero", "4 MiB"),
      ("control.txt", "line 2"),
    ] {
      let outcome = try workspace.run("review", name, "--model", "tiny")
      #expect(outcome.code == 65 && outcome.output == "", "\(name): \(outcome)")
      #expect(outcome.errors.contains(words), "\(name): \(outcome)")
      #expect(!outcome.errors.contains("\u{1B}") && outcome.errors.utf8.count < 1_000)
    }
  }

  @Test("simulated games review without a model")
  func monteCarlo() throws {
    try workspace.write("1120000000000000\n2200100000000000\n", "boards.txt")
    let outcome = try workspace.run(
      "review", "boards.txt", "--player", "montecarlo:simulations=2", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    let again = try workspace.run(
      "review", "boards.txt", "--player", "montecarlo:simulations=2", "--json")
    #expect(again.output == outcome.output)
    // The simulated games of a board are those of analyze.
    let analyzed = try workspace.run(
      "analyze", "1120000000000000", "--player", "montecarlo:simulations=2", "--json")
    let values = try JSON(analyzed.output)["moves"].array.compactMap { $0["value"].number }
    #expect(try JSON(outcome.output)["moves"].array[0]["expected"].number == values.max())
  }

  @Test("a file is looked at before a model is read", arguments: ["review", "analyze --file"])
  func order(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let outcome = try workspace.run(words + ["none", "--model", "missing.safetensors"])
    #expect(outcome.code == 66 && outcome.errors.contains("none: does not exist"), "\(outcome)")
  }
}
