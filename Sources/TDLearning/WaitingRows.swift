/// The rows of a lane's episode that wait for later errors, as a saved run keeps them.
///
/// Floats are saved as their bits, so that nothing rounds.
public struct WaitingRows: Equatable, Sendable {
  /// The planes of the afterstates, oldest first.
  public var planes: [UInt64] = []
  /// The points of the moves that reached them.
  public var rewards: [Float] = []
  /// The values that play read.
  public var values: [Float] = []
  /// The TD errors that are known: of all rows but the last.
  public var errors: [Float] = []

  /// No rows.
  public init() {}

  init(planes: [UInt64], rewards: [Float], values: [Float], errors: [Float]) {
    self.planes = planes
    self.rewards = rewards
    self.values = values
    self.errors = errors
  }

  /// Whether these can be the rows that wait between rounds, where a row waits for `lookahead` errors.
  func fits(lookahead: Int) -> Bool {
    planes.count <= lookahead + 1 && rewards.count == planes.count && values.count == planes.count
      && errors.count == max(0, planes.count - 1)
  }

  /// Whether these can be the rows that wait where `returns` are learned from.
  public func fits(_ returns: ReturnEstimate) -> Bool { fits(lookahead: returns.lookahead) }
}

extension WaitingRows: Codable {
  private enum Key: String, CodingKey {
    case planes, rewards, values, errors
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func floats(_ key: Key) throws -> [Float] {
      try container.decode([UInt32].self, forKey: key).map(Float.init(bitPattern:))
    }
    planes = try container.decode([UInt64].self, forKey: .planes)
    rewards = try floats(.rewards)
    values = try floats(.values)
    errors = try floats(.errors)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(planes, forKey: .planes)
    try container.encode(rewards.map(\.bitPattern), forKey: .rewards)
    try container.encode(values.map(\.bitPattern), forKey: .values)
    try container.encode(errors.map(\.bitPattern), forKey: .errors)
  }
}
