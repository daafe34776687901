import ArgumentParser

/// A hidden command that scripts/check-documentation runs for commands that take too long to be run.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Check the arguments of another command without running it.",
    shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough, help: "The arguments to check.")
  var arguments: [String] = []

  func run() throws {
    _ = try Learn2048.parse(arguments: arguments)
  }
}
