import Game2048

extension NTupleNetwork {
  /// The values of up to four afterstates, whose symmetries are taken at once.
  @inlinable
  @inline(__always)
  public func values(ofPlanes planes: SIMD4<UInt64>, count: Int) -> SIMD4<Double> {
    unsafe withUnsafeTemporaryAllocation(
      of: SIMD4<UInt64>.self, capacity: Symmetries.count
    ) { images in
      symmetries.forEachImage(of: planes) { image, planes in
        unsafe images.initializeElement(at: image, to: planes)
      }
      let lanes = unsafe UnsafeRawPointer(images.baseAddress!).assumingMemoryBound(to: UInt64.self)
      // Board by board: pattern by pattern, which reads each table for four boards in turn, took 15 %
      // longer.
      var sums = SIMD4<Float>.zero
      for lane in 0..<count {
        var sum: Float = 0
        for place in 0..<tableCount { sum += unsafe tables[place].sum(ofLane: lane, in: lanes) }
        sums[lane] = sum
      }
      return SIMD4<Double>(sums)
    }
  }
}
