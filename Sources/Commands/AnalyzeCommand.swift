import ArgumentParser
import Basics
import Foundation
import Game2048
import Play
import Search

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Evaluate the four moves of one or more boards.",
    discussion: """
      A board is 16 exponents in base 18, row by row, such as 1020000000000000, or 16 tile values with \
      spaces, commas or / between them; Docs/Tasks/Play.md lists other forms. A file has a board or a row per \
      line; lines that start with # are skipped.

      The command exits with code 65 if a board is invalid or has no legal move. Of several boards the \
      others are still evaluated. --json prints an object for a single board, and an array for a file or \
      several boards, in which an invalid board has an "error".

      Every line of standard input is answered as soon as it is read, so that another program can ask for \
      moves through a pipe. With --json each answer is then a line, which begins with [ or a comma.
      """)

  @Argument(help: "Boards to evaluate.")
  var boards: [String] = []

  @Option(parsing: .unconditionalSingleValue, help: "A board to evaluate. Repeatable.")
  var board: [String] = []

  @Option("file", "Read boards from this file; - reads standard input.")
  var file: String?

  @Flag(help: "Read values as exponents.")
  var exponents = false

  @OptionGroup var player: PlayerOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if boards.isEmpty && board.isEmpty && file == nil {
      throw ValidationError(
        "no board is given. Name one with --board, or a file of boards with --file.")
    }
  }

  func run() throws {
    var texts =
      board.map { BoardText(place: "--board", text: $0) }
      + boards.map { BoardText(place: "board", text: $0) }
    let areMany = file != nil || texts.count > 1
    // A file that cannot be read is an error before the first answer. Standard input is answered as it comes.
    if let file, file != "-" { texts += try BoardText.lines(of: file) }
    let players = PlayerFactory.showingProgress()
    let makePlayer = try players.maker(of: player.specification())
    let rules = players.rules ?? .standard
    var (answers, failures) = (0, 0)
    /// Prints a document; of many, as an element of an array.
    func write(_ document: some DocumentValue) {
      let text = document.json.text.printable()
      // A program that waits for an answer to its line reads lines.
      let isLine = file == "-"
      if !areMany {
        StandardOutput.line(text)
      } else {
        StandardOutput.write((answers == 0 ? "[" : ",") + text + (isLine ? "\n" : ""))
      }
    }
    func answer(_ text: BoardText) throws {
      do {
        let board = try text.board(rules, asExponents: exponents)
        // A new player for each board, so that its answer does not depend on the boards before.
        var player = makePlayer(board.analysisSeed)
        let decision = player.decide(on: board)
        if output.json {
          write(BoardAnalysis(of: board, decision))
        } else {
          let picture = board.description(size: rules.size)
          StandardOutput.line(
            "\(picture)\n\nplayer: \(player.name)\(decision.isFromTable ? ", from a table" : "")\n"
              + decision.text + (areMany ? "\n" : ""))
        }
      } catch let failure as Failure where areMany {
        failures += 1
        StandardError.shared.line("learn2048: \(failure.message)")
        if output.json {
          write(["board": text.text, "error": failure.message])
        }
      }
      answers += 1
    }
    do {
      // Also after an error, so that what is answered already is a valid document.
      defer { if output.json, areMany, answers > 0 { StandardOutput.line("]") } }
      for text in texts { try answer(text) }
      if let file, file == "-" { try BoardText.forEachLine(of: file, answer) }
    }
    if failures > 0 {
      throw Failure(
        .badData,
        "\(NumberText.grouped(failures)) of \(NumberText.grouped(answers)) boards are invalid; see the "
          + "errors above.")
    }
  }
}

extension Decision {
  fileprivate var text: String {
    let lines = moves.map { move in
      let mark = move.direction == best ? "*" : " "
      let name = "\(move.direction)".padded(to: 6)
      let value =
        move.value.map {
          isFromTable
            ? "  probability \(NumberText.percent($0))" : String(format: "  value %.2f", $0)
        } ?? ""
      let verdict =
        move.legal ? "reward \(move.reward)\(value)  after \(move.afterstate.text)" : "not legal"
      return "\(mark) \(PlayScreen.arrow(move.direction)) \(name) \(verdict)"
    }
    return lines.joined(separator: "\n")
  }
}
