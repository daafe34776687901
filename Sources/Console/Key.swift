import Game2048

/// A key of the game. Letters are lower case, so that caps lock has no effect.
package enum Key: Equatable, Sendable {
  case move(Direction)
  case character(Character)
  case escape
}

/// A parser of the bytes that a terminal sends.
///
/// An arrow is a sequence of three bytes that may arrive in parts. An incomplete sequence waits for the next
/// call.
package struct KeyParser: Sendable {
  private var pending: [UInt8] = []

  package init() {}

  /// Returns the keys in the rest of the previous call and `bytes`.
  package mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let key = next() { keys.append(key) }
    return keys
  }

  /// Returns the keys in the rest when no more bytes arrive: an escape without a sequence is the escape key.
  package mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  private mutating func next() -> Key? {
    while let first = pending.first {
      if first != 0x1B {
        pending.removeFirst()
        if let key = KeyParser.key(for: Character(Unicode.Scalar(first))) { return key }
        continue
      }
      guard pending.count > 1 else { return nil }
      guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
        pending.removeFirst()
        return .escape
      }
      // The function keys F1 to F5 of the Linux console.
      if pending.count > 2, pending[2] == UInt8(ascii: "[") {
        guard pending.count > 3 else { return nil }
        pending.removeFirst(4)
        continue
      }
      // A control sequence ends with a byte from @ to ~.
      guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
      else { return nil }
      let sequence = Array(pending[2...end])
      pending.removeSubrange(...end)
      if let last = sequence.last, let direction = KeyParser.arrow(last) { return .move(direction) }
    }
    return nil
  }

  private static func arrow(_ byte: UInt8) -> Direction? {
    switch Unicode.Scalar(byte) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    default: nil
    }
  }

  private static func key(for character: Character) -> Key? {
    switch character {
    case "w", "W", "k", "K": .move(.up)
    case "s", "S", "j", "J": .move(.down)
    case "a", "A", "h", "H": .move(.left)
    case "d", "D", "l", "L": .move(.right)
    default: character.isASCII ? .character(Character(character.lowercased())) : nil
    }
  }
}
