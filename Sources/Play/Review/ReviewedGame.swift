import Basics

/// The document of `review --json`.
package struct ReviewedGame: Document {
  /// The PLAYER text of the reviewing player.
  let player: String
  let review: GameReview

  package init(player: String, review: GameReview) {
    (self.player, self.review) = (player, review)
  }

  package static let fields: [Field<ReviewedGame>] = [
    Field("player", \.player, "The PLAYER text of the reviewing player."),
    Field("score", \.review.finalScore, unit: "points", "The score after the last move."),
    Field("totalLoss", \.review.totalLoss, unit: "points", "The sum of all losses."),
    Field("meanLoss", \.review.meanLoss, unit: "points", "The mean loss per move."),
    Field(
      "accuracy", \.review.accuracy,
      "1 minus the sum of losses divided by the sum of mean losses, over the boards with several legal moves; "
        + "null if the mean losses are 0."),
    Field(
      "worst", { $0.review.worst().map(\.number) },
      "The numbers of the ten moves with the largest losses, the largest first."),
    Field("moves", \.review.moves),
  ]

  /// Returns a summary, and a table of all moves in order or of the worst.
  package func text(listsAllMoves: Bool) -> String {
    let listed = listsAllMoves ? review.moves : review.worst()
    let summary = """
      reviewed by \(player)
      score \(NumberText.grouped(review.finalScore)) in \(NumberText.count(review.moves.count, "move"))
      total loss \(NumberText.points(review.totalLoss)) points, \(NumberText.points(review.meanLoss ?? 0)) per move
      accuracy \(review.accuracy.map(NumberText.percent) ?? "-")
      """
    guard !listed.isEmpty else { return summary + "\n\nEvery move was the best." }
    let title = listsAllMoves ? "moves" : "worst moves"
    let table = alignedTable(GameReview.Move.table(listed))
    return "\(summary)\n\n\(title):\n" + table.joined(separator: "\n")
  }
}

extension GameReview.Move: Document {
  package static let fields: [Field<Self>] = [
    Field("board", \.played.board, "The board before the move.")
      .column("board") { $0.played.board.text },
    Field("number", \.number, "The number of the move, from 1.")
      .column("move") { "\($0.number)" },
    Field("played", \.played.direction, "The direction played.")
      .column("played") { "\($0.played.direction)" },
    Field("best", \.best, "The best move.").column("best") { "\($0.best)" },
    Field("score", \.played.score, unit: "points", "The score before the move."),
    Field(
      "loss", \.loss, unit: "points",
      "The value of the best move minus that of the played one; at least 0."
    ).column("loss") { NumberText.points($0.loss) },
    Field(
      "meanLoss", \.meanLoss, unit: "points",
      "The mean loss of the legal moves; null if only one is legal."),
    Field(
      "expected", \.expected, unit: "points",
      "The expected final score before the move: the score plus the value of the best move."
    ).column("expected score") { NumberText.grouped($0.expected) },
  ]
}
