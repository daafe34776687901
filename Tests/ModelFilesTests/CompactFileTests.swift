import CLZMA
import Foundation
import NTupleNetwork
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles

@Suite struct CompactFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("net.compact") }

  init() throws { directory = try TemporaryDirectory() }

  /// Returns a network of one cell with these weights in the order of the exponents; the others are 0.
  private func network(_ weights: [Float]) throws -> NTupleNetwork {
    let network = NTupleNetwork(try shape("f"))
    for (place, weight) in weights.enumerated() { network.weights[place] = weight }
    return network
  }

  private func pruning(
    reads: [Float], tolerance: Double, games: Int = 1, for network: NTupleNetwork
  ) -> Pruning {
    let counts = SharedWeights(count: network.weights.count)
    for (place, count) in reads.enumerated() { counts[place] = count }
    return Pruning(
      reads: counts, rule: CompactSummary.Pruning(tolerance: tolerance, games: games, seed: 1))
  }

  /// Returns a network with several stages, whose weights are all 0.
  private func stagedNetwork(_ patterns: String..., stages: StageRule) throws -> NTupleNetwork {
    NTupleNetwork(
      NetworkShape(patterns: try patterns.map { try Pattern($0) }, stages: stages))
  }

  /// A file of format version 1, whose streams are of the xz format.
  private let versionOne = Repository.file("Tests/Fixtures/Weights/three-by-three.compact").path

  // MARK: For play

  @Test(arguments: [2, 5, 8, 12, 15])
  func aFrozenNetworkHasTheLevelsOfTheFile(bits: Int) throws {
    let network = TestNetworks.random(["5410", "f"], range: -700..<300)
    // Most entries are omitted, and read as this weight.
    for place in 0..<60_000 { network.weights[place] = 12.5 }
    try CompactFile.write(network, metadata: someMetadata, bits: bits, to: path)
    let model = try ModelFile(path).loadForPlay()
    let frozen = try #require(model.network as? FrozenNetwork)
    #expect(model.metadata == someMetadata)
    let thawed = frozen.thawed()
    let summary = try #require(try WeightFile.readHeader(path).compact)
    for (table, place) in zip(CompactTable.all(of: network.shape), 0...) {
      let (quantization, fill) = summary.encoding(ofTable: place)
      let levels = (quantization.weights + [fill]).sorted()
      let unit = frozen.scales[place].unit
      #expect(unit <= quantization.step)
      /// Returns whether a weight is a level, but for rounding to the unit.
      func isLevel(_ weight: Float) -> Bool {
        // The first level that is not below the weight, or the one before, is the nearest.
        var (low, high) = (0, levels.count)
        while low < high {
          let middle = (low + high) / 2
          if levels[middle] < weight { low = middle + 1 } else { high = middle }
        }
        return [low - 1, low].contains { place in
          levels.indices.contains(place) && abs(levels[place] - weight) <= unit / 2 + 0.001
        }
      }
      #expect(table.place.range.allSatisfy { isLevel(thawed.weights[$0]) })
    }
    #expect((0..<60_000).allSatisfy { thawed.weights[$0] == 12.5 })
  }

  @Test func filesOfVersionOneAreReadForPlay() throws {
    let read = try WeightFile.read(versionOne).network
    let frozen = try ModelFile(versionOne).loadForPlay().network
    #expect(frozen is FrozenNetwork)
    let boards = SampleBoards.random(100, size: 3)
    #expect(boards.count { read.value(of: $0) != 0 } > 50)
    for board in boards {
      #expect(abs(frozen.value(of: board) - read.value(of: board)) < 0.5)
    }
  }

  @Test func whatCannotBeFrozenIsReadForPlayAsForLearning() throws {
    let network = try stagedNetwork("10", stages: StageRule(exponents: [5]))
    network.weights[7] = 3
    try CompactFile.write(network, metadata: someMetadata, bits: 8, to: path)
    #expect(try ModelFile(path).loadForPlay().network is NTupleNetwork)
    // Codes of 16 bits leave no room for a sign.
    try CompactFile.write(numberedNetwork(shape("f")), metadata: someMetadata, bits: 16, to: path)
    #expect(try ModelFile(path).loadForPlay().network is NTupleNetwork)
  }

  // MARK: Reading back

  @Test(arguments: [["f"], ["5410", "f"], ["45689", "321", "10"]], [2, 5, 8, 10, 16])
  func weightsComeBackWithinHalfAStep(patterns: [String], bits: Int) throws {
    let shape = NetworkShape(patterns: try patterns.map { try Pattern($0) })
    let network = numberedNetwork(shape)
    let written = try CompactFile.write(
      network, metadata: someMetadata, bits: bits, source: "sha256:0", to: path)
    let (read, metadata) = try WeightFile.read(path)
    #expect(metadata == someMetadata && read.shape == shape)
    let header = try WeightFile.verify(path)
    #expect(header.checksum == written.checksum && header.byteCount == written.byteCount)
    #expect(try directory.bytes("net.compact").count == written.byteCount)
    let summary = try #require(header.compact)
    #expect(summary.bits == bits && summary.source == "sha256:0" && summary.pruning == nil)
    #expect(summary.keptCount == shape.entryCount)
    for (table, entry) in zip(CompactTable.all(of: shape), summary.tables) {
      // The weights ascend. In addition to the codes, `Float` rounds them.
      let (least, most) = (
        network.weights[table.place.range.lowerBound],
        network.weights[table.place.range.upperBound - 1]
      )
      let rounding = most.ulp
      // With few codes, the ends of the range may be cut; weights there get the nearest code.
      let end = entry.least + entry.step * Float(1 << bits - 1)
      var (largest, squares, tooWrong) = (Float(0), 0.0, 0)
      for offset in table.place.range {
        let weight = network.weights[offset]
        let error = (read.weights[offset] - weight).magnitude
        if error > max(entry.step * 0.501, entry.least - weight, weight - end) + rounding {
          tooWrong += 1
        }
        largest = max(largest, error)
        squares += Double(error) * Double(error)
      }
      #expect(tooWrong == 0)
      if bits >= 8 { #expect(largest <= entry.step * 0.501 + rounding) }
      // This happens only if the sum of squares becomes smaller than with codes for the full range. The
      // sum uses the bins of weights; errors within a bin differ by no more than the weights do.
      let range = Double(most - least)
      let bound = 1.001 * range / Double(1 << bits - 1) / 2 + range / Double(1 << 14)
      let rootMeanSquare = (squares / Double(table.place.range.count)).squareRoot()
      #expect(rootMeanSquare <= bound + Double(rounding))
    }
  }

  @Test func zerosAreLeftOut() throws {
    let network = NTupleNetwork(try shape("0123", "f"))
    network.weights[0x1234] = -2
    network.weights[0x4321] = 6
    try CompactFile.write(network, metadata: someMetadata, bits: 8, to: path)
    let (read, _) = try WeightFile.read(path)
    #expect(identical(read.allWeights.map { $0.rounded() }, network.allWeights))
    #expect(try WeightFile.readHeader(path).compact?.tables.map(\.kept) == [2, 0])
  }

  @Test func whatMostEntriesHaveIsFilledIn() throws {
    let network = try network(Array(repeating: 7.25, count: 13) + [0, -1, 2])
    try CompactFile.write(network, metadata: someMetadata, bits: 2, to: path)
    let summary = try #require(try WeightFile.readHeader(path).compact)
    #expect(summary.tables[0].fill == 7.25 && summary.tables[0].kept == 3)
    #expect(try WeightFile.read(path).network.allWeights == network.allWeights)
  }

  @Test func whatMattersLittleIsLeftOut() throws {
    // With a tolerance of 10 in one game, the accepted error is 5 points for 3.5 reads and 14.14 for none.
    let network = try network([4.9, 5.1, -4.9, -5.1, 14, 15])
    let reads: [Float] = [3.5, 3.5, 3.5, 3.5, 0, 0]
    try CompactFile.write(
      network, metadata: someMetadata, bits: 16,
      pruning: pruning(reads: reads, tolerance: 10, for: network), to: path)
    let read = try WeightFile.read(path).network.allWeights
    #expect(read.indices.filter { read[$0] != 0 } == [1, 3, 5])
    let summary = try #require(try WeightFile.readHeader(path).compact)
    #expect(summary.pruning == CompactSummary.Pruning(tolerance: 10, games: 1, seed: 1))
  }

  @Test func whatIsReadRarelyIsRoundedMore() throws {
    // A code is the number of points above 1. For 0 reads an error of 4 is accepted, so these codes are
    // multiples of 4. For 7.5 reads it is an error of 1.
    let network = try network([1, 256, 101.2, 102.8, 103.2, 101.2, 102.8, 103.2])
    let reads: [Float] = [1e6, 1e6, 0, 0, 0, 7.5, 7.5, 7.5]
    try CompactFile.write(
      network, metadata: someMetadata, bits: 8,
      pruning: pruning(reads: reads, tolerance: 4 * 0.5.squareRoot() * 1.0001, for: network),
      to: path)
    let read = try WeightFile.read(path).network.allWeights
    #expect(read[2..<8] == [101, 101, 105, 101, 103, 103])
  }

  @Test func aLaterStageLeavesOutWhatTheStageBeforeTells() throws {
    let shape = NetworkShape(
      patterns: [try Pattern("f")], stages: StageRule(exponents: [11]))
    let network = NTupleNetwork(shape)
    let later = shape.tables[1].offset
    // The first differs by 1 from the weight of the stage before, the second by 100; the third is unlearned.
    for (place, weight) in [(0, 100), (1, 100), (2, 100)] as [(Int, Float)] {
      network.weights[place] = weight
    }
    network.weights[later] = 101
    network.weights[later + 1] = 200
    // A small weight that replaces a large one.
    network.weights[3] = 500
    network.weights[later + 3] = 2
    let reads = [Float](repeating: 0.5, count: shape.storageCount)
    try CompactFile.write(
      network, metadata: someMetadata, bits: 16,
      pruning: pruning(reads: reads, tolerance: 1.5, for: network), to: path)
    let (read, _) = try WeightFile.read(path)
    #expect(read.shape == shape)
    #expect((0..<4).map { read.weights[$0].rounded() } == [100, 100, 100, 500])
    #expect((0..<4).map { read.weights[later + $0].rounded() } == [0, 200, 0, 2])
  }

  @Test func aLaterStageIsComparedWithWhatTheFileHasOfTheStageBefore() throws {
    let network = try stagedNetwork("f", stages: StageRule(exponents: [11]))
    let later = network.shape.tables[1].offset
    network.weights[0] = 150
    network.weights[later] = 151
    // The weight of the first stage is omitted, because an error of 179 is accepted for unread weights.
    // That of the second stage, which is read often, would then read as 0 without a separate entry.
    var reads = [Float](repeating: 0, count: network.weights.count)
    reads[later] = 900
    try CompactFile.write(
      network, metadata: someMetadata, bits: 12,
      pruning: pruning(reads: reads, tolerance: 4, games: 1_000, for: network), to: path)
    let read = try WeightFile.read(path).network.weights
    #expect(read[0] == 0 && read[later] == 151)
  }

  @Test(
    arguments: [12, 16],
    [StageRule(exponents: [10, 11]), StageRule(exponents: [9, 10, 11])])
  func whatIsReadInTheEndIsWithinTheAcceptedError(bits: Int, stages: StageRule) throws {
    let network = try stagedNetwork("f", "10", stages: stages)
    var reads = [Float](repeating: 0, count: network.weights.count)
    for table in network.shape.tables {
      for entry in 0..<table.pattern.entryCount {
        // Most weights are similar to those of the stage before, and one in five is unlearned.
        guard (entry + 3 * table.stage) % 5 > 0 else { continue }
        let weight = entry * 37 % 101 - 50 + table.stage * (entry * 53 % 31 - 15)
        network.weights[table.offset + entry] = Float(weight)
        let number = entry + table.stage
        reads[table.offset + entry] = Float(number % 3 == 0 ? 0 : number * 29 % 97)
      }
    }
    let pruning = pruning(reads: reads, tolerance: 4, games: 10, for: network)
    try CompactFile.write(
      network, metadata: someMetadata, bits: bits, pruning: pruning, to: path)
    let (read, _) = try WeightFile.read(path)
    let summary = try #require(try WeightFile.readHeader(path).compact)
    var leftOut = 0
    for (table, entry) in zip(network.shape.tables, summary.tables) {
      for offset in table.offset..<(table.offset + table.pattern.entryCount)
      where network.weights[offset] != 0 {
        let accepted = pruning.rule.acceptedError(reads: reads[offset])
        let error = read.weight(readAt: offset, stage: table.stage) - network.weights[offset]
        #expect(Double(error.magnitude) <= max(accepted, Double(entry.step)) + 1e-4)
        if read.weights[offset] == 0 { leftOut += 1 }
      }
    }
    #expect(leftOut > 100 && summary.keptCount > 100)
  }

  @Test func aLaterStageHasNoWeightThatReadsAsTheStageBefore() throws {
    let network = try stagedNetwork("f", stages: StageRule(exponents: [11]))
    let later = network.shape.tables[1].offset
    // A code is the number of points above -100; the code nearest to 0.3 and -0.3 is that of 0.
    for (place, weight) in [-100, 155, 0.3, -0.3].enumerated() {
      network.weights[place] = 500
      network.weights[later + place] = Float(weight)
    }
    try CompactFile.write(network, metadata: someMetadata, bits: 8, to: path)
    let read = try WeightFile.read(path).network.weights
    #expect((0..<4).map { read[later + $0] } == [-100, 155, 1, -1])
  }

  @Test func theSameGivesTheSameBytes() throws {
    let network = TestNetworks.random(["0123", "456"])
    for name in ["a", "b"] {
      try CompactFile.write(
        network, metadata: someMetadata, bits: 10,
        pruning: pruning(reads: [1, 2, 3], tolerance: 30, for: network),
        to: directory.file(name))
    }
    #expect(try directory.bytes("a") == directory.bytes("b"))
  }

  // The range of 3e38 with both signs is infinite.
  @Test(arguments: [[1, 2, Float.nan], [-1, 3e38, -3e38]])
  func aWeightThatIsNoneIsRefused(weights: [Float]) throws {
    let network = try network(weights)
    let error = locatedError {
      try CompactFile.write(network, metadata: someMetadata, bits: 8, to: path)
    }
    let entry = weights[2].isNaN ? 2 : 1
    #expect(
      error?.description.contains("tensor 'pattern.f': entry [\(entry)] is \(weights[entry])")
        == true)
    #expect(directory.names.isEmpty)
  }

  // MARK: Damage

  @Test func everyFlippedByteIsRefused() throws {
    try CompactFile.write(
      numberedNetwork(shape("f")), metadata: someMetadata, bits: 10, to: path)
    let bytes = try directory.bytes("net.compact")
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << (place % 8)
      try directory.write(damaged, "net.compact")
      let error = locatedError { try WeightFile.verify(path) }
      #expect(error?.kind == .unsuitableData, "byte \(place)")
    }
  }

  @Test func everyOtherLengthIsRefused() throws {
    try CompactFile.write(
      numberedNetwork(shape("f")), metadata: someMetadata, bits: 10, to: path)
    let bytes = try directory.bytes("net.compact")
    for count in stride(from: 0, to: bytes.count, by: 7) {
      try directory.write(bytes.prefix(count), "net.compact")
      #expect(locatedError { _ = try WeightFile.read(path) }?.kind == .unsuitableData)
    }
  }

  /// Returns the error for a file with valid checksums and other invalid content.
  private func refusal(
    summary change: (inout CompactSummary) -> Void = { _ in },
    streams changed: (inout [[UInt8]]) -> Void = { _ in }
  ) throws -> String {
    try CompactFile.write(
      numberedNetwork(shape("f", "10")), metadata: someMetadata, bits: 10, to: path)
    let file = try SafetensorsFile(path: path)
    var summary = try #require(try WeightFile.readHeader(path).compact)
    change(&summary)
    var streams = try file.header.tensors.map { try file.bytes(of: $0) }
    changed(&streams)
    var checksum = Checksum()
    for bytes in streams { unsafe bytes.withUnsafeBytes { unsafe checksum.update($0) } }
    var metadata = file.header.metadata
    metadata[MetadataKey.compact] = try summary.metadataText("compact", path: path)
    metadata[MetadataKey.checksum] = checksum.finalized()
    metadata[MetadataKey.metadataChecksum] = Checksum.of(
      metadata, excluding: MetadataKey.metadataChecksum)
    var header = SafetensorsHeader(metadata: metadata)
    for (tensor, bytes) in zip(file.header.tensors, streams) {
      header.append(tensor.name, .uint8, shape: [bytes.count])
    }
    try directory.write(header.encoded() + streams.flatMap(\.self), "net.compact")
    let error = locatedError { _ = try WeightFile.read(path) }
    return error.map(String.init(describing:)) ?? "accepted"
  }

  private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    let encoder = try ZstdEncoder(path: "net.compact", tensor: "values.f")
    unsafe try bytes.withUnsafeBytes { unsafe try encoder.append($0) }
    return try encoder.finish()
  }

  /// Passes memory functions to `body` that fail after more and more allocations, until it succeeds.
  ///
  /// - Returns: The number of allocations that it requires, and the errors before.
  private func allocations(
    _ body: (UnsafePointer<lzma_allocator>) throws -> Void
  ) -> (count: Int, errors: [LocatedError?]) {
    var errors: [LocatedError?] = []
    while true {
      var left = errors.count
      do {
        try withUnsafeMutablePointer(to: &left) { left in
          var allocator = lzma_allocator(
            alloc: { left, count, size in
              let left = left!.assumingMemoryBound(to: Int.self)
              left.pointee -= 1
              return left.pointee < 0 ? nil : calloc(count, size)
            }, free: nil, opaque: left)
          try body(&allocator)
        }
        return (errors.count, errors)
      } catch {
        errors.append(error as? LocatedError)
      }
    }
  }

  @Test func aStreamThatDoesNotFitIntoMemoryIsRefused() throws {
    let file = try SafetensorsFile(path: versionOne)
    let tensor = file.header.tensors[0]
    let decompression = allocations { allocator in
      let decoder = try XZDecoder(file, tensor, allocator: allocator)
      var bytes = [UInt8](repeating: 0, count: 256 / 8)
      try bytes.withUnsafeMutableBytes { try decoder.read(into: $0) }
      try decoder.requireEnd()
    }
    #expect(decompression.count > 3)
    #expect(
      decompression.errors.allSatisfy {
        $0?.kind == .insufficientMemory && $0?.place == "tensor '\(tensor.name)'"
          && $0?.problem == "does not fit into memory to decompress it"
      })
  }

  // Promise: Files from others do no harm
  @Test func aFileThatContradictsItselfIsRefused() throws {
    #expect(try refusal() == "accepted")
    let wrongSummaries: [(String, (inout CompactSummary) -> Void)] = [
      ("codes of 17 bits", { $0.bits = 17 }),
      ("describes 1 tables, not 2", { $0.tables.removeLast() }),
      ("does not describe the tensor positions.10", { $0.tables[1].step = -1 }),
      ("does not describe the tensor positions.f", { $0.tables[0].kept = 17 }),
      ("keeps more entries than the 15", { $0.tables[0].kept = 15 }),
      ("tensor 'positions.10': keeps more entries", { $0.tables[1].kept = 255 }),
      ("does not describe the tensor", { $0.tables[0].step = .greatestFiniteMagnitude }),
      ("tensor 'fractions.f': has too much data", { $0.bits = 8 }),
      ("tensor 'fractions.f': has too little data", { $0.bits = 12 }),
    ]
    for (message, change) in wrongSummaries {
      let error = try refusal(summary: change)
      #expect(error.contains(message), "\(error)")
    }
    let bitmap = try compressed([0xFF, 0x7F])
    let wrongStreams: [(String, (inout [[UInt8]]) -> Void)] = [
      ("keeps 15 entries, but the metadata state 16", { $0[0] = bitmap }),
      ("tensor 'values.f': cannot be decompressed", { $0[1] = Array("no frame".utf8) }),
      ("tensor 'values.f': cannot be decompressed", { $0[1].removeLast(5) }),
      ("tensor 'values.f': cannot be decompressed", { $0[1] = [] }),
      ("tensor 'values.f': has too much data", { $0[1].append(0) }),
      ("tensor 'values.f': has too much data", { $0[1] = $0[4] }),
      ("tensor 'values.10': has too little data", { $0[4] = $0[1] }),
    ]
    for (message, change) in wrongStreams {
      let error = try refusal(streams: change)
      #expect(error.contains(message), "\(error)")
    }
  }

  @Test func theFormatIsKnownByItsContent() throws {
    try CompactFile.write(numberedNetwork(shape("f")), metadata: someMetadata, bits: 8, to: path)
    #expect(try ModelFormat.detect(InputFile(path: path)) == .safetensors)
    try WeightFile.write(numberedNetwork(shape("f")), metadata: someMetadata, to: path)
    #expect(try WeightFile.readHeader(path).compact == nil)
  }
}
