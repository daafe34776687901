import Basics
import Play

extension GameReview {
  /// The review as text: a summary, and a table of moves.
  ///
  /// - Parameters:
  ///   - player: The PLAYER text of the reviewing player.
  ///   - listsAllMoves: Whether the table has all moves in order, instead of the worst.
  func text(player: String, listsAllMoves: Bool) -> String {
    let listed = listsAllMoves ? moves : worst()
    let summary = """
      reviewed by \(player)
      score \(NumberText.grouped(finalScore)) in \(NumberText.count(moves.count, "move"))
      total loss \(NumberText.points(totalLoss)) points, \(NumberText.points(meanLoss ?? 0)) per move
      accuracy \(accuracy.map(NumberText.percent) ?? "-")
      """
    guard !listed.isEmpty else { return summary + "\n\nEvery move was the best." }
    let names = ["board", "move", "played", "best", "loss", "expected score"]
    let rows = listed.map { move in
      [
        move.played.board.text, "\(move.number)", "\(move.played.direction)", "\(move.best)",
        NumberText.points(move.loss), NumberText.grouped(move.expected),
      ]
    }
    let title = listsAllMoves ? "moves" : "worst moves"
    return summary + "\n\n\(title):\n" + alignedTable([names] + rows).joined(separator: "\n")
  }
}

extension GameReview {
  /// Returns the JSON document of `review --json`; what is missing is null.
  func document(player: String) -> JSONValue {
    func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
    let moves = moves.map { move in
      JSONValue.object([
        "number": .integer(move.number), "board": .string(move.played.board.text),
        "played": .string("\(move.played.direction)"), "best": .string("\(move.best)"),
        "score": .integer(move.played.score), "expected": .number(move.expected),
        "loss": .number(move.loss), "meanLoss": number(move.meanLoss),
      ])
    }
    return .object([
      "player": .string(player), "score": .integer(finalScore), "totalLoss": .number(totalLoss),
      "meanLoss": number(meanLoss), "accuracy": number(accuracy),
      "worst": .array(worst().map { .integer($0.number) }), "moves": .array(moves),
    ])
  }
}
