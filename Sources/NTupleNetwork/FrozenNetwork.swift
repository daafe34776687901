import CIntrinsics
import Game2048

/// A network for play, whose weights never change.
///
/// A weight is `base + unit · entry`, with one base and unit per table, so
/// `V(a) = offset + Σ_p (8 · base_p + unit_p · Σ_s entry_p[index_p(s(a))])`, in points. Entries have 16 bits, so the tables take half of
/// the memory that an ``NTupleNetwork`` takes, and more of them fits into a cache. The sums of entries are integers,
/// and the products are exact in 64-bit floating point, so the value does not depend on an order of additions.
///
/// Networks of one stage can be frozen.
///
/// Thread safety: any number of threads may read. Entries are filled before the network is shared.
///
/// Safety: (1) `tables` points to one initialised record for each pattern, written once in `init` and freed in
/// `deinit`, and its entries lie in `memory`; (2) the index of a feature has as many bits as the pattern's mask, so it
/// lies within the pattern's table by construction.
@safe
public final class FrozenNetwork: PlayableNetwork, @unchecked Sendable {
  public let shape: NetworkShape
  public let featureCount: Int
  public let symmetries: Symmetries
  public let levelOffsets: LevelOffsets
  private let memory: MappedMemory

  /// The data of one pattern that a look-up needs.
  @usableFromInline
  @safe
  struct Table {
    @usableFromInline let mask: UInt64
    @usableFromInline let entries: UnsafeMutablePointer<Int16>
    @usableFromInline let unit: Double
  }

  /// What weights stand for in a table.
  package struct Scale: Hashable, Codable, Sendable {
    /// The weight of an entry of 0, in points.
    package var base: Float
    /// The difference between the weights of adjacent entries, in points.
    package var unit: Float

    package init(base: Float, unit: Float) { (self.base, self.unit) = (base, unit) }

    /// The weight of an entry, before it is rounded to a float.
    func weight(of entry: Int16) -> Double { Double(base) + Double(unit) * Double(entry) }
  }

  /// The scale of each table.
  package let scales: [Scale]
  /// The sum of the bases of all features.
  @usableFromInline let baseSum: Double
  @usableFromInline let tables: UnsafeMutablePointer<Table>
  @usableFromInline let tableCount: Int
  public let downgrading: Downgrading

  /// Creates a network whose entries are all 0.
  ///
  /// - Precondition: The shape has one stage and a scale for each pattern, and the memory is available (see
  ///   ``byteCount(of:)``).
  package init(_ shape: NetworkShape, scales: [Scale], levelOffsets: LevelOffsets) {
    precondition(shape.stages.count == 1, "one stage")
    precondition(scales.count == shape.patterns.count, "a scale for every pattern")
    self.shape = shape
    self.levelOffsets = levelOffsets
    symmetries = Rules(size: shape.boardSize).symmetries
    downgrading = shape.downgrading
    self.scales = scales
    baseSum = scales.reduce(0) { $0 + Double(Symmetries.count) * Double($1.base) }
    tableCount = scales.count
    featureCount = shape.featureCount
    memory = MappedMemory(byteCount: FrozenNetwork.byteCount(of: shape), for: "entries")
    let entries = unsafe memory.base.bindMemory(to: Int16.self, capacity: shape.storageCount)
    unsafe tables = .allocate(capacity: tableCount)
    for place in 0..<tableCount {
      unsafe (tables + place).initialize(
        to: Table(
          mask: IndexLayout(shape.patterns[place], boardSize: shape.boardSize).mask,
          entries: entries + shape.tableOffsets[place], unit: Double(scales[place].unit)))
    }
  }

  deinit { unsafe tables.deallocate() }

  /// The size of the entries in memory, in bytes.
  package static func byteCount(of shape: NetworkShape) -> Int {
    shape.storageCount * MemoryLayout<Int16>.stride
  }

  /// Calls `body` with the entries of a pattern in memory order, to be filled before the network is shared.
  package func withEntries<Result>(
    ofPattern place: Int, _ body: (UnsafeMutableBufferPointer<Int16>) throws -> Result
  ) rethrows -> Result {
    precondition(0 <= place && place < tableCount, "no such pattern")
    let count = shape.patterns[place].entryCount
    return unsafe try body(UnsafeMutableBufferPointer(start: tables[place].entries, count: count))
  }

  /// Calls `body` with all entries as bytes, to be sent to another process.
  package func withBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe body(
      UnsafeMutableRawBufferPointer(
        start: memory.base, count: FrozenNetwork.byteCount(of: shape)))
  }

  public func thawed() -> NTupleNetwork {
    let network = NTupleNetwork(shape)
    network.levelOffsets = levelOffsets
    for table in shape.tables.indices {
      let start = shape.tableOffsets[table]
      unsafe withEntries(ofPattern: table) { entries in
        unsafe network.weights.withUnsafeWeights { weights in
          // Pages of weights that stay 0 take no memory.
          for place in 0..<entries.count where unsafe entries[place] != 0 || scales[table].base != 0
          {
            unsafe weights[start + place] = Float(scales[table].weight(of: entries[place]))
          }
        }
      }
    }
    return network
  }

  // MARK: Values

  @inlinable
  public func value(ofPlanes planes: UInt64) -> Float {
    let (read, offset) = read(planes)
    let images = symmetries.images(of: read)
    return sum(from: offset) { images[$0] }
  }

  @inlinable
  public func greedyMove(from board: Board, rules: Rules) -> GreedyMove? {
    bestMove(from: board, rules)
  }

  @inlinable
  @inline(__always)
  public func read(_ planes: UInt64) -> (planes: UInt64, offset: Float) {
    downgrading.changes(planes) ? readLarge(planes) : (planes, 0)
  }

  @usableFromInline
  @inline(never)
  func readLarge(_ planes: UInt64) -> (planes: UInt64, offset: Float) {
    downgrading.read(planes) { levelOffsets[$0] }
  }

  @inlinable
  @inline(__always)
  func sum(from offset: Float, image: (Int) -> UInt64) -> Float {
    var sum = Double(offset) + baseSum
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      var total: Int32 = 0
      for number in 0..<Symmetries.count {
        let index = Int(truncatingIfNeeded: ci_extract_bits(image(number), mask))
        total &+= Int32(unsafe entries[index])
      }
      sum += unsafe tables[place].unit * Double(total)
    }
    return Float(sum)
  }

  @inlinable
  @inline(__always)
  @unsafe
  public func request(
    images: UnsafePointer<UInt64>, ofPlanes planes: UInt64, to indices: UnsafeMutablePointer<UInt32>
  ) {
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      for number in 0..<Symmetries.count {
        let index = unsafe UInt32(truncatingIfNeeded: ci_extract_bits(images[4 &* number], mask))
        unsafe indices[Symmetries.count &* place &+ number] = index
        unsafe ci_prefetch(entries + Int(index))
      }
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  public func sum(
    ofIndices indices: UnsafePointer<UInt32>, planes: UInt64, from offset: Float
  ) -> Float {
    var sum = Double(offset) + baseSum
    for place in 0..<tableCount {
      let (own, entries) = unsafe (indices + Symmetries.count &* place, tables[place].entries)
      var total: Int32 = 0
      for number in 0..<Symmetries.count { total &+= Int32(unsafe entries[Int(own[number])]) }
      sum += unsafe tables[place].unit * Double(total)
    }
    return Float(sum)
  }
}
