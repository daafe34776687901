import CIntrinsics
import Game2048

/// The rows of a batch, each with the step and the error for all its features.
@unsafe
public struct FeatureRows {
  /// The boards of the rows, with complete images.
  @usableFromInline package let images: BoardImages
  /// The number of rows.
  @usableFromInline package let count: Int
  /// The step of each row, in points.
  @usableFromInline package let steps: UnsafePointer<Float>
  /// The error of each row, in points.
  @usableFromInline package let errors: UnsafePointer<Float>

  /// Creates a view of the first `count` rows.
  ///
  /// - Precondition: `count` is at most the capacity of the images. `steps` and `errors` hold `count`
  ///   floats each, and stay valid until the rows have been used.
  package init(
    _ images: BoardImages, count: Int, steps: UnsafePointer<Float>, errors: UnsafePointer<Float>
  ) {
    precondition(count <= images.capacity)
    unsafe self.images = images
    unsafe self.count = count
    unsafe self.steps = steps
    unsafe self.errors = errors
  }
}

/// Distinct entries of one pattern, each with its step and the sums of its errors.
@unsafe
public struct FeatureSums {
  /// The index of the pattern in the shape of the network.
  @usableFromInline package let pattern: Int
  /// The number of entries.
  @usableFromInline package let count: Int
  /// The key of each entry, ascending: the stage above the index in memory order.
  @usableFromInline package let keys: UnsafePointer<UInt32>
  /// The step of each entry, in points.
  @usableFromInline package let steps: UnsafePointer<Float>
  /// The sum of the errors of each entry, in points.
  @usableFromInline package let errors: UnsafePointer<Float>
  /// The sum of the magnitudes of the errors of each entry, in points.
  @usableFromInline package let magnitudes: UnsafePointer<Float>

  /// Creates a view of `count` entries.
  ///
  /// - Precondition: Each pointer leads to `count` elements that stay valid until the sums have been
  ///   used. The keys ascend and belong to entries of the pattern.
  package init(
    pattern: Int, count: Int, keys: UnsafePointer<UInt32>, steps: UnsafePointer<Float>,
    errors: UnsafePointer<Float>, magnitudes: UnsafePointer<Float>
  ) {
    unsafe self.pattern = pattern
    unsafe self.count = count
    unsafe self.keys = keys
    unsafe self.steps = steps
    unsafe self.errors = errors
    unsafe self.magnitudes = magnitudes
  }
}

// The updates of a batch go feature by feature, and row by row within a feature. Consecutive rows are
// consecutive boards of a game, so they usually read the same cache line. With two workers, the line
// then stays on one core for all these rows, instead of moving back and forth with every row. Lines are
// requested for writing some rows ahead.

extension NTupleNetwork {
  /// Updates every feature of each row in place.
  ///
  /// A feature that occurs several times is updated once for each occurrence.
  ///
  /// - Precondition: The images are complete for this network, and the rule fits its shape.
  @inlinable
  @unsafe
  package func update(_ rows: FeatureRows, by rule: some UpdateRule) {
    precondition(rule.fits(shape), "a rule of another network")
    guard let marks else { return unsafe update(rows, rule, NoMarks()) }
    unsafe update(rows, rule, BlockMarks(marks))
  }

  @inlinable
  @unsafe
  func update(_ rows: FeatureRows, _ rule: some UpdateRule, _ marks: some EntryMarks) {
    guard isStaged else { return unsafe update(rows, rule, marks, SingleStage()) }
    unsafe update(rows, rule, marks, PromotedStages(self))
  }

  /// Updates distinct entries of one pattern in place, without marking them.
  ///
  /// - Precondition: The pattern belongs to this network, and the rule fits its shape.
  @inlinable
  @unsafe
  package func update(_ entries: FeatureSums, by rule: some UpdateRule) {
    precondition(rule.fits(shape), "a rule of another network")
    unsafe precondition(0 <= entries.pattern && entries.pattern < tableCount, "no such pattern")
    guard isStaged else { return unsafe update(entries, rule, SingleStage()) }
    unsafe update(entries, rule, PromotedStages(self))
  }

  @inlinable
  @inline(__always)
  @unsafe
  func update(
    _ rows: FeatureRows, _ rule: some UpdateRule, _ marks: some EntryMarks,
    _ stages: some StageLookup
  ) {
    for pattern in 0..<tableCount { unsafe update(pattern, rows, rule, marks, stages) }
  }

  // A function by itself, so that the loop over the rows has the registers that it needs.
  @inlinable
  @inline(never)
  @unsafe
  func update(
    _ pattern: Int, _ rows: FeatureRows, _ rule: some UpdateRule, _ marks: some EntryMarks,
    _ stages: some StageLookup
  ) {
    let images = unsafe rows.images
    let mask = unsafe tables[pattern].mask
    for image in 0..<Symmetries.count {
      let words = unsafe images.base + image &* images.stride
      unsafe correct(
        pattern, count: rows.count, lookahead: BoardImages.lookahead, rule, marks, stages,
        entry: { row in unsafe (index(mask, words[row]), images.stage(row)) },
        correction: { row in
          unsafe Correction(
            step: rows.steps[row], error: rows.errors[row], magnitude: rows.errors[row].magnitude)
        })
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  func update(_ entries: FeatureSums, _ rule: some UpdateRule, _ stages: some StageLookup) {
    let indexBits = unsafe UInt32(tables[entries.pattern].mask.nonzeroBitCount)
    let last = unsafe entries.count &- 1
    unsafe correct(
      entries.pattern, count: entries.count, lookahead: NTupleNetwork.entryLookahead, rule,
      NoMarks(), stages,
      entry: { place in
        let key = unsafe entries.keys[min(place, last)]
        return (Int(key & ~(UInt32.max << indexBits)), Int(key >> indexBits))
      },
      correction: { place in
        unsafe Correction(
          step: entries.steps[place], error: entries.errors[place],
          magnitude: entries.magnitudes[place])
      })
  }

  /// Updates entries of one pattern one after the other: the loop that all updates share.
  @inlinable
  @inline(__always)
  @unsafe
  func correct(
    _ pattern: Int, count: Int, lookahead: Int, _ rule: some UpdateRule, _ marks: some EntryMarks,
    _ stages: some StageLookup,
    entry: (_ place: Int) -> (index: Int, stage: Int), correction: (_ place: Int) -> Correction
  ) {
    let entries = unsafe tables[pattern].entries
    let start = unsafe entries - weights.base
    for place in 0..<count {
      let later = entry(place &+ lookahead)
      let ahead = later.index &+ stages.offset(of: later.stage)
      unsafe ci_prefetch_for_writing(entries + ahead)
      unsafe rule.prefetch(ahead, from: start)
      let (index, stage) = entry(place)
      let offset = index &+ stages.offset(of: stage)
      let weight = unsafe stages.weight(at: entries + offset, in: stage)
      unsafe ci_store_relaxed(
        entries + offset,
        rule.weight(weight, after: correction(place), at: offset, from: start))
      unsafe marks.mark(start &+ offset)
    }
  }

  /// The number of entries ahead of an update for which cache lines are requested.
  @usableFromInline static let entryLookahead = 24
}
