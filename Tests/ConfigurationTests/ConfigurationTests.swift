import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Training

private func read(_ json: String, settings: [String] = []) throws -> TrainingConfiguration {
  var reader = ConfigurationReader()
  reader.read(Data(json.utf8), name: "test.json")
  for setting in settings { reader.set(setting) }
  return try reader.finished()
}

private func problems(_ json: String, settings: [String] = []) -> [String] {
  do {
    _ = try read(json, settings: settings)
    return []
  } catch let error as ConfigurationError {
    return error.problems
  } catch {
    return ["\(error)"]
  }
}

@Suite struct ConfigurationTests {
  private let minimal = #"{"network": {"patterns": ["0123"]}}"#

  @Test func everyKeyIsReadAndWritten() throws {
    let configuration = try read(
      """
      {"description": "x", "episodes": 12, "limit": {"moves": 5}, "seed": 9, "threads": 3, "randomSource": "arc4",
       "game": {"boardSize": 3, "fourProbability": 0.5}, "network": {"patterns": ["012", "01"], "stages": "largestTile", "stageTiles": [512, 1024], "downgradeTile": 8192},
       "starts": {"rule": [[0, "restart"], [0.5, "carousel"]], "restartShare": 0.25,
                  "shortestPath": 20, "restartTile": 64, "carouselTiles": [128]},
       "learning": {"method": [[0, "td"], [0.5, "tc"]], "learningRate": [[0, 0.5], [0.25, 0.125]],
                    "returns": "nStep", "lambda": 0.75, "steps": 4, "horizon": 5, "batchSize": 7,
                    "initialValue": 40000,
                    "mode": "synchronous", "lanes": 7, "roundMoves": 700},
       "averaging": {"everyEpisodes": 10, "from": 0.5, "share": 0.2, "window": 7},
       "merging": {"timeShare": 0.1, "everyMoves": 3, "everySeconds": 2.5},
       "report": {"everyEpisodes": 5}, "checkpoint": {"everyEpisodes": 6, "everySeconds": 7.5,
       "keep": 8}, "evaluation": {"firstEpisodes": 2, "everyEpisodes": 4, "everySeconds": 1.5, "games": 10}}
      """)
    // A key that is not read keeps its default, so every written key must differ from it.
    for key in ConfigurationKey.all
    where !["learning.inheritEveryEpisodes", "limit.seconds"].contains(key.path) {
      #expect(key.write(configuration) != key.write(TrainingConfiguration()), "\(key.path)")
    }
    var reader = ConfigurationReader()
    reader.read(Data(configuration.jsonText.utf8), name: "again")
    #expect(try reader.finished() == configuration)
  }

  /// The key that cannot be combined with others of ``everyKeyIsReadAndWritten()``.
  @Test func inheritanceIsReadAndWritten() throws {
    let configuration = try read(
      minimal, settings: ["learning.method=tc", "learning.inheritEveryEpisodes=50"])
    #expect(configuration.inheritEveryEpisodes == 50)
    var reader = ConfigurationReader()
    reader.read(Data(configuration.jsonText.utf8), name: "again")
    #expect(try reader.finished().inheritEveryEpisodes == 50)
  }

  @Test(arguments: [
    (["network.stages=largestTile"], "network.stages = largestTile requires 1 to 14 different"),
    (["network.stageTiles=[64]"], "network.stageTiles is set without network.stages"),
    (
      ["network.stages=largestTile", "network.stageTiles=[128,64]"],
      "tiles from 4 to 32768 in ascending"
    ),
    (
      ["network.stages=largestTile", "network.stageTiles=[65536]"],
      "tiles from 4 to 32768 in ascending"
    ),
    (
      ["learning.inheritEveryEpisodes=5"],
      "learning.inheritEveryEpisodes requires learning.method = tc"
    ),
    (
      [#"learning.method=[[0,"td"],[0.5,"tc"]]"#, "learning.inheritEveryEpisodes=5"],
      "learning.inheritEveryEpisodes requires learning.method = tc from the beginning"
    ),
    (
      ["network.downgradeTile=1000"],
      "network.downgradeTile = 1000 is not allowed. Use one of 0, 1024"
    ),
    (["starts.restartTile=48"], "starts.restartTile = 48 is not allowed. Use 0 or a tile"),
    (["starts.rule=anywhere"], "starts.rule = \"anywhere\" is not allowed"),
  ])
  func combinationsThatCannotBe(settings: [String], expected: String) {
    let found = problems(minimal, settings: settings)
    #expect(found.contains { $0.contains(expected) }, "\(found)")
  }

  @Test(arguments: [
    "learning.coherenceWindow=0", "learning.updatePath=blas", "learning.updatePath=plain",
    "merging.rule=coherent", "network.stagePromotion=copy", "starts.restartFrom=path",
    "starts.restartsPerGame=9",
  ])
  func removedSettingsThatChangeNothingAreIgnored(setting: String) throws {
    let configuration = try read(minimal)
    #expect(try read(minimal, settings: [setting]) == configuration)
    var reader = ConfigurationReader(base: configuration, isResuming: true)
    reader.set(setting)
    #expect(try reader.finished() == configuration)
  }

  @Test(arguments: [
    "learning.coherenceWindow=5000", "learning.updatePath=7", "merging.rule=\"sum\"",
    "network.stagePromotion=\"none\"", "network.stages=\"tileSet\"",
    "network.downgradeTile=[0,32768]", "starts.restartFrom=\"kinds\"",
  ])
  func removedSettingsNameTheLastCommit(setting: String) {
    let text = setting.replacing("=", with: " = ")
    #expect(
      problems(minimal, settings: [setting]) == [
        "--set: \(text) has been removed. Use commit 6b27004, the last one that reads it."
      ])
    let tiles = problems(minimal, settings: [setting, "network.stageTiles=[64]"])
    #expect(tiles.count == (setting.hasPrefix("network.stages") ? 1 : 2), "\(tiles)")
  }

  @Test func namedPatternSetsAndSteps() throws {
    let sets = [
      "4x6": "012345 456789 012456 45689a", "5x6": "012345 456789 012456 45689a 89abcd",
      "6x6": "012456 456789 012345 234569 01259a 345678",
      "7x6": "012456 456789 012345 234569 01259a 345678 134567",
      "8x6": "012456 456789 012345 234569 01259a 345678 134567 01489a",
      "2x7": "0123456 456789a", "3x7": "0123456 456789a 89abcde",
      "4x5": "01234 45678 01245 45689", "2x4": "0123 4567", "5x4": "0123 4567 0145 1256 569a",
    ]
    #expect(Set(NamedPatternSet.all.keys) == Set(sets.keys))
    for (name, cells) in sets {
      let configuration = try read(#"{"network": {"patterns": "\#(name)"}}"#)
      #expect(configuration.patterns == cells.split(separator: " ").map { String($0) }, "\(name)")
    }
    let steps = try read(minimal, settings: ["learning.learningRate=[[0,0.1],[0.5,0.01]]"])
    #expect(steps.learningRate.value(at: 0.49) == 0.1)
    #expect(steps.learningRate.value(at: 0.50) == 0.01)
    #expect(steps.learningRate.value(at: 0.99) == 0.01)
  }

  @Test func theLearningRateFollowsTheMethodUnlessGiven() throws {
    func rates(_ settings: String...) throws -> [Double] {
      let configuration = try read(minimal, settings: settings)
      return configuration.learningRate.steps.map(\.value)
    }
    #expect(try rates() == [0.1])
    #expect(try rates("learning.method=tc") == [1])
    #expect(try rates(#"learning.method=[[0,"td"],[0.9,"tc"]]"#) == [0.1, 1])
    #expect(try rates("learning.method=tc", "learning.learningRate=0.5") == [0.5])
  }

  @Test func settingsBeatTheFile() throws {
    let configuration = try read(
      #"{"seed": 1, "network": {"patterns": ["0123"]}}"#,
      settings: ["seed=2", "episodes=250_000", "learning.returns=lambda", "threads=1e1"])
    #expect(configuration.seed == 2)
    #expect(configuration.episodes == 250_000)
    #expect(configuration.returns == .lambda)
    #expect(configuration.threads == 10)
  }

  @Test func aKeyInAnObjectAndWithADotIsRefused() {
    let found = problems(
      #"{"learning.lambda": 0.5, "learning": {"lambda": 0.5}, "network": {"patterns": ["0123"]}}"#)
    #expect(
      found == [
        "test.json: learning.lambda is given twice, in an object and with a dot. Give it once."
      ])
  }

  @Test func allTroublesAreReportedTogether() {
    let found = problems(
      """
      {"epsiodes": 5, "seed": -1, "network": {"patterns": ["0123", "xy"]},
       "learning": {"learningRate": 30, "bachSize": 4}, "report": 5}
      """, settings: ["game.fourProbability=1.5", "threads"])
    #expect(
      found == [
        "test.json: unknown key 'epsiodes'. Did you mean 'episodes'?",
        "test.json: unknown key 'learning.bachSize'. Did you mean 'learning.batchSize'?",
        "test.json: learning.learningRate = 30 is not allowed. Use a number above 0 and at most 16, "
          + "or steps such as [[0, 0.1], [0.5, 0.01]].",
        "test.json: report = 5 must be an object with report.everyEpisodes.",
        "test.json: seed = -1 is not allowed. Use a whole number of at least 0 and below 2^63.",
        "--set: game.fourProbability = 1.5 is not allowed. Use a number from 0 to 1.",
        "--set threads: no value. Write KEY=VALUE, such as seed=7.",
        "test.json: network.patterns: \"xy\" is not a pattern: 'x' is not a cell: cells are 0-9 and a-f.",
      ])
  }

  @Test(arguments: [
    ("{}", "network.patterns is missing"),
    (#"{"network": {"patterns": []}}"#, "network.patterns = [] is not allowed"),
    (#"{"network": {"patterns": "9x9"}}"#, "is not allowed. Use a list of cell strings"),
    (#"{"network": {"patterns": ["012", "210"]}}"#, "read the same cells"),
    (
      #"{"network": {"patterns": ["0123", "012456", "CDEF"]}}"#, #""0123" and "CDEF" read the same"#
    ),
    (
      #"{"game": {"boardSize": 3}, "network": {"patterns": ["012", "89a"]}}"#, "read the same cells"
    ),
    (#"{"network": {"patterns": ["0123"]}, "game": {"boardSize": 3}}"#, "not on the 3x3 board"),
    (#"{"network": {"patterns": ["0123"]}, "episodes": 1.5}"#, "episodes = 1.5"),
    (#"{"network": {"patterns": ["0123"]}, "episodes": "many"}"#, "episodes = \"many\""),
    (#"{"network": {"patterns": ["0123"]}, "threads": null}"#, "threads = null"),
    (#"{"network": {"patterns": ["0123"]}, "seed": true}"#, "seed = true"),
    ("[1]", "a configuration is a JSON object"),
    (#"{"seed": 1,, }"#, "not valid JSON"),
  ])
  func singleTroubles(json: String, expected: String) {
    let found = problems(json)
    #expect(found.contains { $0.contains(expected) }, "\(found)")
  }

  @Test(arguments: [
    (#"{"threads": "network.patterns"}"#, 2, true),
    (#"{"network": {"pattern": ["012"]}}"#, 2, true),
    (#"{"network": {"patterns": []}}"#, 1, false),
    (#"{"network": "4x6"}"#, 1, false),
  ])
  func patternsAreMissingUnlessTheyAreRefused(json: String, count: Int, areMissing: Bool) {
    let found = problems(json)
    #expect(found.count == count, "\(found)")
    #expect(found.contains { $0.contains("network.patterns is missing") } == areMissing)
  }

  @Test func aLengthThatIsRefusedIsNotSaidToBeMissing() {
    let found = problems(minimal, settings: ["episodes=0", "limit.seconds=1e12"])
    #expect(found.count == 1 && found[0].hasPrefix("--set: limit.seconds = "), "\(found)")
    #expect(
      problems(#"{"network": {"patterns": ["0123"]}, "episodes": 0, "limit": 5}"#) == [
        "test.json: limit = 5 must be an object with limit.moves, limit.seconds."
      ])
    #expect(
      problems(minimal, settings: ["episodes=0"]) == [
        "--set: episodes = 0 is not allowed without limit.moves or limit.seconds, since the run "
          + "would not end."
      ])
  }

  @Test func aProblemOfSeveralKeysNamesTheSourceThatCausesIt() {
    func found(_ learning: String, _ settings: String...) -> [String] {
      problems(
        #"{"network": {"patterns": ["0123"]}, "learning": {\#(learning)}}"#, settings: settings)
    }
    let mode = #""mode": "synchronous", "lanes": 8"#
    let shared = "learning.roundMoves = 100 cannot be shared by learning.lanes = 8"
    let cases: [([String], String)] = [
      (found(mode, "learning.roundMoves=100"), "--set: "),
      (found(#""roundMoves": 100"#, "learning.mode=synchronous"), "--set: "),
      // What is set later does not matter.
      (found(mode + #", "roundMoves": 100"#, "seed=3"), "test.json: "),
    ]
    for (problems, place) in cases {
      #expect(problems.count == 1 && problems[0].hasPrefix(place + shared), "\(problems)")
    }
  }

  @Test func aLengthThatAnOptionRemovesIsThatOfTheOption() {
    var reader = ConfigurationReader()
    reader.read(Data(minimal.utf8), name: "test.json")
    reader.clearLength()
    reader.set("seed=3")
    reader.set("episodes", to: .integer(0), option: "--episodes")
    let error = #expect(throws: ConfigurationError.self) { try reader.finished() }
    #expect(error?.problems.count == 1)
    #expect(error?.problems.first?.hasPrefix("--episodes: episodes = 0 is not allowed") == true)
  }

  @Test func aTextFileIsReadWithoutItsByteOrderMark() throws {
    let directory = try TemporaryDirectory()
    try directory.write([0xEF, 0xBB, 0xBF] + Array(minimal.utf8), "marked.json")
    #expect(try TextFile.read(directory.file("marked.json")) == Data(minimal.utf8))
    try directory.write([], "empty.json")
    #expect(try TextFile.read(directory.file("empty.json")).isEmpty)
  }

  @Test func aResumedRunKeepsWhatItHasLearnedWith() throws {
    var reader = ConfigurationReader(base: try read(minimal), isResuming: true)
    reader.set("episodes=7")
    reader.set("checkpoint.keep=9")
    reader.set("learning.learningRate=0.5")
    do {
      _ = try reader.finished()
      Issue.record("a learning rate was changed")
    } catch {
      #expect(error.problems.count == 1)
      #expect(
        error.problems[0].hasPrefix("--set: learning.learningRate cannot change in a resumed run"))
    }
  }

  @Test func everyShippedConfigurationIsValid() throws {
    let directory = Repository.file("Configs")
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(files.contains("ntuple.json"))
    for file in files where file.hasSuffix(".json") {
      var reader = ConfigurationReader()
      reader.read(try Data(contentsOf: directory.appending(path: file)), name: file)
      #expect(throws: Never.self) { try reader.finished() }
    }
  }

  /// The published results with which TD(0) is compared are for this configuration.
  @Test func theCorrectnessCheckIsPlainTDZero() throws {
    var reader = ConfigurationReader()
    reader.read(
      try Data(contentsOf: Repository.file("Configs/td0-4x6.json")), name: "td0-4x6.json")
    var found = try reader.finished()
    found.description = ""
    var expected = try read(#"{"network": {"patterns": "4x6"}}"#)
    expected.learningRate = StepSchedule(constant: 0.1)
    expected.episodes = 100_000
    #expect(found == expected)
    #expect(found.initialValue == 0 && found.downgradeTile == 0)
    #expect(found.returns == .oneStep && found.method.steps.map(\.value) == [.td])
  }

  /// A test of the executable compares the other generated pages.
  @Test func theReferencePageIsComplete() throws {
    let page = try String(
      contentsOf: Repository.file("Docs/Reference/Configuration.md"), encoding: .utf8)
    #expect(
      page == ConfigurationKey.referencePage, "run `learn2048 reference Docs/Reference` and commit")
    for key in ConfigurationKey.all { #expect(page.contains("| `\(key.path)` |")) }
  }

  @Test(arguments: [
    ("lerning", "learning"), ("learning.lamda", "learning.lambda"), ("lambda", "learning.lambda"),
    ("learningRate", "learning.learningRate"),
    ("network.learningRate", "learning.learningRate"), ("Seed", "seed"),
    ("networks.patterns", "network.patterns"), ("frobnicate", nil), ("learning.everything", nil),
    ("lr", "learning.learningRate"), ("learning.lr", "learning.learningRate"),
    ("rate", "learning.learningRate"), ("Alpha", "learning.learningRate"),
    ("training.lambda", "learning.lambda"), ("batch_size", "learning.batchSize"),
  ])
  func unknownKeysGetTheNearestName(key: String, expected: String?) {
    let found = problems(minimal, settings: ["\(key)=1"])
    let suggestion = expected.map { " Did you mean '\($0)'?" } ?? ""
    #expect(found == ["--set: unknown key '\(key)'.\(suggestion)"])
  }

  @Test(arguments: ["gamma", "learning.gamma", "discount"])
  func thereIsNoDiscount(key: String) {
    #expect(
      problems(minimal, settings: ["\(key)=1"]) == [
        "--set: unknown key '\(key)'. Rewards are not discounted: γ is 1."
      ])
  }

  @Test func manyProblemsAreCounted() {
    let keys = (0..<50_000).map { "\"key\($0)\":0" }.joined(separator: ",")
    let began = ContinuousClock.now
    let found = problems("{\(keys)}")
    #expect(began.duration(to: .now) < .seconds(20))
    #expect(found.count == 51)
    // The missing patterns are a problem, too.
    #expect(found.last == "… and 49951 further problems.")
  }

  @Test func aLongValueIsShortened() {
    let found = problems(#"{"threads": "\#(String(repeating: "x", count: 500_000))"}"#)
    #expect(found.count == 2 && found.allSatisfy { $0.utf8.count < 2_000 })
    #expect(found[0].hasSuffix("is not allowed. Use a whole number from 1 to 1024."))
  }
}
