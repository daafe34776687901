extension NTupleNetwork {
  /// Adds 1 to the count of a weight for each time that the value of an afterstate reads it.
  ///
  /// If a stage has not learned a weight, the promoted weight that is read instead counts.
  ///
  /// - Parameters:
  ///   - planes: The planes of the afterstate, whose exponents are at most 15.
  ///   - counts: The counts, in the order of the weights.
  /// - Precondition: `counts` has an element for every weight.
  package func countReads(ofPlanes planes: UInt64, in counts: SharedWeights) {
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
