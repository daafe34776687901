import Foundation
import Testing

@Suite("Usage errors")
struct UsageTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test(
    "they are two lines: what is wrong, and where to read about it",
    arguments: [
      (["train", "--config", "tiny.json", "--episodes", "-5"], "'-5' is negative"),
      (["train", "--config", "tiny.json", "--episodes", "1.5"], "'1.5' is not a whole number"),
      (["train", "--config", "tiny.json", "--episodes", "abc"], "'abc' is not a number"),
      (["train", "--config", "tiny.json", "--episodes", "1e30"], "'1e30' is too large"),
      (["train", "--config", "tiny.json", "--episodes", "0"], "count of at least 1"),
      (
        ["train", "--config", "tiny.json", "--episodes", ""],
        "argument 5, after '--episodes', is empty"
      ),
      (["train", "--config", "tiny.json", "--threads", "0"], "count of at least 1"),
      (["train", "--config", "tiny.json", "--threads", "5000"], "1 to 1024 threads"),
      (["train", "--config", "tiny.json", "--minutes", "1e12"], "at most 16000000"),
      (["sweep", "--plan", "plan.json", "--threads", "5000"], "1 to 1024 threads"),
      (["train", "--config", "tiny.json", "--seed", "-1"], "'-1' is negative"),
      (["train", "--config", "tiny.json", "--sed", "1"], "'--seed'"),
      (["train", "--config", "tiny.json", "--episodes"], "--episodes"),
      (["train", "--config", "tiny.json", "more"], "more"),
      (["train"], "--config"),
      (["train", "--resume", "x", "--config", "tiny.json"], "Leave out --config"),
      (["train", "--resume", "x", "--seed", "3"], "Leave out --seed"),
      (["train", "--resume", "x", "--init", "y"], "Leave out --init"),
      (["evaluate", "--against", "random", "--games", "0"], "count of at least 1"),
      (["evaluate", "x", "--depth", "0"], "1 to 8 plies"),
      (["evaluate", "x", "--depth", "-1"], "'-1' is negative"),
      (["analyze"], "--board"),
      (["analyze", "--board", "1000000000000001", "--depth", "9"], "1 to 8 plies"),
      (["frobnicate"], "unknown command 'frobnicate'"),
      (["trian"], "unknown command 'trian'. Did you mean 'train'?"),
      (["evalute", "ntuple", "--games", "10"], "Did you mean 'evaluate'?"),
      (["bench", "serach"], "Did you mean 'search'?"),
      (["train", "--epsiodes", "10"], "unknown option '--epsiodes'. Did you mean '--episodes'?"),
      (["train", "--config", "tiny.json", "--epsiodes=10"], "Did you mean '--episodes'?"),
      (["bench", "--threds", "1"], "Did you mean '--threads'?"),
      (["inspect", "--jsn"], "Did you mean '--json'?"),
      (["analyze", "--bord", "12"], "Did you mean '--board'?"),
      (["average", "tiny", "--ouput", "x"], "Did you mean '--output'?"),
      (["sweep", "--pln", "plan.json"], "Did you mean '--plan'?"),
      (["parse", "evaluate", "--dpeth", "1"], "Did you mean '--depth'?"),
      (["inspect", "--card"], "Name it"), (["replay"], "file"),
    ])
  func usage(arguments: [String], what: String) throws {
    let outcome = try workspace.run(arguments)
    #expect(outcome.code == 64, "\(outcome)")
    #expect(outcome.output == "")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome)")
    #expect(lines.first?.hasPrefix("learn2048: ") ?? false)
    #expect(lines.first?.contains(what) ?? false, "\(outcome)")
    #expect(lines.last?.contains("--help") ?? false)
    #expect(!workspace.exists("Models"))
  }

  @Test(
    "a player that there is not is a usage error",
    arguments: [
      ("ramdom", "unknown player 'ramdom'. Did you mean 'random'?"),
      ("expectimax:deep=2", "has no option 'deep'"), ("random:depth=2", "takes no options"),
    ])
  func players(player: String, problem: String) throws {
    for command in [["evaluate", "--against"], ["play", "--watch", "--player"]] {
      let outcome = try workspace.run(command + [player])
      #expect(outcome.code == 64, "\(outcome)")
      #expect(outcome.errors.contains(problem), "\(outcome)")
    }
  }

  @Test("help is only for commands that there are")
  func helpOfCommands() throws {
    let known = try workspace.run("help", "tables", "build")
    #expect(known.code == 0 && known.output.contains("tables build"), "\(known)")
    for (words, problem) in [
      (["help", "trian"], "unknown command 'trian'. Did you mean 'train'?"),
      (["help", "tables", "biuld"], "unknown command 'biuld'. Did you mean 'build'?"),
    ] {
      let outcome = try workspace.run(words)
      #expect(outcome.code == 64 && outcome.errors.contains(problem), "\(outcome)")
    }
  }

  @Test("a run or sweep cannot have a name that means another model")
  func ambiguousNames() throws {
    try workspace.write(try workspace.text("tiny.json"), "default.json")
    try workspace.write(#"{"base": "tiny.json", "budget": {"episodes": 10}}"#, "plan.json")
    for (command, name) in [
      (["train", "--config", "tiny.json", "--run", "default"], "default"),
      (["train", "--config", "tiny.json", "--run", "a@latest"], "a@latest"),
      (["train", "--config", "default.json"], "default"),
      (["sweep", "--plan", "plan.json", "--run", "other/default"], "other/default"),
    ] {
      let outcome = try workspace.run(command)
      #expect(outcome.code == 64, "\(outcome)")
      #expect(outcome.errors.hasPrefix("learn2048: \(name): is a name for "), "\(outcome)")
      #expect(outcome.errors.contains("--run"))
    }
    #expect(!workspace.exists("Models/default") && !workspace.exists("Models/a@latest"))
  }

  @Test("commands on records and tables say which tiles they can use")
  func unsuitableTiles() throws {
    let recorded = try workspace.run(
      "evaluate", "--against", "random", "--games", "2", "--record", "games")
    #expect(recorded.code == 0)
    let census = try workspace.run("tables", "census", "games")
    #expect(census.code == 65 && census.errors.contains("no game has a tile of 16384"), "\(census)")
    let goal = try workspace.run("tables", "build", "T", "####/##../..../....", "2048")
    #expect(goal.code == 64 && goal.errors.contains("a tile from 8 to 1024"), "\(goal)")
  }

  @Test(
    "help and the version succeed",
    arguments: [["--help"], ["train", "--help"], ["--version"], []])
  func help(arguments: [String]) throws {
    let outcome = try workspace.run(arguments)
    #expect(outcome.code == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.errors == "")
  }
}
