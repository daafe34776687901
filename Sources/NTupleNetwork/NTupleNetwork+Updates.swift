import CIntrinsics
import Game2048

extension NTupleNetwork {
  /// Adds `step` to every feature of the afterstate with these planes, in place.
  ///
  /// A feature that occurs in several symmetries is moved once for each.
  @inlinable
  @inline(__always)
  public func add(_ step: Float, toFeaturesOf planes: UInt64) {
    let images = symmetries.images(of: planes)
    for place in 0..<tableCount {
      let table = unsafe tables[place]
      for image in 0..<Symmetries.count {
        let index = Int(truncatingIfNeeded: ci_extract_bits(images[image], table.mask))
        unsafe ci_store_relaxed(
          table.entries + index, ci_load_relaxed(table.entries + index) + step)
      }
    }
  }

  /// Copies the weights of the features of one afterstate, and where they came from.
  ///
  /// - Parameters:
  ///   - indices: receives ``featureCount`` indices within the patterns' tables, pattern by
  ///     pattern, eight symmetries each.
  ///   - row: receives the weights in the same order.
  @inlinable
  @inline(__always)
  @unsafe
  public func gather(
    featuresOf planes: UInt64, indices: UnsafeMutablePointer<UInt32>,
    row: UnsafeMutablePointer<Float>
  ) {
    let images = symmetries.images(of: planes)
    for place in 0..<tableCount {
      let table = unsafe tables[place]
      for image in 0..<Symmetries.count {
        let index = UInt32(truncatingIfNeeded: ci_extract_bits(images[image], table.mask))
        unsafe indices[Symmetries.count &* place &+ image] = index
        unsafe row[Symmetries.count &* place &+ image] = ci_load_relaxed(
          table.entries + Int(truncatingIfNeeded: index))
      }
    }
  }

  /// Adds `step` to the features that ``gather(featuresOf:indices:row:)`` listed.
  @inlinable
  @inline(__always)
  @unsafe
  public func scatter(adding step: Float, indices: UnsafePointer<UInt32>) {
    for place in 0..<tableCount {
      let entries = unsafe tables[place].entries
      for image in 0..<Symmetries.count {
        let index = unsafe Int(indices[Symmetries.count &* place &+ image])
        unsafe ci_store_relaxed(entries + index, ci_load_relaxed(entries + index) + step)
      }
    }
  }
}
