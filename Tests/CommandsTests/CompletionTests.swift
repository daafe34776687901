import Foundation
import Testing

@Suite("Completion in bash")
struct CompletionTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  /// Returns the completions of the last word, as bash computes them.
  private func completions(_ words: String...) throws -> [String] {
    let line = words.map(\.quoted).joined(separator: " ")
    let outcome = try workspace.shell(
      """
      "$learn2048" --generate-completion-script bash > script
      exec bash -c '
        source ./script
        COMP_WORDS=("$learn2048" "$@") COMP_CWORD=$#
        COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        _learn2048 "$learn2048" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf "%s\\n" "${COMPREPLY[@]}"
      ' bash \(line)
      """)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    return outcome.lines.map(String.init)
  }

  @Test("runs and models are completed by name")
  func runs() throws {
    try workspace.train("--run", "tiny-a")
    try workspace.train("--run", "tiny-b")
    #expect(try completions("train", "--resume", "t") == ["tiny-a", "tiny-b"])
    #expect(try completions("evaluate", "tiny-b") == ["tiny-b"])
    #expect(try completions("evaluate", "tiny-a", "de") == ["default"])
    #expect(
      try completions("play", "--model", "") == [
        "default", "tiny-a", "tiny-b", "Configs", "Models",
      ])
  }

  @Test("so are the paths of weight files and of directories, but not those of other files")
  func paths() throws {
    for name in ["a.compact", "b.w", "c.safetensors", "d.csv", ".hidden.w"] {
      try workspace.write("", name)
    }
    #expect(
      try completions("inspect", "./") == ["./Configs", "./a.compact", "./b.w", "./c.safetensors"])
    #expect(try completions("inspect", "./.") == ["./.hidden.w"])
    // If the only match is a directory, its contents are offered.
    try FileManager.default.createDirectory(
      atPath: workspace.path("one"), withIntermediateDirectories: false)
    try workspace.write("", "one/two.w")
    #expect(try completions("inspect", "on") == ["one/two.w"])
    #expect(try completions("inspect", "Configs/S") == ["Configs/Sweeps"])
    #expect(try completions("inspect", "missing/").isEmpty)
  }

  @Test("a name that the shell would expand is not offered")
  func expansion() throws {
    for name in ["$(touch expanded).w", "`touch expanded`.w", "space d.w", "plain.w"] {
      try workspace.write("", name)
    }
    #expect(try completions("inspect", "") == ["default", "Configs", "plain.w"])
    #expect(!workspace.exists("expanded"))
  }

  @Test("players and configuration keys are completed")
  func lists() throws {
    #expect(try completions("play", "--player", "e") == ["expectimax"])
    #expect(try completions("evaluate", "--against", "r") == ["random", "rules"])
    #expect(try completions("train", "--set", "learning.lam") == ["learning.lambda"])
    #expect(try completions("config", "learning.lam") == ["learning.lambda"])
  }
}

extension String {
  /// The text as a word of a shell.
  fileprivate var quoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
