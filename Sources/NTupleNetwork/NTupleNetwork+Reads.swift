extension NTupleNetwork {
  /// Adds 1 to the count of every weight that the value of the afterstate with these planes is the sum
  /// of, once for each time that it is read.
  ///
  /// Where a stage has not learned a weight, the one that is read in its place counts.
  ///
  /// - Precondition: there is a count for every weight.
  public func countReads(ofPlanes planes: UInt64, in counts: SharedWeights) {
    precondition(counts.count == weights.count, "a count for every weight")
    let images = symmetries.images(of: planes)
    let stage = stages.stage(ofPlanes: planes)
    for place in 0..<tableCount {
      let (mask, offset) = unsafe (tables[place].mask, tables[place].entries - weights.base)
      for image in 0..<images.scalarCount {
        let first = offset + index(mask, images[image])
        var learned = stage
        while learned > 0, weights[first + learned * stageStride] == 0 { learned -= 1 }
        counts[first + learned * stageStride] += 1
      }
    }
  }
}
