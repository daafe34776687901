extension Rules {
  /// The rules as files and their names state them: the size of the board, and the probability of a 4 if it is not the
  /// usual one. Examples are `4x4`, the usual rules, `3x3` and `4x4-0.3`.
  package var text: String {
    let spawns = fourProbability == Rules.standardFourProbability ? "" : "-\(fourProbability)"
    return "\(size)x\(size)\(spawns)"
  }

  /// Reads rules as ``text`` writes them; nil if the text is something else.
  package init?(text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let probability = parts.count == 1 ? Rules.standardFourProbability : Double(parts[1])
    guard let size = (2...4).first(where: { "\($0)x\($0)" == parts[0] }), let probability,
      (0...1).contains(probability)
    else { return nil }
    self.init(size: size, fourProbability: probability)
  }
}
