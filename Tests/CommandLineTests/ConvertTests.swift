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
        "analyze", "--board", "1123000000000000", "--model", model, "--json"
      ).output
    }
    #expect(values.allSatisfy { $0 == values[0] && !$0.isEmpty })
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
