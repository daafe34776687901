import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles

@Suite struct TDL2048FileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("net.w") }

  init() throws { directory = try TemporaryDirectory() }

  private func number(_ value: UInt64, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func record(
    _ sign: UInt64, width: UInt64, marker: UInt64 = 0, size: UInt64 = 4, length: UInt64,
    further: [UInt8] = [], serial: UInt8 = 4, values: [Float]? = nil
  ) -> [UInt8] {
    let count = Int(min(length, 4096))
    return [serial] + number(sign, bytes: 4) + number(width, bytes: 2) + number(marker, bytes: 2)
      + number(size, bytes: 2) + number(length, bytes: 8)
      + (values ?? (0..<count).map { Float($0) }).flatMap { bytes(of: $0) }
      + further + [0, 0]
  }

  private func file(_ records: [UInt8]..., count: UInt64? = nil, prefix: [UInt8] = [0]) -> [UInt8] {
    prefix + number(count ?? UInt64(records.count), bytes: 4) + records.flatMap { $0 }
  }

  private func read(_ bytes: [UInt8]) throws -> NTupleNetwork {
    try directory.write(bytes, "net.w")
    return try TDL2048File.read(path)
  }

  /// Returns the eight placements of a pattern as listed by TDL2048+.
  @Test func aPatternIsReadInItsEightPlacements() throws {
    // The first cell is the lowest digit of an index.
    var weights = [UInt8](repeating: 0, count: 4 << 24)
    weights.replaceSubrange(4 * 0x654321..<4 * 0x654322, with: bytes(of: 1))
    let header =
      [4] + number(0x012345, bytes: 4) + number(6, bytes: 2) + number(0, bytes: 2)
      + number(4, bytes: 2) + number(1 << 24, bytes: 8)
    let network = try read(file(header + weights + [0, 0]))
    func value(cells: String) -> Double {
      var board = Board()
      for (exponent, cell) in cells.enumerated() { board[cell.hexDigitValue!] = exponent + 1 }
      return network.value(of: board)
    }
    for cells in "012345 37bf26 fedcba c840d9 cdef89 fb73ea 321076 048c15".split(separator: " ") {
      #expect(value(cells: String(cells)) == 1, "\(cells)")
    }
    #expect(value(cells: "543210") == 0)
  }

  /// Returns the weight of listed cells with these exponents, read from a safetensors file.
  private func weight(_ network: NTupleNetwork, _ exponents: [Int]) throws -> Float {
    try WeightFile.write(network, metadata: someMetadata, to: directory.file("ours"))
    let file = try SafetensorsFile(path: directory.file("ours"))
    let index = exponents.reduce(0) { 16 * $0 + $1 }
    return try float(file.bytes(of: file.header.tensors[0]), at: 4 * index)
  }

  @Test func theFirstCellIsTheLowestDigit() throws {
    let network = try read(file(record(0x541, width: 3, length: 4096)))
    #expect(network.shape == (try shape("541")))
    #expect(try weight(network, [3, 0, 0]) == 3)
    #expect(try weight(network, [1, 2, 15]) == Float(1 + 2 * 16 + 15 * 256))
  }

  @Test func theWrittenFileIsTheDescribedOne() throws {
    let bytes = file(record(0x541, width: 3, length: 4096), record(0x0F, width: 2, length: 256))
    let network = try read(bytes)
    #expect(network.shape == (try shape("541", "0f")))
    let count = try TDL2048File.write(network, to: path)
    #expect(try identical(directory.bytes("net.w"), bytes))
    #expect(count == bytes.count)
  }

  @Test func theStandardNetworkHasTheKnownLength() throws {
    let shape = try shape("012345", "456789", "012456", "45689a")
    #expect(try TDL2048File.write(NTupleNetwork(shape), to: path) == 268_435_545)
    let header = try TDL2048File.readHeader(path)
    #expect(header.shape == shape && !header.hasFurtherTables)
  }

  @Test func aLargeTableComesBack() throws {
    let network = numberedNetwork(try shape("a96548", "7"))
    try TDL2048File.write(network, to: path)
    let back = try TDL2048File.read(path)
    #expect(back.shape == network.shape)
    #expect(identical(back.allWeights, network.allWeights))
  }

  @Test func variantsOfTheFormatAreRead() throws {
    let lettered = try read(file(record(0x541, width: 3, length: 4096), prefix: [0x77, 0]))
    #expect(lettered.shape == (try shape("541")))
    let legacy = try read(file(record(0x041, width: 0, length: 4096)))
    #expect(legacy.shape == (try shape("041")))
    let coherence =
      number(4, bytes: 2) + number(512, bytes: 8) + [UInt8](repeating: 0xFF, count: 2048)
    let unknown = number(3, bytes: 2) + number(5, bytes: 8) + [UInt8](repeating: 0xFF, count: 15)
    let skipping = try read(
      file(
        record(0x12, width: 2, length: 256, further: coherence + unknown),
        record(0x3, width: 1, length: 16)))
    #expect(skipping.shape == (try shape("12", "3")))
    #expect(skipping.weights[skipping.weights.count - 1] == 15)
    #expect(try TDL2048File.readHeader(path).hasFurtherTables)
  }

  private static let small: [Float] = (0..<16).map { Float($0) }

  @Test func whatCannotBeUsedIsRefused() throws {
    let good = record(0x3, width: 1, length: 16)
    var notFinite = Self.small
    notFinite[9] = .infinity
    var tooLarge = Self.small
    tooLarge[9] = 2e38
    let name = UInt64(0x406D_756E)  // "num@"
    let cases: [([UInt8], String)] = [
      (file(record(name, width: 0x746C, marker: 0x2020, length: 16)), "feature 'num@lt'"),
      (file(record(0x3, width: 1, size: 2, length: 16)), "elements of 2 bytes, not 4"),
      (file(record(0x3, width: 1, size: 8, length: 16)), "elements of 8 bytes, not 4"),
      (file(record(0x1000_0541, width: 8, length: 4096)), "stage 0x00001 of the pattern 541"),
      (file(record(0x1000_0541, width: 3, length: 4096)), "stage 0x00001 of the pattern 541"),
      (file(record(0x541, width: 4, length: 4096)), "too few for 4 cells"),
      (file(record(0x41, width: 2, length: 4096)), "too many for 2 cells"),
      (file(record(0x3, width: 1, length: 17)), "not a power of 16"),
      (file(record(0x3, width: 1, length: 1 << 36)), "not a power of 16"),
      (file(record(0x3, width: 1, length: 0)), "not a power of 16"),
      (file(record(0x33, width: 2, length: 256)), "'33' is not a pattern: cell 3 occurs twice"),
      (file(record(0x123_4567, width: 8, length: 1 << 32)), "the file ends earlier"),
      (file(record(0x3, width: 1, length: 16, serial: 3)), "does not start with byte 4"),
      (file(record(0x3, width: 1, length: 16, values: notFinite)), "pattern 3: entry [9] is inf"),
      (file(record(0x3, width: 1, length: 16, values: tooLarge)), "pattern 3: entry [9] is 2e+38"),
      (file(good, good), "has the pattern 3 again"),
      (
        file(good, record(0xC, width: 1, length: 16)),
        "record 2: has a table for c, an image of 3, so TDL2048+ reads them without the symmetries"
      ),
      (file(good, count: 2), "too early"), (file(good) + [1], "1 bytes after its last record"),
      (file(count: 0), "has no patterns"), (file(good, prefix: [1, 1]), "not a TDL2048+"),
      (Array(file(good).dropLast(3)), "the file ends"), ([], "too early"),
      (
        file(
          record(
            0x3, width: 1, length: 16,
            further: number(0xFFFF, bytes: 2) + number(.max, bytes: 8))), "the file ends earlier"
      ),
    ]
    for (bytes, trouble) in cases {
      let error = locatedError { _ = try read(bytes) }
      #expect(error?.kind == .unsuitableData)
      let text = error.map { "\($0)" } ?? "accepted"
      #expect(text.contains(trouble), "\(text)")
    }
  }

  @Test func whatTheFormatCannotHoldIsNotWritten() throws {
    let small = NetworkShape(patterns: [try Pattern("01", boardSize: 2)], boardSize: 2)
    let size = locatedError { try TDL2048File.write(NTupleNetwork(small), to: path) }
    #expect(size?.place == "board size")
    let many = NetworkShape(patterns: Array(repeating: try Pattern("01"), count: 1_025))
    let count = locatedError { try TDL2048File.write(NTupleNetwork(many), to: path) }
    #expect(count?.place == "patterns")
    let network = NTupleNetwork(try shape("31"))
    network.add(.nan, toFeaturesOf: 0)
    let diverged = locatedError { try TDL2048File.write(network, to: path) }
    #expect(diverged?.problem == "entry [0, 0] is nan")
    #expect(directory.names.isEmpty)
  }

  @Test func formatsAreToldApartByContent() throws {
    let network = NTupleNetwork(try shape("31"))
    try TDL2048File.write(network, to: path)
    #expect(try ModelFormat.detect(InputFile(path: path)) == .tdl2048)
    try WeightFile.write(network, metadata: someMetadata, to: path)
    #expect(try ModelFormat.detect(InputFile(path: path)) == .safetensors)
    // The ninth byte is '{', as at the start of a safetensors header.
    try directory.write(file(record(0x7B_5432, width: 6, length: 16)), "net.w")
    #expect(try directory.bytes("net.w")[8] == UInt8(ascii: "{"))
    #expect(try ModelFormat.detect(InputFile(path: path)) == .tdl2048)
    try directory.write(file(record(0x3, width: 1, length: 16), prefix: [0x77, 0]), "net.w")
    #expect(try ModelFormat.detect(InputFile(path: path)) == .tdl2048)
    for text in ["", "hello, world", "w"] {
      try directory.write(text.utf8, "net.w")
      #expect(
        locatedError { _ = try ModelFormat.detect(InputFile(path: path)) }?.kind == .unsuitableData)
    }
  }
}
