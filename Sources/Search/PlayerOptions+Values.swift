extension PlayerOptions {
  /// A whole number of a range, or its default.
  ///
  /// - Parameter word: what may stand in the number's place, for the message.
  func integer(
    _ key: String, in range: ClosedRange<Int>, default fallback: Int, orElse word: String? = nil
  ) throws(PlayerSpecificationError) -> Int {
    guard let value = values[key] else { return fallback }
    guard let number = Int(value), range.contains(number) else {
      throw .badValue(
        value, key: key, player: player,
        allowed: ["\(range.lowerBound) to \(range.upperBound)"] + (word.map { [$0] } ?? []))
    }
    return number
  }

  /// One of a few words, or the default.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, default fallback: Choice
  ) throws(PlayerSpecificationError) -> Choice {
    guard let value = values[key] else { return fallback }
    guard let choice = Choice(rawValue: value) else {
      throw .badValue(value, key: key, player: player, allowed: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  /// `yes` or `no`, or the default.
  func flag(_ key: String, default fallback: Bool) throws(PlayerSpecificationError) -> Bool {
    switch values[key] {
    case nil: return fallback
    case "yes": return true
    case "no": return false
    case let value?:
      throw .badValue(value, key: key, player: player, allowed: ["yes", "no"])
    }
  }
}
