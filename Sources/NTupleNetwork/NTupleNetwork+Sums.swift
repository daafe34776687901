import CIntrinsics
import Game2048

// The sums behind all values. They are inlined into the loops of play and search, so they must stay
// small. Networks with stages use separate functions that are not inlined.

extension NTupleNetwork {
  @inlinable
  @inline(__always)
  public func read(_ planes: UInt64) -> (planes: UInt64, offset: Float) {
    downgrading.changes(planes) ? readLarge(planes) : (planes, 0)
  }

  /// Returns the same as ``read(_:)`` for a board that is downgraded.
  @usableFromInline
  @inline(never)
  func readLarge(_ planes: UInt64) -> (planes: UInt64, offset: Float) {
    downgrading.read(planes) { unsafe ci_load_relaxed(offsets + LevelOffsets.place($0)) }
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

  @inlinable
  @inline(__always)
  @unsafe
  public func request(
    images: UnsafePointer<UInt64>, ofPlanes planes: UInt64, to indices: UnsafeMutablePointer<UInt32>
  ) {
    let start = isStaged ? stages.stage(ofPlanes: planes) &* stageStride : 0
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries + start)
      for number in 0..<Symmetries.count {
        let index = unsafe index(mask, images[4 &* number])
        unsafe indices[Symmetries.count &* place &+ number] = UInt32(truncatingIfNeeded: index)
        unsafe ci_prefetch(entries + index)
      }
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  public func sum(
    ofIndices indices: UnsafePointer<UInt32>, planes: UInt64, from offset: Float
  ) -> Float {
    if isStaged {
      let stage = stages.stage(ofPlanes: planes)
      if stage > 0 { return unsafe stagedSum(ofIndices: indices, stage, from: offset) }
    }
    var sum = offset
    for place in 0..<tableCount {
      let own = unsafe indices + Symmetries.count &* place
      sum += unsafe tables[place].sum { entries, _, number in
        unsafe ci_load_relaxed(entries + Int(own[number]))
      }
    }
    return sum
  }

  /// Returns the sum of all features of an afterstate in a stage after the first.
  ///
  /// It finds all entries before adding any, and without branches. A branch to the stage before would wait for an
  /// entry from memory and delay all other entries.
  @inline(never)
  @usableFromInline
  @unsafe
  func stagedSum(
    ofIndices indices: UnsafePointer<UInt32>, _ stage: Int, from offset: Float
  ) -> Float {
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: featureCount) { places in
      let start = stage &* stageStride
      for place in 0..<tableCount {
        let base = unsafe (tables[place].entries - weights.base) &+ start
        for feature in (Symmetries.count &* place)..<(Symmetries.count &* (place &+ 1)) {
          unsafe places[feature] = base &+ Int(indices[feature])
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
        let own = unsafe places.baseAddress! + Symmetries.count &* place
        sum += unsafe tables[place].sum { _, _, number in
          unsafe ci_load_relaxed(weights.base + own[number])
        }
      }
      return sum
    }
  }

  /// Returns the sum of all features of the afterstate with these planes, in its stage.
  @inline(never)
  @usableFromInline
  func stagedSum(ofPlanes planes: UInt64) -> Float {
    let (read, offset) = read(planes)
    let images = symmetries.images(of: read)
    return unsafe withUnsafeTemporaryAllocation(
      of: UInt32.self, capacity: featureCount
    ) { indices in
      for feature in 0..<featureCount {
        let mask = unsafe tables[feature / Symmetries.count].mask
        let index = index(mask, images[feature % Symmetries.count])
        unsafe indices[feature] = UInt32(truncatingIfNeeded: index)
      }
      return unsafe sum(ofIndices: indices.baseAddress!, planes: planes, from: offset)
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
