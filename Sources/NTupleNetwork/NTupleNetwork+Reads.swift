extension NTupleNetwork {
  /// Adds 1 to the count of every entry that the value of the afterstate with these planes is the sum
  /// of, once for each time that it is read.
  ///
  /// - Precondition: there is a count for every weight.
  public func countReads(ofPlanes planes: UInt64, in counts: SharedWeights) {
    precondition(counts.count == weights.count, "a count for every weight")
    let images = symmetries.images(of: planes)
    for place in 0..<tableCount {
      let (mask, offset) = unsafe (tables[place].mask, tables[place].entries - weights.base)
      for image in 0..<images.scalarCount {
        counts[offset + index(mask, images[image])] += 1
      }
    }
  }
}
