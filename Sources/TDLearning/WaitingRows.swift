/// The rows of a lane's episode that wait for later errors, in the form that a saved run contains.
///
/// Floats are kept as their bits, so that they are not rounded when they are saved as text.
package struct WaitingRows: Codable, Equatable, Sendable {
  /// The planes of the afterstates, oldest first.
  package var planes: [UInt64] = []
  /// The bits of the points of the moves that reached the afterstates.
  var rewards: [UInt32] = []
  /// The bits of the values that play read for the afterstates.
  var values: [UInt32] = []
  /// The bits of the known TD errors, which are those of all rows except the last.
  var errors: [UInt32] = []

  /// Creates an empty list of rows.
  package init() {}

  /// Returns whether these rows can wait between rounds if a row waits for `lookahead` errors.
  func fits(lookahead: Int) -> Bool {
    planes.count <= lookahead + 1 && rewards.count == planes.count && values.count == planes.count
      && errors.count == max(0, planes.count - 1)
  }

  /// Returns whether these rows can wait between rounds of a learner with these returns.
  package func fits(_ returns: ReturnEstimate) -> Bool { fits(lookahead: returns.lookahead) }
}
