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
    Field("best", { $0.count(.best) }, "The number of moves without a loss."),
    Field(
      "small", { $0.count(.small) },
      "The number of moves that gave away less than 1 % of the points to come."),
    Field(
      "medium", { $0.count(.medium) },
      "The number of moves that gave away 1 % or more, but less than 10 %."),
    Field("large", { $0.count(.large) }, "The number of moves that gave away 10 % or more."),
    Field(
      "accuracy", \.review.accuracy,
      "1 minus the sum of losses divided by the sum of mean losses, over the boards with several legal moves; "
        + "null if the mean losses are 0."),
    Field(
      "worst", { $0.review.worst().map(\.number) },
      "The numbers of the ten moves that gave away the largest shares, the largest first."),
    Field(
      "moments", { $0.review.moments().map(\.number) },
      "The numbers of the three moves that mattered most, in order: the worst that are at least 20 moves apart."
    ),
    Field("moves", \.review.moves),
  ]

  private func count(_ grade: GameReview.Grade) -> Int { review.counts[grade] ?? 0 }

  /// Returns a summary, and a table of all moves or the boards of the three that mattered most.
  package func text(listsAllMoves: Bool) -> String {
    let grades = GameReview.Grade.allCases.map { $0.words(count($0)) }.joined(separator: ", ")
    let summary = """
      reviewed by \(player)
      score \(NumberText.grouped(review.finalScore)) in \(NumberText.count(review.moves.count, "move"))
      \(grades)
      accuracy \(review.accuracy.map(NumberText.percent) ?? "-")
      """
    if listsAllMoves {
      let table = alignedTable(GameReview.Move.table(review.moves))
      return "\(summary)\n\nmoves:\n" + table.joined(separator: "\n")
    }
    let moments = review.moments()
    guard !moments.isEmpty else { return summary + "\n\nEvery move was the best." }
    return ([summary, "what mattered most:"] + moments.map { $0.picture(size: review.boardSize) })
      .joined(separator: "\n\n")
  }
}

extension GameReview.Move {
  /// The move in words, and its board.
  fileprivate func picture(size: Int) -> String {
    let stake = expected - Double(played.score)
    return """
      move \(NumberText.grouped(number)): \(played.direction) instead of \(best) gave away \
      \(NumberText.percent(share)) of \(NumberText.grouped(stake)) points to come
      \(played.board.description(size: size))
      """
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
      "share", \.share,
      "The loss divided by the points to come, which are the value of the best move; 0 to 1."
    ).column("of points to come") { NumberText.percent($0.share) },
    Field(
      "meanLoss", \.meanLoss, unit: "points",
      "The mean loss of the legal moves; null if only one is legal."),
    Field(
      "expected", \.expected, unit: "points",
      "The final score expected if the reviewing player played on from the board: the score plus the value of the best "
        + "move."
    ).column("if it played on") { NumberText.grouped($0.expected) },
  ]
}
