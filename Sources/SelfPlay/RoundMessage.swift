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
    func append<Element: BitwiseCopyable>(_ elements: [Element]) {
      unsafe elements.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    append([UInt32(endsPlay ? 1 : 0)])
    for lane in lanes {
      append([UInt32(lane.finished.count)])
      for result in lane.finished {
        append([
          Int64(result.score), Int64(result.moves), Int64(result.largestExponent),
          result.isWholeGame ? 1 : 0,
        ])
      }
      for delta in lane.deltas {
        append([UInt32(delta.count)])
        append(delta.keys)
        append(delta.errors)
        append(delta.magnitudes)
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
    var place = 0
    func take<Element: BitwiseCopyable>(_ type: Element.Type, _ count: Int) -> [Element] {
      let end = place + count * MemoryLayout<Element>.stride
      precondition(end <= bytes.count, "a message that ends too early")
      defer { place = end }
      return unsafe bytes.withUnsafeBytes { bytes in
        (0..<count).map {
          unsafe bytes.loadUnaligned(
            fromByteOffset: place + $0 * MemoryLayout<Element>.stride, as: type)
        }
      }
    }
    func takeCount() -> Int { Int(take(UInt32.self, 1)[0]) }

    endsPlay = takeCount() == 1
    self.lanes = []
    for _ in 0..<lanes {
      let finished = (0..<takeCount()).map { _ in
        let fields = take(Int64.self, 4).map(Int.init)
        return EpisodeResult(
          score: fields[0], moves: fields[1], largestExponent: fields[2],
          isWholeGame: fields[3] == 1)
      }
      var deltas: [PatternDelta] = []
      for pattern in shape.patterns.indices {
        let count = takeCount()
        deltas.append(
          try PatternDelta(
            pattern: pattern, of: shape, keys: take(UInt32.self, count),
            errors: take(Float.self, count), magnitudes: take(Float.self, count),
            allowsDivergence: true))
      }
      self.lanes.append(Lane(finished: finished, deltas: deltas))
    }
    precondition(place == bytes.count, "a message with more than its lanes")
  }
}
