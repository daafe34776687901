import Basics
import Console
import Foundation
import Review

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
      score \(NumberText.grouped(finalScore)) in \(NumberText.grouped(moves.count)) moves
      total loss \(points(totalLoss)) points, \(points(meanLoss ?? 0)) per move
      accuracy \(accuracy.map(NumberText.percent) ?? "-")
      """
    guard !listed.isEmpty else { return summary + "\n\nEvery move was the best." }
    let names = ["board", "move", "played", "best", "loss", "expected score"]
    let rows = listed.map { move in
      [
        move.played.board.text, "\(move.number)", "\(move.played.direction)", "\(move.best)",
        points(move.loss), NumberText.grouped(move.expected),
      ]
    }
    let title = listsAllMoves ? "moves" : "worst moves"
    return summary + "\n\n\(title):\n" + alignedTable([names] + rows).joined(separator: "\n")
  }

  /// Returns a number of points, with two decimals if it is small.
  private func points(_ value: Double) -> String {
    value < 100 ? String(format: "%.2f", value) : NumberText.grouped(value)
  }
}

/// The document of `review --json`.
struct ReviewDocument: Encodable {
  struct Move: Encodable {
    let number: Int
    let board: String
    let played: String
    let best: String
    let score: Int
    let expected: Double
    let loss: Double
    let meanLoss: Double?

    init(_ move: GameReview.Move) {
      number = move.number
      board = move.played.board.text
      played = "\(move.played.direction)"
      best = "\(move.best)"
      score = move.played.score
      expected = move.expected
      loss = move.loss
      meanLoss = move.meanLoss
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
      try container.encode(board, forKey: .board)
      try container.encode(played, forKey: .played)
      try container.encode(best, forKey: .best)
      try container.encode(score, forKey: .score)
      try container.encode(expected, forKey: .expected)
      try container.encode(loss, forKey: .loss)
      // Null instead of missing.
      try container.encode(meanLoss, forKey: .meanLoss)
    }

    private enum CodingKeys: String, CodingKey {
      case number, board, played, best, score, expected, loss, meanLoss
    }
  }

  private let player: String
  private let score: Int
  private let totalLoss: Double
  private let meanLoss: Double?
  private let accuracy: Double?
  private let worst: [Int]
  private let moves: [Move]

  init(_ review: GameReview, player: String) {
    self.player = player
    score = review.finalScore
    totalLoss = review.totalLoss
    meanLoss = review.meanLoss
    accuracy = review.accuracy
    worst = review.worst().map(\.number)
    moves = review.moves.map(Move.init)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(player, forKey: .player)
    try container.encode(score, forKey: .score)
    try container.encode(totalLoss, forKey: .totalLoss)
    try container.encode(meanLoss, forKey: .meanLoss)
    try container.encode(accuracy, forKey: .accuracy)
    try container.encode(worst, forKey: .worst)
    try container.encode(moves, forKey: .moves)
  }

  private enum CodingKeys: String, CodingKey {
    case player, score, totalLoss, meanLoss, accuracy, worst, moves
  }
}
