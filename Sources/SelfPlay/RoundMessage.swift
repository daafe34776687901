import NTupleNetwork
import TDLearning

/// What the lanes of a rank bring out of a round: the episodes that ended and the blocks of errors.
struct RoundMessage {
  /// The results of one lane.
  struct Lane {
    /// The episodes that ended.
    var finished: [EpisodeResult]
    /// The blocks of errors, in the order of the patterns.
    var deltas: [PatternDelta]
  }

  /// Whether the rank asks all ranks to end after this round.
  var endsPlay: Bool
  /// The rank's lanes, in order.
  var lanes: [Lane]

  /// The message as bytes, with numbers in the byte order of the machine.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(numbers: [UInt32(endsPlay ? 1 : 0)])
    for lane in lanes {
      bytes.append(numbers: [UInt32(lane.finished.count)])
      for result in lane.finished {
        bytes.append(numbers: [
          Int64(result.score), Int64(result.moves), Int64(result.largestExponent),
          result.isWholeGame ? 1 : 0,
        ])
      }
      for delta in lane.deltas {
        bytes.append(numbers: [UInt32(delta.count)])
        bytes.append(numbers: delta.keys)
        bytes.append(numbers: delta.errors)
        bytes.append(numbers: delta.magnitudes)
      }
    }
    return bytes
  }
}

extension RoundMessage {
  /// Reads the message of a rank with `lanes` lanes on networks of this shape.
  ///
  /// - Throws: `PatternDeltaError` for a block that does not belong to the network.
  /// - Precondition: The bytes come from ``bytes``.
  init(_ bytes: [UInt8], lanes: Int, shape: NetworkShape) throws(PatternDeltaError) {
    var rest = bytes[...]
    func takeCount() -> Int { Int(rest.removeNumbers(1, of: UInt32.self)[0]) }

    endsPlay = takeCount() == 1
    self.lanes = []
    for _ in 0..<lanes {
      let finished = (0..<takeCount()).map { _ in
        let fields = rest.removeNumbers(4, of: Int64.self).map(Int.init)
        return EpisodeResult(
          score: fields[0], moves: fields[1], largestExponent: fields[2],
          isWholeGame: fields[3] == 1)
      }
      var deltas: [PatternDelta] = []
      for pattern in shape.patterns.indices {
        let count = takeCount()
        deltas.append(
          try PatternDelta(
            pattern: pattern, of: shape, keys: rest.removeNumbers(count, of: UInt32.self),
            errors: rest.removeNumbers(count, of: Float.self),
            magnitudes: rest.removeNumbers(count, of: Float.self)))
      }
      self.lanes.append(Lane(finished: finished, deltas: deltas))
    }
    precondition(rest.isEmpty, "a message with more than its lanes")
  }
}
