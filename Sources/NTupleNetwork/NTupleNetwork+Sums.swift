import CIntrinsics
import Game2048

// The sums that all values are made of. They are inlined into the loops that play and search, and so
// must stay small; networks with stages go another way.

extension NTupleNetwork {
  /// Calls `body` with a function from a lane of `planes` to the value of its afterstate, whose
  /// symmetries have been taken for all four at once.
  @inlinable
  @inline(__always)
  func withLaneSums<Result>(
    of planes: SIMD4<UInt64>, _ body: (_ laneSum: (_ lane: Int) -> Float) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(
      of: SIMD4<UInt64>.self, capacity: Symmetries.count
    ) { images in
      let read = SIMD4(
        downgrading.downgraded(planes[0]), downgrading.downgraded(planes[1]),
        downgrading.downgraded(planes[2]), downgrading.downgraded(planes[3]))
      symmetries.forEachImage(of: read) { image, planes in
        unsafe images.initializeElement(at: image, to: planes)
      }
      // Image `i` of the board in `lane` lies at `4 i + lane`.
      let words = unsafe UnsafeRawPointer(images.baseAddress!).assumingMemoryBound(to: UInt64.self)
      return body { lane in
        if isStaged {
          return unsafe stagedSum(ofImages: words + lane, stages.stage(ofPlanes: planes[lane]))
        }
        return sum { unsafe words[4 &* $0 &+ lane] }
      }
    }
  }

  /// The sum of all entries for the eight images of an afterstate, which are asked for by number, of a
  /// network with one stage.
  @inlinable
  @inline(__always)
  func sum(image: (Int) -> UInt64) -> Float {
    var sum: Float = 0
    for place in 0..<tableCount {
      sum += unsafe tables[place].sum { entries, mask, number in
        unsafe ci_load_relaxed(entries + index(mask, image(number)))
      }
    }
    return sum
  }

  /// The same for a network with stages.
  ///
  /// - Parameter images: image `i` at `4 i`.
  @inline(never)
  @usableFromInline
  @unsafe
  func stagedSum(ofImages images: UnsafePointer<UInt64>, _ stage: Int) -> Float {
    stagedSum(stage) { unsafe images[4 &* $0] }
  }

  /// The same for the afterstate with these planes.
  @inline(never)
  @usableFromInline
  func stagedSum(ofPlanes planes: UInt64) -> Float {
    let images = symmetries.images(of: downgrading.downgraded(planes))
    return stagedSum(stages.stage(ofPlanes: planes)) { images[$0] }
  }

  @inline(__always)
  private func stagedSum(_ stage: Int, image: (Int) -> UInt64) -> Float {
    if stage == 0 { return sum(image: image) }
    // All entries are found before any is added, and without a branch: one that waited for an entry
    // from memory, to go on to the stage before, would hold up all the others.
    return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: featureCount) { places in
      let offset = stage &* stageStride
      for place in 0..<tableCount {
        let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
        let base = unsafe (entries - weights.base) &+ offset
        for number in 0..<Symmetries.count {
          unsafe places[Symmetries.count &* place &+ number] = base &+ index(mask, image(number))
        }
      }
      for _ in 0..<stage {
        var unlearned = 0
        for feature in 0..<featureCount {
          let mask = unsafe ci_load_relaxed(weights.base + places[feature]) == 0 ? -1 : 0
          unsafe places[feature] &-= stageStride & mask
          unlearned |= mask
        }
        if unlearned == 0 { break }
      }
      var sum: Float = 0
      for place in 0..<tableCount {
        let places = unsafe places.baseAddress! + Symmetries.count &* place
        sum += unsafe tables[place].sum { _, _, number in
          unsafe ci_load_relaxed(weights.base + places[number])
        }
      }
      return sum
    }
  }

  /// The weight that is read at an entry of a stage: its own, or that of the nearest stage before which
  /// has learned it.
  ///
  /// - Precondition: `offset` is that of an entry of this stage in the weights.
  @inlinable
  public func weight(readAt offset: Int, stage: Int) -> Float {
    precondition(0 <= offset && offset < weights.count, "weight offset out of range")
    return unsafe PromotedStages(self).weight(at: weights.base + offset, in: stage)
  }

  /// The index of a feature within its table.
  @inlinable
  @inline(__always)
  func index(_ mask: UInt64, _ planes: UInt64) -> Int {
    Int(truncatingIfNeeded: ci_extract_bits(planes, mask))
  }
}

extension NTupleNetwork.Table {
  /// The sum of this pattern's entries for eight images, each of which `entry` looks up.
  @inlinable
  @inline(__always)
  @unsafe
  func sum(
    _ entry: (_ entries: UnsafePointer<Float>, _ mask: UInt64, _ image: Int) -> Float
  ) -> Float {
    func look(_ image: Int) -> Float { unsafe entry(entries, mask, image) }
    return ((look(0) + look(1)) + (look(2) + look(3))) + ((look(4) + look(5)) + (look(6) + look(7)))
  }
}
