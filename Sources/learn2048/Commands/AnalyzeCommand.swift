import ArgumentParser
import Console
import Foundation
import Players

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Show the four moves of boards, what a player makes of them, and the best.",
    discussion: """
      A board is 16 exponents in base 18, such as 1020000000000000, or 16 tile values. A file has one a \
      line; empty lines and lines that start with # are skipped.

      One board that is none, or on which no move is legal, ends the command with exit code 65. Of \
      many boards the others are answered all the same. --json prints an object for one board, and an \
      array for a file or several boards, in which a board without an answer has an "error".
      """)

  @Argument(help: "Boards.")
  var boards: [String] = []

  @Option(parsing: .unconditionalSingleValue, help: "A board; may be repeated.")
  var board: [String] = []

  @Option(help: "A file of boards, one a line; - for standard input.")
  var file: String?

  @Option(help: "The model to ask: a run, or a weight file; by default the one that ships.")
  var model: String?

  @Option(help: "The player to ask instead, such as heuristic.")
  var player: String?

  @OptionGroup var search: SearchOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if boards.isEmpty && board.isEmpty && file == nil {
      throw ValidationError("name a board with --board, or a file of boards with --file.")
    }
  }

  func run() throws {
    var loader = PlayerLoader()
    let makePlayer = try loader.factory(for: specification())
    let rules = loader.rules ?? .standard
    let texts = try BoardTexts(arguments: boards, options: board, file: file)
    func analysis(_ text: BoardTexts.Entry) throws -> Analysis {
      // A fresh player for each board: what it answers must not depend on the boards before.
      try Analysis(of: BoardTexts.board(text, rules: rules), by: makePlayer(0), rules: rules)
    }
    if texts.areMany {
      try answerAll(texts, analysis)
    } else {
      let analysis = try analysis(texts.entries[0])
      if output.json {
        try StandardOutput.json(analysis.document)
      } else {
        StandardOutput.line(analysis.text)
      }
    }
  }

  private func specification() throws -> PlayerSpecification {
    guard let player else { return .learned(model: model, search: try search.onlySettings()) }
    return try PlayerSpecification(search.added(to: player), model: model)
  }

  /// Answers for each board, and says of which there is no answer.
  private func answerAll(
    _ texts: BoardTexts, _ analyze: (BoardTexts.Entry) throws -> Analysis
  ) throws {
    var answers: [Analysis.Answer] = []
    var failures = 0
    for entry in texts.entries {
      do {
        let analysis = try analyze(entry)
        if output.json {
          answers.append(.analysis(analysis.document))
        } else {
          StandardOutput.line(analysis.text + "\n")
        }
      } catch let failure as Failure {
        failures += 1
        StandardError.shared.line("learn2048: \(failure.message)")
        answers.append(.failure(board: entry.text, error: failure.message))
      }
    }
    if output.json { try StandardOutput.json(answers) }
    if failures > 0 {
      throw Failure(
        .badData, "\(failures) of \(texts.entries.count) boards have no answer; mend them")
    }
  }
}
