import CIntrinsics
import Game2048

// The sums behind all values. They are inlined into the loops of play and search, so they must stay
// small. Networks with stages use separate functions that are not inlined.

extension NTupleNetwork {
  /// Calls `body` with a function that returns the value of the afterstate with a number in `planes`.
  ///
  /// The symmetries of all four afterstates are computed together before the call.
  @inlinable
  @inline(__always)
  func withSums<Result>(
    of planes: SIMD4<UInt64>, _ body: (_ sumOf: (_ number: Int) -> Float) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(
      of: SIMD4<UInt64>.self, capacity: Symmetries.count
    ) { images in
      let (first, second) = (read(planes[0]), read(planes[1]))
      let (third, fourth) = (read(planes[2]), read(planes[3]))
      let offsets = SIMD4(first.offset, second.offset, third.offset, fourth.offset)
      let read = SIMD4(first.planes, second.planes, third.planes, fourth.planes)
      symmetries.forEachImage(of: read) { image, planes in
        unsafe images.initializeElement(at: image, to: planes)
      }
      // Image `i` of afterstate `number` is at `4 i + number`.
      let words = unsafe UnsafeRawPointer(images.baseAddress!).assumingMemoryBound(to: UInt64.self)
      return body { number in
        if isStaged {
          return unsafe stagedSum(
            ofImages: words + number, stages.stage(ofPlanes: planes[number]), from: offsets[number])
        }
        return sum(from: offsets[number]) { unsafe words[4 &* $0 &+ number] }
      }
    }
  }

  /// Returns the values of up to four afterstates, computing their symmetries together.
  ///
  /// - Parameters:
  ///   - planes: The planes of the afterstates, whose exponents are at most 15.
  ///   - count: The number of afterstates. Elements from `count` on have the value 0.
  @inlinable
  @inline(__always)
  public func values(ofPlanes planes: SIMD4<UInt64>, count: Int) -> SIMD4<Double> {
    withSums(of: planes) { sumOf in
      // Board by board. Reading each table for four boards in turn took 15 % longer.
      var sums = SIMD4<Float>.zero
      for number in 0..<count { sums[number] = sumOf(number) }
      return SIMD4<Double>(sums)
    }
  }

  /// Returns the planes of a board, whose exponents are at most 15, as the network reads them, and
  /// what it adds to the sum of their features.
  @inlinable
  @inline(__always)
  func read(_ planes: UInt64) -> (planes: UInt64, offset: Float) {
    downgrading.changes(planes) ? readLarge(planes) : (planes, 0)
  }

  /// Returns the same as ``read(_:)`` for a board that is downgraded.
  @usableFromInline
  @inline(never)
  func readLarge(_ planes: UInt64) -> (planes: UInt64, offset: Float) {
    var offset: Float = 0
    let board = Board(planes: planes).downgraded(from: downgrading.least) {
      offset += unsafe ci_load_relaxed(offsets + LevelOffsets.place($0))
    }
    return (board.planes, offset)
  }

  /// Returns the sum of all features of an afterstate, for a network with one stage.
  ///
  /// - Parameters:
  ///   - offset: The number to which the features are added.
  ///   - image: Returns the planes of an image of the afterstate by its number.
  @inlinable
  @inline(__always)
  func sum(from offset: Float, image: (Int) -> UInt64) -> Float {
    var sum = offset
    for place in 0..<tableCount {
      sum += unsafe tables[place].sum { entries, mask, number in
        unsafe ci_load_relaxed(entries + index(mask, image(number)))
      }
    }
    return sum
  }

  /// Returns the sum of all features of an afterstate in a stage.
  ///
  /// - Parameters:
  ///   - images: The images of the afterstate, with image `i` at `4 i`.
  ///   - stage: The stage of the afterstate.
  ///   - offset: The number to which the features are added.
  @inline(never)
  @usableFromInline
  @unsafe
  func stagedSum(
    ofImages images: UnsafePointer<UInt64>, _ stage: Int, from offset: Float
  ) -> Float {
    stagedSum(stage, from: offset) { unsafe images[4 &* $0] }
  }

  /// Returns the sum of all features of the afterstate with these planes, in its stage.
  @inline(never)
  @usableFromInline
  func stagedSum(ofPlanes planes: UInt64) -> Float {
    let (read, offset) = read(planes)
    let images = symmetries.images(of: read)
    return stagedSum(stages.stage(ofPlanes: planes), from: offset) { images[$0] }
  }

  @inline(__always)
  private func stagedSum(_ stage: Int, from offset: Float, image: (Int) -> UInt64) -> Float {
    if stage == 0 { return sum(from: offset, image: image) }
    // Finds all entries before adding any, and without branches. A branch to the stage before would
    // wait for an entry from memory and delay all other entries.
    return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: featureCount) { places in
      let start = stage &* stageStride
      for place in 0..<tableCount {
        let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
        let base = unsafe (entries - weights.base) &+ start
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
      var sum = offset
      for place in 0..<tableCount {
        let places = unsafe places.baseAddress! + Symmetries.count &* place
        sum += unsafe tables[place].sum { _, _, number in
          unsafe ci_load_relaxed(weights.base + places[number])
        }
      }
      return sum
    }
  }

  /// Returns the weight that is read at an entry of a stage: its own, or the promoted one of the
  /// nearest earlier stage that has learned it.
  ///
  /// - Precondition: `offset` is the offset of an entry of this stage in the weights.
  package func weight(readAt offset: Int, stage: Int) -> Float {
    weights[self.offset(readAt: offset, stage: stage)]
  }

  /// Returns the offset of the entry that is read at an entry of a stage.
  private func offset(readAt offset: Int, stage: Int) -> Int {
    let (entry, first) = unsafe (UnsafePointer(weights.base) + offset, weights.base)
    precondition(0 <= offset && offset < weights.count, "no such entry")
    return unsafe PromotedStages(self).learned(entry, in: stage) - UnsafePointer(first)
  }

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
    let images = symmetries.images(of: read(planes).planes)
    let stage = stages.stage(ofPlanes: planes)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      for image in 0..<images.scalarCount {
        let index = index(mask, images[image])
        let offset = unsafe (entries - weights.base) + (stage * stageStride + index)
        counts[self.offset(readAt: offset, stage: stage)] += 1
      }
    }
  }

  /// Returns the index of a feature within its table.
  @inlinable
  @inline(__always)
  func index(_ mask: UInt64, _ planes: UInt64) -> Int {
    Int(truncatingIfNeeded: ci_extract_bits(planes, mask))
  }
}

extension NTupleNetwork.Table {
  /// Returns the sum of the features of this pattern in all eight images, each read by `entry`.
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
