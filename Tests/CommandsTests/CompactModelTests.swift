import Foundation
import Testing

@Suite("compact models")
struct CompactModelTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train()
  }

  private func convert(_ arguments: String...) throws -> Outcome {
    try workspace.run(["convert", "tiny"] + arguments)
  }

  private func values(_ model: String) throws -> [Double] {
    let outcome = try workspace.run(
      "analyze", "--board", "1123000000000000", "--model", model, "--depth", "1", "--json")
    return try JSON(outcome.output)["moves"].array.compactMap { $0["value"].number }
  }

  @Test("the bundled model is read as it was written")
  func shippedModel() throws {
    let path = Workspace.repository.appendingPathComponent("Models/default.compact").path
    let file = try workspace.inspect(path)
    #expect(
      file["checksum"].string
        == "sha256:c9c134226eb94aa51756d1c1938961463eb4dcd580c2edc86bcd194101b1ee6e")
    #expect(file["kept"].integer == 25_850_688)
    #expect(file["episodes"].integer == 3_887_526 && file["moves"].integer == 15_011_102_013)
    let board = "1234567890000120"
    let outcome = try workspace.run(
      "analyze", "--board", board, "--model", path, "--depth", "1", "--json")
    #expect(
      try JSON(outcome.output)["moves"].array.map { $0["value"].number }
        == [105_962, 106_339.0546875, 109_911.78125, 123_281.78125])
  }

  @Test("every command that takes a model takes a compact one")
  func accepted() throws {
    let outcome = try convert(
      "small.compact", "--bits", "16", "--tolerance", "0.001", "--games", "9")
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
    #expect(
      outcome.errors.hasPrefix("playing 9 greedy games to count how often each weight is read\n"))
    #expect(
      outcome.errors.contains(
        #/\nwrote small\.compact: [\d,.]+ (bytes|KiB), [\d,]+ of 8,192 weights kept, of 16 bits\n$/#
      ),
      "\(outcome)")
    for (exact, compact) in zip(try values("tiny"), try values("./small.compact")) {
      #expect(abs(exact - compact) < 0.01 * max(1, abs(exact)))
    }
    let model = try workspace.inspect("./small.compact")
    #expect(try model["compact"]["source"].string == workspace.checksum("tiny"))
    #expect(model["compact"]["pruning"]["games"].integer == 9)
    #expect(model["history"].array.count == 1 && model["episodes"].integer == 300)
    #expect(try #require(model["kept"].integer) < 2 * 4_096)
    let text = try workspace.run("inspect", "./small.compact")
    #expect(text.output.contains("weights kept, of 16 bits"), "\(text)")

    try workspace.train("--init", "./small.compact", "--run", "more")
    #expect(try workspace.inspect("more")["history"].array.count == 2)
    for command in [
      ["convert", "./small.compact", "back.safetensors"],
      ["evaluate", "./small.compact", "--games", "2"],
      ["play", "--watch", "--model", "./small.compact"],
    ] {
      let outcome = try workspace.run(command)
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(try values("./back.safetensors") == values("./small.compact"))
  }

  @Test("its options are refused where they mean nothing")
  func refusals() throws {
    for (arguments, code, message) in [
      (["there.w", "--bits", "8"], 64, "--bits is for .compact files"),
      (["there.compact", "--bits", "17"], 64, "2 to 16 bits"),
      (["there.compact", "--tolerance", "-1"], 64, "points of at least 0"),
      (["nowhere/there.compact"], 73, "nowhere"),
    ] as [([String], Int32, String)] {
      let outcome = try workspace.run(["convert", "tiny"] + arguments)
      #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome)")
    }
    #expect(!workspace.exists("there.w") && !workspace.exists("there.compact"))
  }

  @Test("a damaged one is refused with one clear error")
  func damage() throws {
    #expect(try convert("small.compact", "--games", "1").code == 0)
    try workspace.damage("small.compact") { $0 - 40 }
    for command in [["inspect", "./small.compact"], ["evaluate", "./small.compact"]] {
      let outcome = try workspace.run(command)
      #expect(outcome.code == 65 && outcome.output == "", "\(outcome)")
      #expect(outcome.errors.contains("small.compact: tensors: their checksum"), "\(outcome)")
    }
  }

  // MARK: The default

  @Test("the bundled model is the default, whatever has been trained since")
  func shipped() throws {
    #expect(try convert("Models/default.compact", "--tolerance", "0").code == 0)
    try workspace.train("--run", "newer")
    let analyze = ["analyze", "--board", "1123000000000000", "--json"]
    #expect(
      try workspace.run(analyze).output
        == workspace.run(analyze + ["--model", "default.compact"]).output)
    let play = try workspace.run("play", "--watch", "--seed", "1")
    #expect(play.output.contains("model=Models/default.compact"), "\(play)")
    let named = try workspace.run("inspect", "default", "--json")
    #expect(try JSON(named.output)["path"].string == "Models/default.compact", "\(named)")
    let evaluate = try workspace.run("evaluate", "--games", "2", "--json")
    #expect(
      try JSON(evaluate.output)["players"].array.map { $0["name"].string } == [
        "learned:model=Models/default.compact,depth=1",
        "learned:model=Models/default.compact,depth=2",
      ])
    // Players alone need no model.
    let players = try workspace.run("evaluate", "--against", "random", "--games", "2", "--json")
    #expect(try JSON(players.output)["players"].array.count == 1)
  }

  @Test("it is found beside the build from anywhere, through a link as well")
  func besideTheBuild() throws {
    let manager = FileManager.default
    let build = workspace.path("package/.build/triple/release")
    try manager.createDirectory(atPath: build, withIntermediateDirectories: true)
    try manager.copyItem(atPath: Executable.path(), toPath: build + "/learn2048")
    try manager.createDirectory(
      atPath: workspace.path("package/Models"), withIntermediateDirectories: true)
    try manager.createDirectory(
      atPath: workspace.path("elsewhere"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: workspace.path("linked"), withDestinationPath: build + "/learn2048")
    let analyze = "cd elsewhere && ../linked analyze --board 1123000000000000"
    let without = try workspace.shell(analyze)
    #expect(without.code == 66, "\(without)")
    #expect(without.errors.contains("or train one with"), "\(without)")
    #expect(try convert("package/Models/default.compact", "--games", "1").code == 0)
    let with = try workspace.shell(analyze)
    #expect(with.code == 0, "\(with)")
  }
}
