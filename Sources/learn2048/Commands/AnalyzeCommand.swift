import ArgumentParser
import Console
import Foundation
import Players

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Evaluate the four moves of one or more boards.",
    discussion: """
      A board is 16 exponents in base 18, row by row, such as 1020000000000000, or 16 tile values with \
      spaces, commas or / between them. A file has one board per line; empty lines and lines that start \
      with # are skipped.

      The command exits with code 65 if a board is invalid or has no legal move. Of several boards the \
      others are still evaluated. --json prints an object for a single board, and an array for a file or \
      several boards, in which an invalid board has an "error".
      """)

  @Argument(help: "Boards to evaluate.")
  var boards: [String] = []

  @Option(parsing: .unconditionalSingleValue, help: "A board to evaluate. Repeatable.")
  var board: [String] = []

  @Option(help: "Read boards from this file, one per line; - reads standard input.")
  var file: String?

  @Option(help: "Evaluate with this model: a run or a weight file (default: the bundled model).")
  var model: String?

  @Option(help: "Evaluate with this player instead, such as heuristic.")
  var player: String?

  @OptionGroup var search: SearchOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if boards.isEmpty && board.isEmpty && file == nil {
      throw ValidationError(
        "no board is given. Name one with --board, or a file of boards with --file.")
    }
  }

  func run() throws {
    var loader = PlayerLoader()
    let makePlayer = try loader.factory(for: specification())
    let rules = loader.rules ?? .standard
    let texts = try BoardTexts(arguments: boards, options: board, file: file)
    func analysis(_ text: BoardTexts.Entry) throws -> Analysis {
      // A new player for each board, so that its answer does not depend on the boards before.
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

  /// Prints the analysis of each board, and reports boards that are invalid.
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
        .badData, "\(failures) of \(texts.entries.count) boards are invalid; see the errors above.")
    }
  }
}
