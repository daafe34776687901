import Testing

@Suite("how models search")
struct SearchOptionTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train()
  }

  /// What `analyze` makes of a board.
  private func values(_ arguments: String...) throws -> String {
    let outcome = try workspace.run(
      ["analyze", "--board", "1230402302346503", "--json"] + arguments)
    try #require(outcome.code == 0, "\(outcome)")
    return outcome.output
  }

  @Test("the options are those of the player learned")
  func optionsAreKeys() throws {
    let plain = try values("--depth", "3")
    #expect(try values("--player", "learned:model=tiny,depth=3") == plain)
    #expect(try values("--depth", "3", "--table", "1M", "--search-threads", "2") == plain)
    let cut = try values("--depth", "4", "--probability", "0.02", "--limits", "3:2")
    #expect(cut != plain)
    #expect(
      try values("--player", "learned:model=tiny,depth=4,probability=0.02,limits=3:2") == cut)
    #expect(
      try values("--nodes", "2e3", "--downgrade", "2048")
        == values("--player", "learned:model=tiny,nodes=2000,downgrade=2048"))
    _ = try values("--time", "1ms")
  }

  /// A value of every option of the reference, with the options that it requires.
  private static let samples = [
    "depth": ["--depth", "4"], "time": ["--time", "5"], "average": ["--average", "3"],
    "nodes": ["--nodes", "20"], "probability": ["--depth", "4", "--probability", "0.5"],
    "limits": ["--depth", "4", "--limits", "6:3"], "table": ["--depth", "4", "--table", "1M"],
    "threads": ["--depth", "4", "--search-threads", "2"], "downgrade": ["--downgrade", "2048"],
    "tables": ["--tables", "Tables"], "endgame": ["--endgame", "Chains"],
    "handover": ["--endgame", "Chains", "--handover", "4096"],
  ]

  @Test("every option of searches is an option of commands")
  func allOptions() throws {
    let page = try String(
      contentsOf: Workspace.repository.appendingPathComponent("Docs/Reference/Players.md"),
      encoding: .utf8)
    let searches = try #require(page.components(separatedBy: "\n## Searches\n").last)
    let table = searches.split(separator: "\n").drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }
    let keys = table.compactMap { $0.firstMatch(of: /^\| `(\w+)`/).map { String($0.output.1) } }
    #expect(Set(keys) == Set(SearchOptionTests.samples.keys).union(["evaluator", "model"]))
    for (key, options) in SearchOptionTests.samples {
      let value = try #require(options.last)
      // A player that is given twice is an error with its canonical text, before anything is read.
      let outcome = try workspace.run(["evaluate", "tiny", "tiny"] + options)
      let text = try #require(
        outcome.errors.firstMatch(of: /learned:(\S+) is given twice/)?.output.1)
      #expect(text.split(separator: ",").contains("\(key)=\(value)"), "\(outcome)")
      let asPlayer = try workspace.run(
        ["analyze", "--board", "12", "--player", "learned:model=tiny"] + options)
      #expect(asPlayer.code != 64, "\(asPlayer)")
    }
  }

  @Test("a player takes them as its own")
  func ofPlayers() throws {
    #expect(
      try values("--player", "heuristic", "--depth", "2") == values("--player", "heuristic:depth=2")
    )
    #expect(
      try values("--player", "expectimax:evaluator=emptyCells", "--nodes", "500", "--table", "64K")
        == values("--player", "expectimax:evaluator=emptyCells,nodes=500,table=64K"))
    #expect(
      try values("--player", "heuristic:", "--depth", "2")
        == values("--player", "heuristic:depth=2")
    )
    #expect(
      try values("--player", "heuristic", "--depth", "auto")
        == values("--player", "heuristic:depth=auto"))
    #expect(
      try values("--depth", "auto", "--probability", "0.1")
        == values("--player", "learned:model=tiny,depth=auto,probability=0.1"))
  }

  @Test("evaluate and play take them for their models")
  func names() throws {
    let evaluated = try workspace.run(
      "evaluate", "tiny", "--nodes", "50", "--games", "1", "--against", "random", "--json")
    #expect(
      try JSON(evaluated.output)["players"].array.compactMap { $0["name"].string } == [
        "learned:model=tiny,nodes=50", "random",
      ])
    let both = try workspace.run(
      "evaluate", "tiny", "--depth", "2", "--depth", "3", "--probability", "0.5", "--games", "1",
      "--json")
    #expect(
      try JSON(both.output)["players"].array.compactMap { $0["name"].string } == [
        "learned:model=tiny,depth=2,probability=0.5", "learned:model=tiny,depth=3,probability=0.5",
      ])
    let played = try workspace.run(
      "play", "--model", "tiny", "--depth", "2", "--watch", "--seed", "1")
    #expect(played.output.contains("(learned:model=tiny,depth=2, seed 1)"), "\(played)")
  }

  @Test(
    "contradictions are refused by name",
    arguments: [
      (["analyze", "--board", "12", "--depth", "1", "--table", "1M"], "depth=1 and table"),
      (["evaluate", "tiny", "--time", "1", "--depth", "1"], "depth=1 and time"),
      (["evaluate", "tiny", "--nodes", "10", "--search-threads", "2"], "nodes and threads"),
      (["evaluate", "tiny", "--time", "never"], "time cannot be 'never'"),
      (["play", "--watch", "--depth", "2", "--depth", "3"], "--depth is given twice"),
      (
        ["play", "--watch", "--player", "heuristic:time=2", "--time", "1"], "'time'"
      ),
      (["analyze", "--board", "12", "--player", "greedy", "--depth", "2"], "takes no options"),
      (["evaluate", "--against", "greedy", "--depth", "5"], "--depth is for models, and none is"),
      (["evaluate", "--against", "greedy", "--search-threads", "2"], "heuristic:threads=2"),
    ])
  func contradictions(arguments: [String], message: String) throws {
    let outcome = try workspace.run(arguments)
    #expect(outcome.code == 64, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome)")
  }
}
