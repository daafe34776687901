/// The rows of a lane's episode that wait for later errors, in the form that a saved run contains.
///
/// Floats are saved as their bits, so that they are not rounded.
package struct WaitingRows: Equatable, Sendable {
  /// The planes of the afterstates, oldest first.
  package var planes: [UInt64] = []
  /// The points of the moves that reached the afterstates.
  package var rewards: [Float] = []
  /// The values that play read for the afterstates.
  package var values: [Float] = []
  /// The known TD errors, which are those of all rows except the last.
  package var errors: [Float] = []

  /// Creates an empty list of rows.
  package init() {}

  init(planes: [UInt64], rewards: [Float], values: [Float], errors: [Float]) {
    self.planes = planes
    self.rewards = rewards
    self.values = values
    self.errors = errors
  }

  /// Returns whether these rows can wait between rounds if a row waits for `lookahead` errors.
  func fits(lookahead: Int) -> Bool {
    planes.count <= lookahead + 1 && rewards.count == planes.count && values.count == planes.count
      && errors.count == max(0, planes.count - 1)
  }

  /// Returns whether these rows can wait between rounds of a learner with these returns.
  package func fits(_ returns: ReturnEstimate) -> Bool { fits(lookahead: returns.lookahead) }
}

extension WaitingRows: Codable {
  private enum Key: String, CodingKey {
    case planes, rewards, values, errors
  }

  /// Decodes rows whose floats are saved as bits.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func floats(_ key: Key) throws -> [Float] {
      try container.decode([UInt32].self, forKey: key).map(Float.init(bitPattern:))
    }
    planes = try container.decode([UInt64].self, forKey: .planes)
    rewards = try floats(.rewards)
    values = try floats(.values)
    errors = try floats(.errors)
  }

  /// Encodes the rows, with floats as bits.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(planes, forKey: .planes)
    try container.encode(rewards.map(\.bitPattern), forKey: .rewards)
    try container.encode(values.map(\.bitPattern), forKey: .values)
    try container.encode(errors.map(\.bitPattern), forKey: .errors)
  }
}
