extension NTupleNetwork {
  /// Adds 1 to the count of every weight that the value of the afterstate with these planes is the sum
  /// of, once for each time that it is read.
  ///
  /// Where a stage has not learned a weight, the one that is read in its place counts.
  ///
  /// - Precondition: there is a count for every weight.
  public func countReads(ofPlanes planes: UInt64, in counts: SharedWeights) {
    precondition(counts.count == weights.count, "a count for every weight")
    let images = symmetries.images(of: downgrading.downgraded(planes))
    let stage = stages.stage(ofPlanes: planes)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      for image in 0..<images.scalarCount {
        let entry = unsafe entries + (stage * stageStride + index(mask, images[image]))
        let learned = unsafe PromotedStages(self).learned(entry, in: stage)
        unsafe counts[learned - UnsafePointer(weights.base)] += 1
      }
    }
  }
}
