import ArgumentParser
import Basics
import Configuration
import Foundation
import Players
import Training
import WebInterface

/// A hidden command for developers, which writes Docs/Reference.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Write the reference pages of the documentation.",
    discussion: """
        learn2048 reference Docs/Reference
      """,
    shouldDisplay: false)

  @Argument(help: "The directory to write to.")
  var directory: String

  func run() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for (name, text) in ReferenceCommand.pages {
      try writeAtomically(text.utf8, to: "\(directory)/\(name)")
    }
  }

  /// The file names and texts of all pages.
  private static var pages: [(name: String, text: String)] {
    [
      ("Commands.md", CommandReference.page),
      ("Configuration.md", ConfigurationKey.referencePage),
      ("ExitCodes.md", ExitStatus.referencePage),
      ("HTTP.md", Endpoint.referencePage),
      ("Metrics.md", ReportKey.referencePage),
      ("Players.md", PlayerOption.referencePage),
    ]
  }
}
