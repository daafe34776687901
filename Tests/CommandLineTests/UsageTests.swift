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
      (["inspect"], "path"),
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
