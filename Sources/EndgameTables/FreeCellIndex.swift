import CIntrinsics
import Game2048

/// A numbering of all contents of the free cells of a shape, without gaps, layer by layer.
///
/// The free cells are divided into two halves. All contents of a half with the same sum are numbered. A layer
/// lists the sums of the first half, for each of them its contents, and for each content those of the second
/// half that make up the layer's sum. The place of a board in its layer is therefore
/// `start[sum, sum of first half] + rank of first half · count of second halves + rank of second half`.
///
/// Sums are counted in units of 2, the smallest tile.
///
/// A half is looked up by the bits of its cells in those planes that the tiles below the goal need. The file has at least
/// a bit for each board, so the index takes at most a few times as much memory as the file.
///
/// Safety: (1) the memories are written in `init` only, and live as long as the index; (2) a key is a bit
/// extraction with as many bits as a half's table has places for, so it is in bounds by construction; (3) sums
/// and ranks come from these tables, and the starts cover every pair of them.
@safe
final class FreeCellIndex: Sendable {
  let shape: TableShape
  /// The number of boards of each layer.
  let layerSizes: [Int]
  private let first: Half
  private let second: Half
  /// The place of the first board, `[layer, sum of first half]`.
  private let starts: LayerMemory<Int>
  private let stride: Int
  /// The bits of the free cells in the planes that no tile below the goal has.
  private let tooLarge: UInt64
  /// The finished chains; none if the goal's tile counts.
  private let chains: [ChainPlan.Pattern]

  /// The contents of half of the free cells.
  struct Half: Sendable {
    /// The bits of the cells in the planes that the tiles below the goal need.
    let mask: UInt64
    /// The sum and the rank of each content by its key; `Half.none` if a tile is too large for its cell.
    let entries: LayerMemory<UInt32>
    /// The keys in the order of sums and ranks.
    let keys: LayerMemory<UInt32>
    /// The first key of each sum, and the end of all.
    let starts: LayerMemory<Int>
    let largestSum: Int

    static let none = UInt32.max
    static let rankBits: UInt32 = 20

    init(cells: UInt16, largest: [Int]) {
      let planeCount = FreeCellIndex.planeCount(largest)
      mask = FreeCellIndex.bits(of: cells, inPlanes: 0..<planeCount)
      let count = cells.nonzeroBitCount
      let keyCount = 1 << (planeCount * count)
      entries = LayerMemory(count: keyCount)
      largestSum = Half.largestSum(on: cells, largest)
      var bySum = [[UInt32]](repeating: [], count: largestSum + 1)
      for key in 0..<keyCount {
        let planes = ci_deposit_bits(UInt64(key), mask)
        var (sum, isKnown) = (0, true)
        for place in 0..<count {
          let cell = ci_deposit_bits(1 << UInt64(place), UInt64(cells)).trailingZeroBitCount
          let exponent = Board(planes: planes)[cell]
          isKnown = isKnown && exponent <= largest[cell]
          if exponent > 0 { sum += 1 << (exponent - 1) }
        }
        if isKnown { bySum[sum].append(UInt32(key)) }
        unsafe entries.base[key] = Half.none
      }
      keys = LayerMemory(count: bySum.reduce(0) { $0 + $1.count })
      starts = LayerMemory(count: largestSum + 2)
      var place = 0
      for (sum, found) in bySum.enumerated() {
        unsafe starts.base[sum] = place
        for (rank, key) in found.enumerated() {
          unsafe entries.base[Int(key)] = UInt32(sum) << Half.rankBits | UInt32(rank)
          unsafe keys.base[place] = key
          place += 1
        }
      }
      unsafe starts.base[largestSum + 1] = place
    }

    static func largestSum(on cells: UInt16, _ largest: [Int]) -> Int {
      Half.cells(cells).reduce(0) { $0 + 1 << max(0, largest[$1] - 1) }
    }

    /// The bytes that a half takes at most, with the lists that sort its keys while it is made.
    static func byteCount(_ cells: UInt16, _ largest: [Int]) -> Int {
      let keys = Half.cells(cells).reduce(1) { $0 * (largest[$1] + 1) }
      return 4 << (FreeCellIndex.planeCount(largest) * cells.nonzeroBitCount) + 12 * keys + 64
        * (largestSum(on: cells, largest) + 2)
    }

    private static func cells(_ cells: UInt16) -> [Int] {
      (0..<Board.cellCount).filter { cells >> UInt16($0) & 1 == 1 }
    }

    /// The number of contents with a sum.
    @inline(__always)
    func count(_ sum: Int) -> Int {
      sum < 0 || sum > largestSum ? 0 : unsafe starts.base[sum &+ 1] &- starts.base[sum]
    }

    /// Returns the planes of a content.
    @inline(__always)
    func planes(_ sum: Int, rank: Int) -> UInt64 {
      unsafe ci_deposit_bits(UInt64(keys.base[starts.base[sum] &+ rank]), mask)
    }
  }

  init(_ shape: TableShape) {
    self.shape = shape
    let halves = FreeCellIndex.halves(of: shape)
    let largest = shape.largestExponents
    first = Half(cells: halves.first, largest: largest)
    second = Half(cells: halves.second, largest: largest)
    stride = first.largestSum + 2
    tooLarge = FreeCellIndex.bits(
      of: shape.free, inPlanes: FreeCellIndex.planeCount(largest)..<4)
    starts = LayerMemory(count: shape.layerCount * stride)
    var sizes: [Int] = []
    for layer in 0..<shape.layerCount {
      var place = 0
      for sum in 0...first.largestSum {
        unsafe starts.base[layer * stride + sum] = place
        place += first.count(sum) * second.count(layer - sum)
      }
      unsafe starts.base[layer * stride + first.largestSum + 1] = place
      sizes.append(place)
    }
    layerSizes = sizes
    chains = shape.plan?.patterns(goal: shape.goal) ?? []
  }

  /// Returns the bytes that the index of a shape takes at most, also while it is made.
  static func byteCount(of shape: TableShape) -> Int {
    let (first, second) = halves(of: shape)
    let largest = shape.largestExponents
    return Half.byteCount(first, largest) + Half.byteCount(second, largest)
      + 8 * shape.layerCount * (Half.largestSum(on: first, largest) + 2)
  }

  /// Returns the number of planes that exponents up to the largest of these need.
  private static func planeCount(_ largest: [Int]) -> Int {
    Int.bitWidth - (largest.max() ?? 0).leadingZeroBitCount
  }

  /// Returns the bits of some cells in some planes.
  private static func bits(of cells: UInt16, inPlanes planes: Range<Int>) -> UInt64 {
    planes.reduce(0) { $0 | UInt64(cells) << UInt64(16 * $1) }
  }

  private static func halves(of shape: TableShape) -> (first: UInt16, second: UInt16) {
    var first: UInt16 = 0
    for cell in 0..<Board.cellCount where shape.free >> UInt16(cell) & 1 == 1 {
      if first.nonzeroBitCount < shape.freeCellCount / 2 { first |= 1 << UInt16(cell) }
    }
    return (first, shape.free & ~first)
  }

  /// The place of a board: its layer and its number in the layer.
  typealias Place = (layer: Int, number: Int)

  /// Returns the place of the free cells of a board; nil if a tile is too large for its cell, or if the sum is beyond
  /// the last layer.
  @inline(__always)
  func place(of planes: UInt64) -> Place? {
    if planes & tooLarge != 0 { return nil }
    let one = unsafe first.entries.base[
      Int(truncatingIfNeeded: ci_extract_bits(planes, first.mask))]
    let two = unsafe second.entries.base[
      Int(truncatingIfNeeded: ci_extract_bits(planes, second.mask))]
    if one == Half.none || two == Half.none { return nil }
    let (sum, other) = (Int(one >> Half.rankBits), Int(two >> Half.rankBits))
    let layer = sum &+ other
    if layer >= layerSizes.count { return nil }
    let ranks: UInt32 = 1 << Half.rankBits &- 1
    let number =
      unsafe starts.base[layer &* stride &+ sum]
      &+ Int(one & ranks) &* (second.starts.base[other &+ 1] &- second.starts.base[other])
      &+ Int(two & ranks)
    return (layer, number)
  }

  /// Returns whether a board has a finished chain.
  @inline(__always)
  func hasChain(_ planes: UInt64) -> Bool { chains.contains { planes & $0.mask == $0.planes } }

  /// Calls `body` with the number and the planes of the free cells of every board of a layer that is in a set.
  ///
  /// - Parameter words: The words of the set to look at.
  @inline(__always)
  func forEach(
    of bits: LayerBits, layer: Int, words: Range<Int>,
    _ body: (_ number: Int, _ planes: UInt64) -> Void
  ) {
    // The contents of the first half that the numbers from `runStart` to `runEnd` share.
    var (sum, rank, runStart, runEnd) = (-1, 0, 0, 0)
    var firstPlanes: UInt64 = 0
    for word in words {
      var rest = unsafe bits.base[word]
      while rest != 0 {
        let number = word &* 64 &+ rest.trailingZeroBitCount
        rest &= rest &- 1
        if number >= runEnd {
          if sum < 0 { sum = 0 }
          while unsafe number >= starts.base[layer &* stride &+ sum &+ 1] { sum &+= 1 }
          let start = unsafe starts.base[layer &* stride &+ sum]
          let count = second.count(layer &- sum)
          rank = (number &- start) / count
          runStart = start &+ rank &* count
          runEnd = runStart &+ count
          firstPlanes = first.planes(sum, rank: rank)
        }
        body(number, firstPlanes | second.planes(layer &- sum, rank: number &- runStart))
      }
    }
  }
}

/// A set of cells of the 4 × 4 board: bit `cell` stands for `cell`.
public struct CellSet: Hashable, Sendable {
  public let cells: UInt16

  public init(_ cells: UInt16) { self.cells = cells }

  /// Reads four rows of `#` for a cell of the set and `.` for another, such as `####/##../..../....`; nil if
  /// the text is something else.
  public init?(_ text: String) {
    let rows = text.split(separator: "/", omittingEmptySubsequences: false)
    guard rows.count == 4, rows.allSatisfy({ $0.count == 4 }) else { return nil }
    var cells: UInt16 = 0
    for (cell, character) in rows.joined().enumerated() {
      switch character {
      case "#": cells |= 1 << UInt16(cell)
      case ".": break
      default: return nil
      }
    }
    self.cells = cells
  }

  /// The images under the eight symmetries of the board, in the order of `Symmetries`.
  public var images: [UInt16] {
    let images = Rules.standard.symmetries.images(of: UInt64(cells))
    return (0..<Symmetries.count).map { UInt16(truncatingIfNeeded: images[$0]) }
  }

  /// The image that represents all images: the smallest number.
  public var canonical: CellSet { CellSet(images.min()!) }
}

extension CellSet: CustomStringConvertible {
  /// The four rows, as `init(_:)` reads them.
  public var description: String {
    (0..<4).map { row in
      String((0..<4).map { cells >> UInt16(4 * row + $0) & 1 == 1 ? "#" : "." })
    }.joined(separator: "/")
  }
}
