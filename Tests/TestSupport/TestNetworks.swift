import Game2048
import NTupleNetwork

/// Networks for tests.
public enum TestNetworks {
  /// Returns the shape of some patterns on a board of `size` × `size`.
  ///
  /// - Precondition: `patterns` are valid patterns of that board.
  public static func shape(_ patterns: [String], size: Int = 4) -> NetworkShape {
    do {
      return NetworkShape(
        patterns: try patterns.map { try Pattern($0, boardSize: size) }, boardSize: size)
    } catch {
      fatalError("not a pattern: \(error)")
    }
  }

  /// Returns a network whose weights are drawn uniformly from `range`.
  public static func random(
    _ patterns: [String], size: Int = 4, range: Range<Float> = -100..<100, seed: UInt64 = 1
  ) -> NTupleNetwork {
    let network = NTupleNetwork(shape(patterns, size: size))
    var source = Xoshiro256(seed: seed)
    for offset in 0..<network.weights.count {
      network.weights[offset] = Float.random(in: range, using: &source)
    }
    return network
  }

  /// All weights, in memory order.
  public static func weights(of network: NTupleNetwork) -> [Float] {
    (0..<network.weights.count).map { network.weights[$0] }
  }
}

extension SharedWeights {
  /// The bit patterns of all weights.
  public var bits: [UInt32] {
    withUnsafeWeights { Array(UnsafeRawBufferPointer($0).bindMemory(to: UInt32.self)) }
  }
}

extension FrozenNetwork {
  /// Returns a network with random entries and units.
  public static func random(
    _ shape: NetworkShape, levelOffsets: LevelOffsets = .none, seed: UInt64 = 1
  ) -> FrozenNetwork {
    var source = Xoshiro256(seed: seed)
    let network = FrozenNetwork(
      shape,
      scales: shape.patterns.map { _ in
        FrozenNetwork.Scale(
          base: Float.random(in: -10...10, using: &source),
          unit: Float.random(in: 0.1...30, using: &source))
      },
      levelOffsets: levelOffsets)
    for pattern in shape.patterns.indices {
      unsafe network.withEntries(ofPattern: pattern) { entries in
        for place in 0..<entries.count {
          unsafe entries[place] = Int16.random(in: .min ... .max, using: &source)
        }
      }
    }
    return network
  }
}

extension NTupleNetwork {
  /// Adds `step` to every feature of the board with these planes, as a batch of one row.
  public func add(_ step: Float, toFeaturesOf planes: UInt64) {
    let images = BoardImages(capacity: 1)
    images.store(planes: planes, row: 0)
    images.completeImages(rows: 1, for: self)
    unsafe withUnsafePointer(to: step) { step in
      unsafe update(
        FeatureRows(images, count: 1, steps: step, errors: step), by: UnscaledRule())
    }
  }
}

/// An update rule that adds the step to every weight.
private struct UnscaledRule: UpdateRule {
  var largestShare: Float { 1 }
  var readsMagnitudes: Bool { false }

  func fits(_ shape: NetworkShape) -> Bool { true }

  @unsafe func prefetch(_ offset: Int, from table: Int) {}

  @unsafe func weight(
    _ weight: Float, after correction: Correction, at offset: Int, from table: Int
  ) -> Float {
    weight + correction.step
  }
}

/// A network of two small patterns with weights in −100 ..< 100.
public func smallNetwork(size: Int = 4) -> NTupleNetwork {
  TestNetworks.random(
    size == 4 ? ["0145", "048"] : size == 3 ? ["0145", "048"] : ["014", "5"], size: size)
}
