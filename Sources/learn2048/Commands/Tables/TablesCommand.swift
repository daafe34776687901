import ArgumentParser

struct TablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables",
    abstract: "Count where games hold their large tiles.",
    subcommands: [TablesCensusCommand.self])
}
