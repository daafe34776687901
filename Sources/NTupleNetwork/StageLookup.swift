import CIntrinsics

/// The position of the entries of a stage, and the weights that are read there.
///
/// Apart from this protocol, only the sums of staged values depend on the layout of stages.
@usableFromInline
protocol StageLookup {
  /// The distance between an entry and the same entry of the next stage.
  var stride: Int { get }

  /// Returns the weight that an update of an entry starts from.
  @unsafe
  func weight(at entry: UnsafePointer<Float>, in stage: Int) -> Float
}

extension StageLookup {
  /// Returns the distance between an entry of the first stage and the same entry of `stage`.
  @inlinable
  @inline(__always)
  func offset(of stage: Int) -> Int { stage &* stride }
}

/// The look-up for a network with one stage.
@usableFromInline
struct SingleStage: StageLookup {
  @inlinable
  init() {}

  @inlinable
  var stride: Int { 0 }

  @inlinable
  @inline(__always)
  @unsafe
  func weight(at entry: UnsafePointer<Float>, in stage: Int) -> Float {
    unsafe ci_load_relaxed(entry)
  }
}

/// The look-up for several stages, in which unlearned entries are read from the stage before.
@usableFromInline
struct PromotedStages: StageLookup {
  @usableFromInline let stride: Int

  @inlinable
  init(_ network: NTupleNetwork) { stride = network.stageStride }

  @inlinable
  @inline(__always)
  @unsafe
  func weight(at entry: UnsafePointer<Float>, in stage: Int) -> Float {
    unsafe ci_load_relaxed(learned(entry, in: stage))
  }

  /// Returns the entry itself, or the same entry of the nearest earlier stage that has learned it.
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
