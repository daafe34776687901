import Arena
import ArgumentParser
import Game2048

extension BoardText {
  /// Reads the boards from which `evaluate --start` plays: those of a file with one per line, or of recorded games.
  ///
  /// - Parameters:
  ///   - file: The path, or `-` for boards from standard input.
  ///   - exponents: The exponents of the tiles with which the boards of recorded games begin; empty for boards.
  /// - Throws: `LocatedError` if the file cannot be read, `Failure` if it has no boards.
  static func starts(_ file: String, from exponents: [Int]) throws -> [BoardText] {
    guard try file != "-" && GameRecordFile.isRecord(file) else {
      if !exponents.isEmpty {
        throw Failure(
          .usage, "--from is for recorded games, and \(file) has boards. Leave it out.")
      }
      return try lines(of: file)
    }
    guard !exponents.isEmpty else {
      throw Failure(
        .usage,
        "\(file) has recorded games. Name the tile from which to play with --from, such as --from 16384."
      )
    }
    let games = try GameRecordFile.read(file)
    let texts = try games.firstBoards(with: exponents, path: file).map { player, game, board in
      BoardText(
        place: "\(file), game \(game + 1) of \(games.header.players[player])", text: board.text)
    }
    if texts.isEmpty {
      throw Failure(
        .badData,
        "\(file): no game reached \(exponents.map { "\(1 << $0)" }.joined(separator: ", ")). Record more games, or name "
          + "smaller tiles.")
    }
    return texts
  }
}

/// Returns a function that reads a tile for an option, and returns its exponent, which is in a range.
func exponent(ofTileIn range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
  { text in
    guard let exponent = Board.exponent(ofTile: try count(text)), range.contains(exponent) else {
      throw ValidationError("Use a tile from \(1 << range.lowerBound) to \(1 << range.upperBound).")
    }
    return exponent
  }
}

/// Reads a tile that a move can make, and returns its exponent.
let tileExponent = exponent(ofTileIn: 2...Board.largestExponent)
