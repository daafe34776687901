import Game2048

/// The tile size from which a network reads boards with their largest tiles downgraded. It may differ
/// from stage to stage.
///
/// A board with a tile of that size is read as `Board.downgraded(from:)` returns it. Boards with the
/// largest tiles are rare in training but resemble their downgraded forms, so the network applies to
/// them what it has learned from those.
///
/// Source: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021, section V. They
/// downgrade the board of the player; here every value reads downgraded boards, also in training.
public struct Downgrading: Hashable, Sendable {
  /// The valid exponents, those of tiles 1024 to 32768.
  public static let range = 10...15

  /// No downgrading: a network reads all boards unchanged.
  public static let none = Downgrading(least: 16)

  /// The smallest exponent that is downgraded in any stage, or 16 for no downgrading.
  @usableFromInline let least: Int
  /// The exponent of each stage in four bits, 0 for no downgrading; 0 if all stages have the same one.
  @usableFromInline let stageExponents: UInt64

  private init(least: Int, stageExponents: UInt64 = 0) {
    self.least = least
    self.stageExponents = stageExponents
  }

  /// Creates the rule that downgrades boards with a tile of `1 << exponent` or more.
  ///
  /// - Precondition: The exponent is in ``range``.
  public init(from exponent: Int) {
    precondition(Downgrading.range.contains(exponent), "tiles of 1024 to 32768")
    self.init(least: exponent)
  }

  /// Creates the rule with an exponent for each stage, nil for stages that read boards unchanged.
  ///
  /// - Precondition: There are 1 to 16 stages, and every exponent is in ``range``.
  public init(perStage exponents: [Int?]) {
    precondition((1...StageRule.largestCount).contains(exponents.count), "1 to 16 stages")
    precondition(
      exponents.allSatisfy { $0.map(Downgrading.range.contains) ?? true }, "tiles of 1024 to 32768")
    let isUniform = exponents.allSatisfy { $0 == exponents[0] }
    self.init(
      least: exponents.compactMap { $0 }.min() ?? 16,
      stageExponents: isUniform
        ? 0 : exponents.reversed().reduce(0) { $0 << 4 | UInt64($1 ?? 0) })
  }

  /// Whether the stages have different exponents.
  public var isPerStage: Bool { stageExponents != 0 }

  /// Returns the smallest exponent that is downgraded in `stage`, or nil for no downgrading.
  ///
  /// - Precondition: `stage` is in `0..<16`.
  public func exponent(inStage stage: Int) -> Int? {
    precondition((0..<StageRule.largestCount).contains(stage), "no such stage")
    let exponent = isPerStage ? Int(stageExponents >> UInt64(4 * stage) & 15) : least
    return Downgrading.range.contains(exponent) ? exponent : nil
  }

  /// Returns the planes of a board as a network reads them.
  ///
  /// - Parameters:
  ///   - planes: The planes of the board, whose exponents are at most 15.
  ///   - stages: The stages of the network.
  @inlinable
  @inline(__always)
  package func downgraded(_ planes: UInt64, in stages: StageRule) -> UInt64 {
    // The test for a large tile takes a few operations, but downgrading takes dozens.
    if least > 15 || !hasLargeTile(planes) { return planes }
    return downgradedLarge(planes, in: stages)
  }

  /// Returns the planes of a board with a tile of at least `least` as a network reads them.
  @usableFromInline
  @inline(never)
  func downgradedLarge(_ planes: UInt64, in stages: StageRule) -> UInt64 {
    var exponent = least
    if isPerStage {
      guard let own = self.exponent(inStage: stages.stage(ofPlanes: planes)) else { return planes }
      exponent = own
    }
    return Board(planes: planes).downgraded(from: exponent).planes
  }

  /// Returns whether an exponent is at least `least`.
  ///
  /// Adding 16 − `least` to such an exponent carries out of its four bits.
  @inlinable
  @inline(__always)
  func hasLargeTile(_ planes: UInt64) -> Bool {
    let addend = 16 &- least
    var carry: UInt64 = 0
    for bit in 0..<4 {
      let plane = planes &>> UInt64(16 &* bit)
      carry = addend &>> bit & 1 == 1 ? plane | carry : plane & carry
    }
    return carry & 0xFFFF != 0
  }
}
