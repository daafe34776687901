import Foundation
import Testing

@Suite("convert")
struct ConvertTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train()
  }

  @Test("weights survive the way to the other format and back")
  func roundTrip() throws {
    for (input, output) in [("tiny", "there.w"), ("./there.w", "back.safetensors")] {
      let outcome = try workspace.run("convert", input, output)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.output == "")
    }
    #expect(try workspace.checksum("./back.safetensors") == workspace.checksum("tiny"))
    let values = try ["tiny", "./there.w", "./back.safetensors"].map { model in
      try workspace.run(
        "analyze", "--board", "1123000000000000", "--model", model, "--depth", "1", "--json"
      ).output
    }
    #expect(values.allSatisfy { $0 == values[0] && !$0.isEmpty })
  }

  @Test("tables beside the weights of a .w file are told of")
  func furtherTables() throws {
    #expect(try workspace.run("convert", "tiny", "there.w").code == 0)
    let alone = try JSON(workspace.run("inspect", "./there.w", "--json").output)
    #expect(alone["hasFurtherTables"].bool == false)
    // In place of the size 0 at the end of the last record, a table of one float, and that.
    let bytes = try workspace.directory.bytes("there.w")
    let table: [UInt8] = [4, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0]
    try workspace.directory.write(bytes.dropLast(2) + table, "there.w")
    let found = try workspace.run("inspect", "./there.w")
    #expect(found.code == 0 && found.output.contains("besides "), "\(found)")
    let outcome = try workspace.run("convert", "./there.w", "back.safetensors")
    #expect(outcome.code == 0 && outcome.errors.contains("only the weights"), "\(outcome)")
    #expect(try workspace.checksum("./back.safetensors") == workspace.checksum("tiny"))
  }

  @Test("nothing is overwritten, and the name tells the format")
  func refusals() throws {
    try workspace.write("precious", "there.w")
    let existing = try workspace.run("convert", "tiny", "there.w")
    #expect(existing.code == 73, "\(existing)")
    #expect(try workspace.text("there.w") == "precious")
    let unknown = try workspace.run("convert", "tiny", "there.txt")
    #expect(unknown.code == 64, "\(unknown)")
    #expect(!workspace.exists("there.txt"))
    let missing = try workspace.run("convert", "nothing", "other.w")
    #expect(missing.code == 66, "\(missing)")
  }

  @Test("networks that downgrade tiles are calibrated once")
  func calibration() throws {
    try workspace.train("--run", "lower", "--set", "network.downgradeTile=1024")
    let first = try workspace.run("convert", "lower", "first.safetensors", "--level-games", "20")
    #expect(first.code == 0 && first.errors.contains("playing 60 greedy games"), "\(first)")
    let none = try workspace.run("convert", "lower", "none.safetensors", "--level-games", "0")
    #expect(none.code == 0 && !none.errors.contains("playing"), "\(none)")
    #expect(
      try workspace.checksum("./first.safetensors") == workspace.checksum("./none.safetensors"))
    for (arguments, message) in [
      (["tiny", "other.safetensors", "--level-games", "5"], "has no levels"),
      (
        ["lower", "other.w", "--level-games", "5"], "--level-games: a .w file has no level offsets"
      ),
    ] {
      let outcome = try workspace.run(["convert"] + arguments)
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome)")
      #expect(!workspace.exists(arguments[1]))
    }
  }

  @Test("--fold leaves out patterns that lie within others, and changes no value")
  func fold() throws {
    try workspace.train("--run", "redundant", "--set", #"network.patterns=["012","21","456"]"#)
    let outcome = try workspace.run("convert", "redundant", "folded.safetensors", "--fold")
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
    let folded = try workspace.inspect("./folded.safetensors")
    #expect(folded["patterns"].array.map(\.string) == ["012", "456"])
    #expect(try folded["history"] == workspace.inspect("redundant")["history"])
    let values = try ["redundant", "./folded.safetensors"].map { model in
      let outcome = try workspace.run(
        "analyze", "--board", "1123000000000000", "--model", model, "--depth", "1", "--json")
      return try JSON(outcome.output)["moves"].array.compactMap { $0["value"].number }
    }
    #expect(values[0].count > 2 && values[0].contains { $0 > 10 })
    for (before, after) in zip(values[0], values[1]) {
      #expect(abs(before - after) < 1e-4 * max(1, abs(before)))
    }
  }

  @Test("networks with stages cannot be folded")
  func foldOfStages() throws {
    try workspace.train(
      "--run", "staged", "--set", "network.stages=largestTile", "--set", "network.stageTiles=[64]")
    let outcome = try workspace.run("convert", "staged", "folded.safetensors", "--fold")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("without --fold"), "\(outcome)")
    #expect(!workspace.exists("folded.safetensors"))
  }

  @Test("a .w file that was cut short is bad data")
  func damaged() throws {
    #expect(try workspace.run("convert", "tiny", "there.w").code == 0)
    let bytes = try workspace.directory.bytes("there.w")
    try workspace.directory.write(bytes.dropLast(9), "there.w")
    for command in [["inspect", "./there.w"], ["convert", "./there.w", "back.safetensors"]] {
      let outcome = try workspace.run(command)
      #expect(outcome.code == 65, "\(outcome)")
      #expect(outcome.errors.contains("there.w"), "\(outcome)")
    }
    #expect(!workspace.exists("back.safetensors"))
  }
}
