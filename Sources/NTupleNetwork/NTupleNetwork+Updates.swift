import CIntrinsics
import Game2048

// The updates of a batch go feature by feature, and along the rows within a feature. Consecutive rows
// are consecutive boards of a game, so most often they read the same cache line. With two workers the
// line stays on one core for all of them, instead of moving to and fro with every row; and it is asked
// for in time, for writing at once, some rows ahead.

extension NTupleNetwork {
  /// Adds `steps[row]` to every feature of each row, in place.
  ///
  /// A feature that occurs in several symmetries or rows is moved once for each.
  ///
  /// - Precondition: `rows` is at most the images' capacity, the images have this network's stages,
  ///   and `steps` holds as many.
  @inlinable
  @unsafe
  public func add(_ steps: UnsafePointer<Float>, to images: BoardImages, rows: Int) {
    if isStaged {
      unsafe add(steps, to: images, rows: rows, ManyStages(self, images))
    } else {
      unsafe add(steps, to: images, rows: rows, OneStage())
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  func add(
    _ steps: UnsafePointer<Float>, to images: BoardImages, rows: Int, _ stages: some RowStages
  ) {
    precondition(rows <= images.capacity)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      for image in 0..<Symmetries.count {
        let words = unsafe images.base + image &* images.stride
        for row in 0..<rows {
          let ahead = row &+ BoardImages.lookahead
          unsafe ci_prefetch_for_writing(
            entries + (index(mask, words[ahead]) &+ stages.offset(ahead)))
          let entry = unsafe entries + (index(mask, words[row]) &+ stages.offset(row))
          unsafe ci_store_relaxed(entry, stages.weight(at: entry, row) + steps[row])
        }
      }
    }
  }

  /// Adds `min(1, gain · coherence) · steps[row]` to every feature of each row, and accounts for
  /// `errors[row]` in the feature's coherence, which is read before, by `rule`.
  ///
  /// - Precondition: `rows` is at most the images' capacity, the images have this network's stages,
  ///   `steps` and `errors` hold as many, and `coherence` belongs to a network of this shape.
  @inlinable
  @unsafe
  public func add(
    _ steps: UnsafePointer<Float>, errors: UnsafePointer<Float>, to images: BoardImages, rows: Int,
    coherence: TemporalCoherence, rule: CoherenceRule
  ) {
    precondition(coherence.shape == shape)
    if isStaged {
      unsafe add(steps, errors, to: images, rows: rows, coherence, rule, ManyStages(self, images))
    } else {
      unsafe add(steps, errors, to: images, rows: rows, coherence, rule, OneStage())
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  func add(
    _ steps: UnsafePointer<Float>, _ errors: UnsafePointer<Float>, to images: BoardImages,
    rows: Int, _ coherence: TemporalCoherence, _ rule: CoherenceRule, _ stages: some RowStages
  ) {
    precondition(rows <= images.capacity)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      let offset = unsafe entries - weights.base
      let sums = unsafe coherence.errors.base + offset
      let magnitudes = unsafe coherence.absoluteErrors.base + offset
      for image in 0..<Symmetries.count {
        let words = unsafe images.base + image &* images.stride
        for row in 0..<rows {
          let ahead = row &+ BoardImages.lookahead
          let later = unsafe index(mask, words[ahead]) &+ stages.offset(ahead)
          unsafe ci_prefetch_for_writing(entries + later)
          unsafe ci_prefetch_for_writing(sums + later)
          unsafe ci_prefetch_for_writing(magnitudes + later)
          let feature = unsafe index(mask, words[row]) &+ stages.offset(row)
          let sum = unsafe ci_load_relaxed(sums + feature)
          let magnitude = unsafe ci_load_relaxed(magnitudes + feature)
          let share = rule.share(error: sum, absoluteError: magnitude)
          let weight = unsafe stages.weight(at: entries + feature, row)
          unsafe ci_store_relaxed(entries + feature, weight + share * steps[row])
          unsafe ci_store_relaxed(sums + feature, rule.memory * sum + errors[row])
          unsafe ci_store_relaxed(
            magnitudes + feature, rule.memory * magnitude + errors[row].magnitude)
        }
      }
    }
  }
}

/// In which stage each row of a batch is.
@usableFromInline
protocol RowStages {
  /// What the stage of a row adds to the index of its entries.
  func offset(_ row: Int) -> Int
  /// The weight that an update of a row starts from.
  @unsafe
  func weight(at entry: UnsafePointer<Float>, _ row: Int) -> Float
}

/// All rows in the one stage there is.
@usableFromInline
struct OneStage: RowStages {
  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  func offset(_ row: Int) -> Int { 0 }

  @inlinable
  @inline(__always)
  @unsafe
  func weight(at entry: UnsafePointer<Float>, _ row: Int) -> Float { unsafe ci_load_relaxed(entry) }
}

/// Every row in a stage of its own.
@usableFromInline
struct ManyStages: RowStages {
  @usableFromInline let network: NTupleNetwork
  @usableFromInline let images: BoardImages

  @inlinable
  init(_ network: NTupleNetwork, _ images: BoardImages) {
    self.network = network
    self.images = images
  }

  @inlinable
  @inline(__always)
  func offset(_ row: Int) -> Int { images.stage(row) &* network.stageStride }

  @inlinable
  @inline(__always)
  @unsafe
  func weight(at entry: UnsafePointer<Float>, _ row: Int) -> Float {
    unsafe network.promoted(entry, images.stage(row))
  }
}
