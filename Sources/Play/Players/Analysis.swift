import Basics
import Game2048
import Search

extension Board {
  /// The seed of a player that analyses this board.
  ///
  /// A player that draws random numbers draws others on another board, and the same on the same.
  package var analysisSeed: UInt64 { SplitMix64.mix(planes) }
}

extension Decision {
  /// Returns the JSON document of `analyze --json` and of the web interface; what is missing is null.
  package func document(on board: Board) -> [String: JSONValue] {
    func text(_ direction: Direction) -> JSONValue { .string("\(direction)") }
    let moves = moves.map { move in
      JSONValue.object([
        "direction": text(move.direction), "legal": .bool(move.legal),
        "reward": .integer(move.reward), "afterstate": .string(move.afterstate.text),
        "value": move.value.map { .number($0) } ?? .null,
      ])
    }
    return [
      "board": .string(board.text), "best": best.map(text) ?? .null, "moves": .array(moves),
    ]
  }
}
