import ArgumentParser
import Console
import Foundation
import Game2048
import Search

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Show the four moves of a board, what a player makes of them, and the best.")

  @Option(
    help: "16 exponents in base 18, such as 1020000000000000, or 16 tile values.")
  var board: String

  @Option(help: "The model to ask: a run, or a weight file.")
  var model: String?

  @Option(help: "The player to ask instead, such as heuristic.")
  var player: String?

  @Option(
    parsing: .unconditional, help: "The plies that the model looks ahead.", transform: searchDepth)
  var depth: Int = 1

  @OptionGroup var output: OutputOptions

  func run() throws {
    let board: Board
    do {
      board = try Board(text: self.board)
    } catch {
      throw Failure(.badData, "--board: \(error)")
    }
    var loader = PlayerLoader()
    let specification =
      try player.map { try PlayerSpecification($0) }
      ?? .learned(model: model, depth: .plies(depth))
    var player = try loader.factory(for: specification)(0)
    let rules = loader.rules ?? .standard
    guard board.occupied & ~rules.cells == 0 else {
      throw Failure(.badData, "--board: a tile lies outside the \(rules.size)x\(rules.size) board")
    }
    guard !rules.isOver(board) else {
      throw Failure(.badData, "--board: no move is legal on \(board.text): the game is over")
    }
    let analysis = Analysis(
      board: board, best: player.chooseMove(from: board), moves: player.evaluateMoves(board))
    if output.json {
      try StandardOutput.json(analysis.document)
    } else {
      StandardOutput.line(analysis.text(player: player.name))
    }
  }
}

/// Reads the plies of a search.
func searchDepth(_ text: String) throws -> Int {
  let plies = try count(text)
  guard SearchDepth.range.contains(plies) else {
    throw ValidationError(
      "a search looks \(SearchDepth.range.lowerBound) to \(SearchDepth.range.upperBound) plies ahead"
    )
  }
  return plies
}

/// The moves of one board, as `analyze` prints them.
private struct Analysis {
  let board: Board
  let best: Direction?
  let moves: [MoveEvaluation]

  struct Document: Encodable {
    struct Move: Encodable {
      let direction: String
      let legal: Bool
      let reward: Int
      let afterstate: String
      let value: Double?
    }
    let board: String
    let best: String?
    let moves: [Move]
  }

  var document: Document {
    Document(
      board: board.text, best: best.map { "\($0)" },
      moves: moves.map {
        Document.Move(
          direction: "\($0.direction)", legal: $0.legal, reward: $0.reward,
          afterstate: $0.afterstate.text, value: $0.value)
      })
  }

  func text(player: String) -> String {
    var lines = [board.description, "", "asked: \(player)"]
    for move in moves {
      let mark = move.direction == best ? "*" : " "
      let name = "\(move.direction)".padding(toLength: 6, withPad: " ", startingAt: 0)
      let verdict =
        move.legal
        ? "reward \(move.reward)"
          + (move.value.map { String(format: "  value %.2f", $0) } ?? "")
          + "  after \(move.afterstate.text)"
        : "not legal"
      lines.append("\(mark) \(PlayScreen.arrow(move.direction)) \(name) \(verdict)")
    }
    return lines.joined(separator: "\n")
  }
}
