import Foundation
import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles

@Suite struct WeightFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("net.safetensors") }

  init() throws { directory = try TemporaryDirectory() }

  private func writeTiny() throws -> [UInt8] {
    try WeightFile.write(numberedNetwork(shape("f", "10")), metadata: someMetadata, to: path)
    return try directory.bytes("net.safetensors")
  }

  private func refusal(of bytes: [UInt8]) throws -> LocatedError? {
    try directory.write(bytes, "net.safetensors")
    return locatedError { _ = try WeightFile.read(path) }
  }

  @Test(arguments: [["f"], ["5410", "f"], ["0123", "5410", "210"], ["45689a", "321076"]])
  func aNetworkComesBack(patterns: [String]) throws {
    let shape = NetworkShape(patterns: try patterns.map { try Pattern($0) })
    let network = numberedNetwork(shape)
    let written = try WeightFile.write(network, metadata: someMetadata, to: path)
    let (read, metadata) = try WeightFile.read(path)
    #expect(read.shape == shape)
    #expect(metadata == someMetadata)
    #expect(identical(read.allWeights, network.allWeights))
    let header = try WeightFile.verify(path)
    #expect(header.checksum == written.checksum)
    #expect(header.byteCount == written.byteCount)
    #expect(try directory.bytes("net.safetensors").count == written.byteCount)
    #expect(header.metadata.episodes == 150 && header.metadata.moves == 29_000)
    #expect(header.metadata.seed == .max)
  }

  @Test(arguments: [true, false]) func aFileIsOpenedOnce(isOwnFormat: Bool) throws {
    let network = numberedNetwork(try shape("5410", "210"))
    if isOwnFormat {
      try WeightFile.write(network, metadata: someMetadata, to: path)
    } else {
      try TDL2048File.write(network, to: path)
    }
    let whole = try Checksum.of(InputFile(path: path))
    let file = try ModelFile(path)
    // A run in training removes its older checkpoints.
    try FileManager.default.removeItem(atPath: path)
    let model = try file.load()
    #expect(identical(model.network.allWeights, network.allWeights))
    #expect(model.metadata.episodes == (isOwnFormat ? 150 : 0))
    #expect(try file.checksum() == file.statedChecksum ?? whole)
    #expect((file.statedChecksum != nil) == isOwnFormat && !file.hasFurtherTables)
  }

  @Test func downgradingComesBack() throws {
    let shape = NetworkShape(
      patterns: [try Pattern("5410"), try Pattern("f")], downgrading: Downgrading(from: 14))
    let network = numberedNetwork(shape)
    try WeightFile.write(network, metadata: someMetadata, to: path)
    #expect(try WeightFile.read(path).network.shape == shape)
    #expect(try SafetensorsFile(path: path).header.metadata["downgrading"] == "14")
    // A format that does not support it is rejected before anything is written.
    let error = locatedError { try TDL2048File.write(network, to: directory.file("net.w")) }
    #expect(error?.place == "downgrading", "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: directory.file("net.w")))
  }

  @Test func levelOffsetsComeBack() throws {
    let shape = NetworkShape(patterns: [try Pattern("f")], downgrading: Downgrading(from: 14))
    let network = numberedNetwork(shape)
    try WeightFile.write(network, metadata: someMetadata, to: path)
    let plain = try ModelFile(path).checksum()
    #expect(try SafetensorsFile(path: path).header.metadata["levelOffsets"] == nil)
    #expect(try WeightFile.read(path).network.levelOffsets == .none)
    let compact = directory.file("net.compact")
    var checksums: Set = [plain]
    for offset in [Float(12_345.25), 0.1] {
      for level in TileLevel.all(ofLargest: 15) {
        network.levelOffsets[level] = offset * Float(level.missing)
      }
      try WeightFile.write(network, metadata: someMetadata, to: path)
      try CompactFile.write(network, metadata: someMetadata, bits: 8, to: compact)
      #expect(try WeightFile.read(path).network.levelOffsets == network.levelOffsets)
      #expect(try LoadedModel.read(compact).network.levelOffsets == network.levelOffsets)
      // The weights are the same, but the values are not.
      #expect(try ModelFile(path).statedChecksum == plain)
      checksums.insert(try ModelFile(path).checksum())
    }
    #expect(checksums.count == 3)
  }

  @Test(arguments: [
    #"{"16384":[0,1]}"#, #"{"8192":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]}"#, #"{"5":[]}"#, "[]",
    #"{"16384":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1e30]}"#,
  ])
  func otherLevelOffsetsAreRejected(_ text: String) throws {
    let shape = NetworkShape(patterns: [try Pattern("f")], downgrading: Downgrading(from: 14))
    try WeightFile.write(numberedNetwork(shape), metadata: someMetadata, to: path)
    try rewriteMetadata(of: path) { $0["levelOffsets"] = text }
    let error = locatedError { _ = try WeightFile.read(path) }
    #expect(error?.place == "metadata key 'levelOffsets'", "\(String(describing: error))")
  }

  @Test func downgradingOfStagesComesBack() throws {
    let shape = NetworkShape(
      patterns: [try Pattern("f")], stages: StageRule(exponents: [13, 14]),
      downgrading: Downgrading(from: 15))
    let network = numberedNetwork(shape)
    try WeightFile.write(network, metadata: someMetadata, to: path)
    #expect(try WeightFile.read(path).network.shape == shape)
    let compact = directory.file("net.compact")
    try CompactFile.write(network, metadata: someMetadata, bits: 8, to: compact)
    #expect(try WeightFile.read(compact).network.shape == shape)
  }

  @Test func stagesComeBack() throws {
    for rule in [StageRule(exponents: [13, 14]), StageRule(exponents: [14])] {
      let shape = NetworkShape(
        patterns: [try Pattern("5410"), try Pattern("f")], stages: rule)
      let network = numberedNetwork(shape)
      try WeightFile.write(network, metadata: someMetadata, to: path)
      let read = try WeightFile.read(path).network
      #expect(read.shape == shape)
      #expect(identical(read.allWeights, network.allWeights))
      let metadata = try SafetensorsFile(path: path).header.metadata
      #expect(metadata["formatVersion"] == "1")
      let names = try SafetensorsFile(path: path).header.tensors.map(\.name)
      #expect(
        names.prefix(4) == ["pattern.5410", "pattern.f", "pattern.stage1.5410", "pattern.stage1.f"])
      #expect(names.count == 2 * rule.count)
      // A format without stages is rejected before anything is written.
      let error = locatedError { try TDL2048File.write(network, to: directory.file("net.w")) }
      #expect(error?.place == "stages", "\(String(describing: error))")
      #expect(!FileManager.default.fileExists(atPath: directory.file("net.w")))
    }
  }

  @Test func aSmallerBoardComesBack() throws {
    let shape = NetworkShape(patterns: [try Pattern("0145", boardSize: 2)], boardSize: 2)
    try WeightFile.write(numberedNetwork(shape), metadata: someMetadata, to: path)
    #expect(try WeightFile.read(path).network.shape == shape)
  }

  @Test(
    arguments: [
      // The standard rules have no key, unless the configuration has other rules.
      ("{}", 0.1, nil), (#"{"game":{"fourProbability":0.1}}"#, 0.1, nil),
      (#"{"game":{"fourProbability":0.5}}"#, 0.5, "0.5"), ("{}", 0.25, "0.25"), ("{}", 0, "0.0"),
      (#"{"game":{"fourProbability":0.5}}"#, 0.1, "0.1"),
    ] as [(String, Double, String?)])
  func theRulesComeBack(config: String, fourProbability: Double, key: String?) throws {
    let metadata = ModelMetadata(config: config, fourProbability: fourProbability, version: "v")
    let shape = NetworkShape(patterns: [try Pattern("0145", boardSize: 3)], boardSize: 3)
    try WeightFile.write(numberedNetwork(shape), metadata: metadata, to: path)
    #expect(try SafetensorsFile(path: path).header.metadata["fourProbability"] == key)
    #expect(try WeightFile.read(path).metadata == metadata)
    let rules = try WeightFile.readHeader(path).rules
    #expect(rules.size == 3 && rules.fourProbability == fourProbability)
    try CompactFile.write(numberedNetwork(shape), metadata: metadata, bits: 8, to: path)
    #expect(try WeightFile.read(path).metadata == metadata)
  }

  @Test(
    "files of earlier versions have the rules only in their configuration",
    arguments: [
      (#"{"game":{"boardSize":4,"fourProbability":0.5},"seed":1}"#, 0.5),
      (#"{"game":{"fourProbability":1}}"#, 1), (#"{"game":{"boardSize":3}}"#, 0.1), ("{}", 0.1),
      // Values that no configuration can have.
      (#"{"game":{"fourProbability":1.5}}"#, 0.1), (#"{"game":{"fourProbability":"x"}}"#, 0.1),
      (#"{"game":[0.5]}"#, 0.1), ("0.5", 0.1), (#"{"game":"#, 0.1), ("", 0.1),
    ])
  func rulesOfTheConfiguration(config: String, expected: Double) throws {
    #expect(try refusal(setting: ["config": config]) == "accepted")
    #expect(try WeightFile.read(path).metadata.fourProbability == expected)
  }

  @Test func theFileIsTheDocumentedOneByteForByte() throws {
    let network = NTupleNetwork(try shape("f"))
    for place in 0..<16 { network.weights[place] = Float(place) }
    let metadata = ModelMetadata(
      history: [TrainingSegment(episodes: 2, moves: 3, seed: 4, wallSeconds: 0.5, version: "v")],
      episodes: 2, moves: 3, seed: 4, version: "v")
    try WeightFile.write(network, metadata: metadata, to: path)
    // The checksums were computed with Python's hashlib.
    let header =
      #"{"__metadata__":{"boardSize":"4","checksum":"sha256:"#
      + #"58dda328598e2f7fe472621bfc54935aaa354d1a6ebcaf9562cd743fd575eb19","config":"{}","#
      + #""episodes":"2","format":"learn2048-weights","formatVersion":"1","history":"#
      + #""[{\"episodes\":2,\"moves\":3,\"seed\":4,\"version\":\"v\",\"wallSeconds\":0.5}]","#
      + #""metadataChecksum":"sha256:"#
      + #"ff92226be9261c877ebe52b46d23ecdee98b4553873ee518445876c4b908f13b","moves":"3","#
      + #""patterns":"[\"f\"]","seed":"4","version":"v"},"pattern.f":"#
      + #"{"dtype":"F32","shape":[16],"data_offsets":[0,64]}}"#
    let length = (header.utf8.count + 8 + 63) / 64 * 64 - 8
    let expected =
      (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + Array(header.utf8)
      + [UInt8](repeating: 0x20, count: length - header.utf8.count)
      + (0..<16).flatMap { bytes(of: Float($0)) }
    #expect(try directory.bytes("net.safetensors") == expected)
  }

  // MARK: Damage

  // Promise: Learning never changes silently
  @Test func everyFlippedByteIsRefused() throws {
    try WeightFile.write(numberedNetwork(shape("f")), metadata: someMetadata, to: path)
    let bytes = try directory.bytes("net.safetensors")
    var accepted: [Int] = []
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << (place % 8)
      try directory.write(damaged, "net.safetensors")
      let error = locatedError { try WeightFile.verify(path) }
      if error?.kind != .unsuitableData { accepted.append(place) }
    }
    #expect(accepted.isEmpty)
  }

  @Test func everyOtherLengthIsRefused() throws {
    let bytes = try writeTiny()
    for count in 0..<bytes.count where count < 1_100 || count % 37 == 0 {
      #expect(try refusal(of: Array(bytes.prefix(count)))?.kind == .unsuitableData)
    }
    #expect(try refusal(of: bytes + [0])?.problem.contains("1 bytes after its last tensor") == true)
  }

  @Test func theMessageNamesTheTrouble() throws {
    let bytes = try writeTiny()
    var flipped = bytes
    flipped[bytes.count - 1] ^= 1
    let checksum = try #require(try refusal(of: flipped))
    #expect(checksum.place == "tensors" && checksum.problem.contains("checksum"))

    var notANumber = bytes
    let entry = bytes.count - 4 * 256 + 4 * 0x2B
    notANumber.replaceSubrange(entry..<(entry + 4), with: TestSupport.bytes(of: .nan))
    let finite = try #require(try refusal(of: notANumber))
    #expect(finite.description.contains("tensor 'pattern.10': entry [2, 11] is nan"))

    let cut = try #require(try refusal(of: Array(bytes.dropLast(100))))
    #expect(cut.description.contains("is truncated"))
  }

  /// Returns the error for a valid file with some metadata changed and the checksums updated.
  private func refusal(
    setting changes: [String: String?], tensors: [(String, [Int])] = [("pattern.f", [16])],
    type: ElementType = .float32
  ) throws -> String {
    try WeightFile.write(numberedNetwork(shape("f")), metadata: someMetadata, to: path)
    let file = try SafetensorsFile(path: path)
    var metadata = file.header.metadata
    for (key, value) in changes { metadata[key] = value }
    if metadata["metadataChecksum"] != nil, changes["metadataChecksum"] == nil {
      metadata["metadataChecksum"] = Checksum.of(metadata, excluding: "metadataChecksum")
    }
    var header = SafetensorsHeader(metadata: metadata)
    for (name, shape) in tensors { header.append(name, type, shape: shape) }
    let data = try file.bytes(of: file.header.tensors[0])
    let error = try refusal(
      of: header.encoded() + (0..<header.dataByteCount).map { data[$0 % 64] })
    return error.map(String.init(describing:)) ?? "accepted"
  }

  @Test(
    arguments: [
      ("format", nil, "metadata key 'format': is missing, so learn2048 did not write this file"),
      ("format", "learn2048-state", "is 'learn2048-state', not 'learn2048-weights'"),
      ("formatVersion", "3", "Use a newer learn2048."),
      ("formatVersion", "2", "Use commit 6b27004, the last one that reads it."),
      ("stages", #"{"exponents":[14],"kind":"some"}"#, "is not a known stage rule"),
      ("stages", #"{"exponents":[14,14],"kind":"largestTile"}"#, "is not a known stage rule"),
      (
        "stages", #"{"exponents":[14],"kind":"tileSet"}"#,
        "sets of tiles, which has been removed. Use commit 6b27004, the last one that reads it."
      ),
      (
        "downgrading", "[0,14]", "has been removed. Use commit 6b27004, the last one that reads it."
      ),
      ("downgrading", "9", "is 9, not"),
      ("metadataChecksum", nil, "'metadataChecksum': is missing"),
      ("metadataChecksum", "sha256:00", "is sha256:00"),
      ("checksum", nil, "'checksum': is missing"),
      ("checksum", "sha256:00", "the header states sha256:00"),
      ("boardSize", "5", "boards have 2, 3 or 4"), ("boardSize", "x", "is not an integer"),
      ("boardSize", "3", "cell f is not on the 3x3 board"),
      ("patterns", "[]", "is empty"), ("patterns", "[\"ff\"]", "cell f occurs twice"),
      ("patterns", "[\"f\",\"f\"]", "f twice"), ("patterns", "f", "not valid JSON"),
      ("patterns", "[\"0\"]", "tensor 'pattern.0': is missing"),
      ("patterns", "[\"f\",\"0\"]", "has 1 tensors, not 2"),
      ("history", "[{}]", "not valid JSON"), ("config", nil, "'config': is missing"),
      ("episodes", "-1", "is not in 0..."), ("moves", "1e3", "is not an integer"),
      ("seed", "18446744073709551616", "is not an integer"),
      ("fourProbability", "1.5", "'fourProbability': is not a probability: '1.5'"),
      ("fourProbability", "nan", "is not a probability"),
      ("fourProbability", "half", "is not a probability"),
    ] as [(String, String?, String)])
  func wrongMetadataAreRefused(key: String, value: String?, trouble: String) throws {
    #expect(try refusal(setting: [key: value]).contains(trouble))
  }

  @Test func otherTensorsAreRefused() throws {
    #expect(try refusal(setting: [:]) == "accepted")
    #expect(
      try refusal(setting: [:], tensors: [("pattern.f", [4, 4])])
        .contains("is F32 of shape [4, 4], not F32 of shape [16]"))
    #expect(
      try refusal(setting: [:], tensors: [("pattern.f", [16])], type: .int32).contains("is I32"))
    #expect(
      try refusal(setting: [:], tensors: [("pattern.f", [16]), ("more", [1])])
        .contains("has 2 tensors, not 1"))
  }

  // MARK: Files of other programs

  @Test func anotherProgramsFileIsRefused() throws {
    var header = SafetensorsHeader()
    header.append("layer.weight", .float32, shape: [2])
    let error = try #require(try refusal(of: header.encoded() + [UInt8](repeating: 0, count: 8)))
    #expect(error.place == "metadata key 'format'")
  }

  /// Writes the tensors of the file at `path` in the order of their names, as the stock library does.
  private func sortTensors(settingMetadata change: ([String: String]) -> [String: String]) throws {
    let file = try SafetensorsFile(path: path)
    var header = SafetensorsHeader(metadata: change(file.header.metadata))
    var data: [UInt8] = []
    for tensor in file.header.tensors.sorted(by: { $0.name < $1.name }) {
      header.append(tensor.name, tensor.type, shape: tensor.shape)
      data += try file.bytes(of: tensor)
    }
    try directory.write(header.encoded() + data, "net.safetensors")
  }

  @Test(arguments: [true, false]) func tensorsMayHaveAnyOrder(isCompact: Bool) throws {
    let network = numberedNetwork(try shape("5410", "f", "0123"))
    if isCompact {
      try CompactFile.write(network, metadata: someMetadata, bits: 12, to: path)
    } else {
      try WeightFile.write(network, metadata: someMetadata, to: path)
    }
    let before = try LoadedModel.read(path)
    let names = try SafetensorsFile(path: path).header.tensors.map(\.name)
    try sortTensors { $0 }
    #expect(names != names.sorted())
    #expect(try SafetensorsFile(path: path).header.tensors.map(\.name) == names.sorted())
    let after = try LoadedModel.read(path)
    #expect(identical(after.network.allWeights, before.network.allWeights))
    #expect(after.metadata == before.metadata)
    try WeightFile.verify(path)
    // A changed byte is still found.
    var bytes = try directory.bytes("net.safetensors")
    bytes[bytes.count - 1] ^= 1
    #expect(try refusal(of: bytes)?.place == "tensors")
  }

  @Test func aMinimumOfMetadataIsEnough() throws {
    let network = numberedNetwork(try shape("5410", "f"))
    try WeightFile.write(network, metadata: someMetadata, to: path)
    let own = try ModelFile(path).checksum()
    try sortTensors {
      ["format": "learn2048-weights", "patterns": $0["patterns"]!, "history": "[not read]"]
    }
    let (read, metadata) = try WeightFile.read(path)
    #expect(read.shape == network.shape)
    #expect(identical(read.allWeights, network.allWeights))
    #expect(metadata == ModelMetadata() && !metadata.hasKnownOrigin)
    let header = try WeightFile.verify(path)
    #expect(header.checksum == nil && header.valueChecksum == nil)
    // Results of games still tell the weights apart.
    let sum = try ModelFile(path).checksum()
    #expect(sum == (try Checksum.of(InputFile(path: path))) && sum != own)
    // Written again, it has checksums, and its origin stays unknown.
    try WeightFile.write(read, metadata: metadata, to: path)
    #expect(try ModelFile(path).checksum() == own)
    #expect(try WeightFile.readHeader(path).metadata == metadata)
  }

  @Test func theShapeIsReadWithoutChecksums() throws {
    let shape = NetworkShape(
      patterns: [try Pattern("01", boardSize: 3)], boardSize: 3, stages: StageRule(exponents: [9]),
      downgrading: Downgrading(from: 10))
    let network = numberedNetwork(shape)
    network.levelOffsets[TileLevel.all(ofLargest: 10)[1]] = 7
    let metadata = ModelMetadata(fourProbability: 0.25)
    try WeightFile.write(network, metadata: metadata, to: path)
    try sortTensors { $0.filter { !$0.key.lowercased().hasSuffix("checksum") } }
    let (read, readMetadata) = try WeightFile.read(path)
    #expect(read.shape == shape && read.levelOffsets == network.levelOffsets)
    #expect(readMetadata == metadata)
    #expect(identical(read.allWeights, network.allWeights))
  }

  @Test func oneOfTwoChecksumsIsNotEnough() throws {
    for key in ["checksum", "metadataChecksum"] {
      try WeightFile.write(numberedNetwork(shape("f")), metadata: someMetadata, to: path)
      try sortTensors { $0.filter { $0.key != key } }
      let error = locatedError { _ = try WeightFile.read(path) }
      #expect(error?.kind == .unsuitableData)
    }
  }

  // MARK: Invalid weights

  // With two weights of the last value, a sum could be infinite.
  // Promise: Learning never changes silently
  @Test(arguments: [Float.nan, .infinity, -.infinity, 2e38, -2e30])
  func divergedWeightsAreNotWritten(value: Float) throws {
    let before = try writeTiny()
    let network = numberedNetwork(try shape("f", "10"))
    network.weights[3] = value
    let error = locatedError {
      try WeightFile.write(network, metadata: someMetadata, to: path)
    }
    #expect(error?.place == "tensor 'pattern.f'")
    #expect(error?.problem == "entry [3] is \(value)")
    #expect(try identical(directory.bytes("net.safetensors"), before))
    #expect(directory.names == ["net.safetensors"])
  }

  @Test func aPatternListedTwiceIsNotWritten() throws {
    let network = NTupleNetwork(try shape("01", "01"))
    let error = locatedError { try WeightFile.write(network, metadata: someMetadata, to: path) }
    #expect(error?.place == "pattern 01")
  }

  /// Whether the file system of these tests stores skipped zeros as holes.
  private func hasHoles() throws -> Bool {
    try directory.write([], "holes")
    guard truncate(directory.file("holes"), 64 << 20) == 0 else { return false }
    var status = stat()
    return stat(directory.file("holes"), &status) == 0 && Int(status.st_blocks) * 512 < 1 << 20
  }

  @Test func zerosTakeNoDisk() throws {
    let network = NTupleNetwork(try shape("012345"))
    network.weights[0x123456] = 1
    let written = try WeightFile.write(network, metadata: someMetadata, to: path)
    #expect(written.byteCount > 64 << 20)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(Int(status.st_size) == written.byteCount)
    if try hasHoles() { #expect(Int(status.st_blocks) * 512 < 1 << 20) }
    #expect(try WeightFile.read(path).network.weights[0x123456] == 1)
  }
}
