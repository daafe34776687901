import CIntrinsics

/// Where the entries of a stage lie, and what is read at one: the only place that knows, besides the
/// sums of staged values.
@usableFromInline
protocol StageLookup {
  /// The distance between an entry of the first stage and the same entry of `stage`.
  func offset(of stage: Int) -> Int

  /// The weight that an update of an entry starts from.
  @unsafe
  func weight(at entry: UnsafePointer<Float>, in stage: Int) -> Float
}

/// The whole game in one stage.
@usableFromInline
struct SingleStage: StageLookup {
  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  func offset(of stage: Int) -> Int { 0 }

  @inlinable
  @inline(__always)
  @unsafe
  func weight(at entry: UnsafePointer<Float>, in stage: Int) -> Float {
    unsafe ci_load_relaxed(entry)
  }
}

/// Stages with tables of their own, whose unlearned entries are read from the stage before.
@usableFromInline
struct PromotedStages: StageLookup {
  @usableFromInline let stride: Int

  @inlinable
  init(_ network: NTupleNetwork) { stride = network.stageStride }

  @inlinable
  @inline(__always)
  func offset(of stage: Int) -> Int { stage &* stride }

  @inlinable
  @inline(__always)
  @unsafe
  func weight(at entry: UnsafePointer<Float>, in stage: Int) -> Float {
    unsafe ci_load_relaxed(learned(entry, in: stage))
  }

  /// The entry itself, or that of the nearest earlier stage that has learned it.
  @inlinable
  @inline(__always)
  @unsafe
  func learned(_ entry: UnsafePointer<Float>, in stage: Int) -> UnsafePointer<Float> {
    var (entry, stage) = unsafe (entry, stage)
    while stage > 0, unsafe ci_load_relaxed(entry) == 0 {
      unsafe entry -= stride
      stage &-= 1
    }
    return unsafe entry
  }
}
