import ArgumentParser

struct TablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables",
    abstract: "Build endgame tables, and count the positions that they would answer.",
    subcommands: [TablesBuildCommand.self, TablesCensusCommand.self])
}
