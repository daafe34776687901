import Foundation
import Testing

@Suite("tables")
struct TablesTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private let arguments = ["tables", "build", "Tables", "####/####/#.../#...", "32"]

  @Test("a table is built once, and searches use it")
  func building() throws {
    let built = try workspace.run(arguments + ["--threads", "1"])
    #expect(built.code == 0, "\(built)")
    #expect(built.output.hasPrefix("Tables/locked-11FF-32.table: "), "\(built)")
    #expect(built.output.contains(" probabilities, "))
    func fileNumber() throws -> Int? {
      let path = workspace.path("Tables/locked-11FF-32.table")
      return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
    let first = try #require(try fileNumber())
    let again = try workspace.run(arguments)
    #expect(again.code == 0, "\(again)")
    #expect(try fileNumber() == first)
    for player in [
      "heuristic:depth=2,tables=Tables", "expectimax:evaluator=emptyCells,tables=Tables",
    ] {
      let played = try workspace.run(
        "evaluate", "--against", player, "--games", "2", "--threads", "1")
      #expect(played.code == 0, "\(played)")
      #expect(played.output.contains("tables=Tables"), "\(played)")
    }
  }

  @Test("inspect describes tables, and finds a changed byte")
  func inspecting() throws {
    try #require(try workspace.run(arguments).code == 0)
    let path = "Tables/locked-11FF-32.table"
    for name in ["Tables", path] {
      let tables = try JSON(workspace.run("inspect", name, "--json").output)["tables"].array
      #expect(tables.count == 1 && tables[0]["path"].string == path)
      #expect(tables[0]["locked"].string == "####/####/#.../#...")
      #expect(tables[0]["goal"].integer == 32 && tables[0]["target"].string == "tile")
      #expect(tables[0]["largestSum"].integer == 96)
    }
    let text = try workspace.run("inspect", "Tables")
    #expect(text.code == 0 && text.output.hasPrefix("\(path): intact\n"), "\(text)")
    let card = try workspace.run("inspect", "Tables", "--card")
    #expect(card.code == 64 && card.errors.contains("--card"), "\(card)")
    var bytes = try workspace.directory.bytes(path)
    bytes[bytes.count - 1] ^= 1
    try workspace.directory.write(bytes, path)
    let damaged = try workspace.run("inspect", "Tables")
    #expect(damaged.code == 65 && damaged.output.isEmpty, "\(damaged)")
    #expect(damaged.errors.contains(path) && damaged.errors.contains("checksum"), "\(damaged)")
  }

  @Test("tables leave the depths of a model as they are")
  func depths() throws {
    try workspace.train()
    try #require(try workspace.run(arguments).code == 0)
    let evaluated = try workspace.run(
      "evaluate", "tiny", "--tables", "Tables", "--games", "1", "--json")
    #expect(
      try JSON(evaluated.output)["players"].array.compactMap { $0["name"].string } == [
        "learned:model=tiny,depth=1,tables=Tables", "learned:model=tiny,depth=2,tables=Tables",
      ], "\(evaluated)")
  }

  @Test("a board that a table knows has another value")
  func analysis() throws {
    try #require(try workspace.run(arguments).code == 0)
    // Ten different tiles from 32 on, and 4, 8 and 2 on free cells.
    let board = "56789ABCD023E100"
    let plain = try workspace.run("analyze", board, "--player", "heuristic:depth=1")
    let known = try workspace.run("analyze", board, "--player", "heuristic:depth=1,tables=Tables")
    #expect(plain.code == 0 && known.code == 0, "\(plain) \(known)")
    #expect(plain.output != known.output)
  }

  @Test("an endgame player takes over with tables of chains")
  func chains() throws {
    let shape = ["tables", "build", "Chains", "###./###./..../....", "32", "--chain"]
    let built = try workspace.run(shape + ["--margin", "0"])
    #expect(built.code == 0, "\(built)")
    #expect(built.output.hasPrefix("Chains/chain-0077-32.table: "), "\(built)")
    // Late in the game, a table leads with probabilities; before, the search decides.
    let player = "heuristic:depth=1,endgame=Chains"
    let late = try workspace.run("analyze", "EDC4BA5300110001", "--player", player)
    let early = try workspace.run("analyze", "CBA4987300110001", "--player", player)
    #expect(late.code == 0 && early.code == 0, "\(late) \(early)")
    #expect(
      late.output.contains(", from a table\n") && late.output.contains("  probability "), "\(late)")
    #expect(!early.output.contains("table\n"), "\(early)")
    #expect(early.output.contains("value 1200807"), "\(early)")
    let played = try workspace.run(
      "evaluate", "--against", player + ",handover=64", "--games", "2", "--threads", "1")
    #expect(played.code == 0 && played.output.contains("endgame=Chains"), "\(played)")
    #expect(
      played.errors.contains(#/tables played [0-9,]+ of [0-9,]+ late boards, [0-9.]+%/#),
      "\(played)")
    // Tables of chains do not value leaves, and an endgame player needs chains.
    let leaves = try workspace.run(
      "evaluate", "--against", "heuristic:tables=Chains", "--games", "1")
    #expect(leaves.code == 66 && leaves.errors.contains("no endgame tables"), "\(leaves)")
    let nobody = try workspace.run(
      "evaluate", "--against", "heuristic:handover=64", "--games", "1")
    #expect(nobody.code == 64 && nobody.errors.contains("endgame"), "\(nobody)")
  }

  @Test("other locked cells have no chains")
  func wrongChain() throws {
    let outcome = try workspace.run(
      "tables", "build", "Chains", "####/##../..../....", "32", "--chain")
    #expect(outcome.code == 64 && outcome.errors.contains("###./###./..../...."), "\(outcome)")
    let small = try workspace.run(
      "tables", "build", "Chains", "###./###./..../....", "16", "--chain")
    #expect(small.code == 64 && small.errors.contains("32 to 1024"), "\(small)")
  }

  @Test("without cells and a goal, both tables of the endgame player are built")
  func endgameTables() throws {
    let terminal = try PseudoTerminal()
    let program = try Program(
      executable: Executable.path(), ["tables", "build", "Chains", "--margin", "0"],
      in: workspace.directory.path, environment: Workspace.environment(),
      terminal: terminal.handle)
    try terminal.waitForText("chain-0037-1024 (1/2)")
    program.send(SIGINT)
    #expect(try program.finish().code == 130)
    #expect(workspace.names(in: "Chains") == ["chain-0037-1024.part"])
    let other = try workspace.run("tables", "build", "Chains", "--margin", "2")
    #expect(other.code == 73 && other.errors.contains("--margin"), "\(other)")
    // One that exists is not built again.
    try workspace.write("damaged", "Chains/chain-0037-1024.table")
    let first = try workspace.run("tables", "build", "Chains", "--margin", "0")
    #expect(first.code == 65 && first.errors.contains("chain-0037-1024.table"), "\(first)")
    let odd = try workspace.run("tables", "build", "Chains", "--margin", "1")
    #expect(odd.code == 64 && odd.errors.contains("even margin"), "\(odd)")
    let half = try workspace.run("tables", "build", "Chains", "####/##../..../....")
    #expect(half.code == 64 && half.errors.contains("goal"), "\(half)")
  }

  @Test(
    "shapes without a table are usage errors",
    arguments: [
      (["####/####/#.../....", "2048"], "goal"), (["####/....", "32"], "rows"),
      (["#.../..../..../....", "32"], "free cells"), (["####/####/####/#...", "64"], "locked"),
      (["####/####/####/....", "33"], "33"),
    ])
  func mistakes(shape: [String], word: String) throws {
    let outcome = try workspace.run(["tables", "build", "Tables"] + shape)
    #expect(outcome.code == 64 && outcome.errors.contains(word), "\(outcome)")
  }

  @Test("a directory without tables is an error")
  func missing() throws {
    let outcome = try workspace.run(
      "evaluate", "--against", "heuristic:tables=none", "--games", "1")
    #expect(outcome.code == 66 && outcome.errors.contains("none"), "\(outcome)")
  }

  @Test("a census counts recorded games")
  func census() throws {
    let games = try workspace.run(
      "evaluate", "--against", "heuristic:depth=1", "--games", "3", "--record", "games")
    try #require(games.code == 0, "\(games)")
    let outcome = try workspace.run("tables", "census", "games", "--from", "128")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines[0].contains(" positions with 128 or more, of 3 games"), "\(outcome)")
    for text in ["free cells", "442 (10)", "Positions by their largest tiles"] {
      #expect(outcome.output.contains(text), "\(outcome)")
    }
    let missing = try workspace.run("tables", "census", "none")
    #expect(missing.code == 66, "\(missing)")
  }
}
