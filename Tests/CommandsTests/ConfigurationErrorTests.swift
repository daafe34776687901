import Foundation
import NTupleNetwork
import Testing

@Suite("Configuration errors")
struct ConfigurationErrorTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  /// The lines of standard error, without the program's name; nothing must be left behind.
  private func problems(code: Int32 = 78, _ arguments: String...) throws -> [String] {
    let outcome = try workspace.run(["train"] + arguments)
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.output == "")
    #expect(!workspace.exists("Models"))
    #expect(outcome.errors.hasPrefix("learn2048: "))
    return outcome.errors.dropFirst("learn2048: ".count).split(separator: "\n").map(String.init)
  }

  @Test("all errors of a file and of --set are reported together")
  func together() throws {
    try workspace.write(
      """
      {
        "seed": "x", "sed": 3, "threads": 0,
        "network": {"patterns": ["01", "0x", "012345678", "00", "10"], "patern": 4},
        "game": {"boardSize": 3}, "learning": {"learningRate": 50, "method": "magic"},
        "report": 7, "batchSize": 3
      }
      """, "bad.json")
    let problems = try problems(
      "--config", "bad.json", "--set", "checkpoint.keep=0", "--set", "game.fourProbability=1.5",
      "--set", "episodes=0", "--set", "learning.everything=1")
    let expected = [
      "bad.json: unknown key 'batchSize'. Did you mean 'learning.batchSize'?",
      "bad.json: learning.learningRate = 50 is not allowed. Use a number above 0 and at most 16, "
        + "or steps such as [[0, 0.1], [0.5, 0.01]]",
      "bad.json: learning.method = \"magic\" is not allowed. Use one of ",
      "bad.json: unknown key 'network.patern'. Did you mean 'network.patterns'?",
      "bad.json: report = 7 must be an object with report.everyEpisodes",
      "bad.json: unknown key 'sed'. Did you mean 'seed'?",
      "bad.json: seed = \"x\" is not allowed. Use a whole number of at least 0",
      "bad.json: threads = 0 is not allowed. Use a whole number from 1 to 1024",
      "--set: checkpoint.keep = 0 is not allowed. Use a whole number from 1 to 1000000",
      "--set: game.fourProbability = 1.5 is not allowed. Use a number from 0 to 1",
      "--set: unknown key 'learning.everything'.",
      "--set: episodes = 0 is not allowed without limit.moves or limit.seconds",
      "bad.json: network.patterns: \"0x\" is not a pattern: 'x' ",
      "bad.json: network.patterns: \"012345678\" is not a pattern: cell 3 is not on the 3x3 board",
      "bad.json: network.patterns: \"00\" is not a pattern: cell 0 ",
      "bad.json: network.patterns: \"01\" and \"10\" read the same cells",
    ]
    #expect(problems.count == expected.count, "\(problems.joined(separator: "\n"))")
    for (problem, start) in zip(problems, expected) { #expect(problem.hasPrefix(start)) }
  }

  @Test(
    "values of the wrong type are refused",
    arguments: [
      ("seed=1.5", "seed = 1.5 "), ("seed=-1", "seed = -1 "), ("seed=true", "seed = true "),
      ("seed=1e30", "seed = 1e+30 "), ("threads=null", "threads = null "),
      ("learning.batchSize=[1]", "learning.batchSize = [1] "),
      ("learning.returns=7", "learning.returns = 7 "),
      ("network.patterns=[]", "network.patterns = [] "),
      ("network.patterns=[1]", "network.patterns = [1] "),
      ("network.patterns=9x9", "network.patterns = \"9x9\" "),
      ("description=5", "description = 5 "),
      ("learning.learningRate=[[0.5,0.1]]", "learning.learningRate = [[0.5,0.1]] "),
    ])
  func wrongTypes(setting: String, start: String) throws {
    let problems = try problems("--config", "tiny.json", "--set", setting)
    #expect(problems.count == 1)
    #expect(problems[0].hasPrefix("--set: \(start)is not allowed. Use "), "\(problems[0])")
  }

  @Test("counts in settings are written as anywhere", arguments: ["1e2", "1_00", "100.0"])
  func counts(text: String) throws {
    try workspace.train("--set", "episodes=\(text)")
    #expect(try workspace.inspect("tiny")["episodes"].integer == 100)
  }

  @Test("--set without a value says how it is written")
  func noValue() throws {
    #expect(
      try problems("--config", "tiny.json", "--set", "seed") == [
        "--set seed: no value. Write KEY=VALUE, such as seed=7."
      ])
  }

  @Test(
    "invalid JSON is reported with its place",
    arguments: [
      (
        "{\"seed\": 1,\n \"threads\":}",
        "line 2, column 12: not valid JSON: the document lacks a value here."
      ),
      ("", "line 1, column 1: not valid JSON: the document lacks a value here."),
      ("{\"seed\": 1", "line 1, column 11: not valid JSON: the document lacks a ',' or '}' here."),
      (
        "{\"seed\": 1,\n}",
        "line 1, column 11: not valid JSON: the document has a trailing comma before '}' here."
      ),
      (
        "{\"network\": {\"patterns\": [\"0123\", ]}}",
        "line 1, column 33: not valid JSON: the document has a trailing comma before ']' here."
      ),
      ("{}\n{}", "line 2, column 1: not valid JSON: the document has text after its end."),
      (
        "{\"seed\": 1,\n\"seed\": 2}",
        "line 2, column 1: not valid JSON: the document has the key 'seed' twice."
      ),
      ("[]", "a configuration is a JSON object, such as {\"episodes\": 1000}."),
    ])
  func malformed(text: String, problem: String) throws {
    try workspace.write(text, "bad.json")
    #expect(try problems("--config", "bad.json") == ["bad.json: \(problem)"])
  }

  @Test("patterns are required")
  func noPatterns() throws {
    try workspace.write("{\"seed\": 1}", "empty.json")
    let problems = try problems("--config", "empty.json")
    #expect(problems.count == 1)
    #expect(problems[0].hasPrefix("empty.json: network.patterns is missing"), "\(problems)")
  }

  @Test("a shipped configuration has a name")
  func shippedConfiguration() throws {
    let missing = try problems(code: 66, "--config", "quik")
    #expect(missing[0].contains("and none of this name in Configs/"), "\(missing)")
    let options = ["--episodes", "2", "--set", #"network.patterns=["012"]"#]
    let outcome = try workspace.run(["train", "--config", "quick"] + options)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try workspace.text("Models/quick/config.json").contains("redundant squares"))
    // A file of this name, but for its extension, is another one.
    try workspace.write(Workspace.tinyConfiguration, "quick.json")
    let own = try workspace.run(["train", "--config", "quick.json"] + options)
    #expect(own.code == 0, "\(own)")
    #expect(try !workspace.text("Models/quick-2/config.json").contains("redundant squares"))
  }

  @Test("a configuration that is not there is missing input")
  func missingFile() throws {
    let missing = try problems(code: 66, "--config", "configs/nothing.json")
    #expect(missing.count == 1)
    #expect(missing[0].hasPrefix("no configuration at configs/nothing.json in "), "\(missing)")
    #expect(missing[0].hasSuffix(". Check the path."))
    #expect(
      try problems(code: 66, "--config", "Configs") == [
        "Configs: cannot be read. Check that it is a file, and its permissions."
      ])
  }

  @Test("a configuration may come through a pipe")
  func pipe() throws {
    let outcome = try workspace.shell(
      #"mkfifo pipe; cat tiny.json > pipe & "$learn2048" train --config pipe --run piped"#)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try workspace.inspect("piped")["episodes"].integer == 300)
  }

  @Test("a network that does not fit into memory is refused at once, with the numbers")
  func tooLarge() throws {
    // 16 GiB for each of some thousand patterns of eight cells.
    let cells = Array("0123456789abcdef")
    let patterns = (0..<2_000).map { number -> String in
      var rest = number
      var left = cells
      return (0..<8).reduce(into: "") { pattern, _ in
        pattern.append(left.remove(at: rest % left.count))
        rest /= 3
      }
    }
    let orbits = try Dictionary(grouping: patterns) { try Pattern($0).orbit() }
    let distinct = orbits.values.map { "\"\($0[0])\"" }
    #expect(distinct.count > 100)
    try workspace.write(
      #"{"network": {"patterns": [\#(distinct.joined(separator: ","))]}}"#, "large.json")
    let began = ContinuousClock.now
    let problems = try problems("--config", "large.json")
    #expect(began.duration(to: .now) < .seconds(5))
    #expect(problems.count == 1)
    let needed = distinct.count * 16
    let expected = #/need ([0-9.]+) ([GT])iB, but [0-9.]+ [KMGT]iB are available\. Use fewer/#
    let match = try #require(try expected.firstMatch(in: problems[0]), "\(problems)")
    let amount = try #require(Double(match.1)) * (match.2 == "T" ? 1_024 : 1)
    #expect(abs(amount - Double(needed)) < 0.01 * Double(needed))
  }

  @Test("text of a configuration does not steer the terminal")
  func escapes() throws {
    try workspace.write(#"{"\u001b[2J": 1, "threads": "\u001b[31m\n"}"#, "steering.json")
    let problems = try problems("--config", "steering.json")
    #expect(problems.count == 3, "\(problems)")
    #expect(!problems.joined().contains("\u{1B}"))
    #expect(problems[0].hasPrefix("steering.json: unknown key '\\u001B[2J'."), "\(problems)")
  }

  @Test("a configuration is not longer than the limit, and is not waited for")
  func length() throws {
    for (path, problem) in [("/dev/zero", "exceeds the limit for a configuration or a plan: 1 MiB")]
    {
      let problems = try problems(code: 65, "--config", path)
      #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
    }
  }
}
