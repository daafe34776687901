import NTupleNetwork
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles
@testable import Training

@Suite struct ResourceTests {
  @Test func theMachineHasMemoryAndTheSystemSaysSo() throws {
    let available = try #require(Memory.available())
    #expect((1 << 20..<1 << 46).contains(available))
  }

  @Test func memoryInfoIsParsed() {
    let text = "MemTotal:  100 kB\nMemAvailable:   24000000 kB\nBuffers: 1 kB\n"
    #expect(Memory.available(inMemoryInfo: text) == 24_000_000 * 1024)
    #expect(Memory.available(inMemoryInfo: "MemTotal: 100 kB\n") == nil)
    #expect(Memory.available(inMemoryInfo: "MemAvailable: many kB\n") == nil)
    #expect(Memory.available(inMemoryInfo: nil) == nil)
  }

  @Test func whatDoesNotFitIsRefusedWithTheNumbers() throws {
    let bytes = try shape("012345", "456789").byteCount
    try Memory.require(bytes, of: bytes + Memory.reserve, for: "weights", path: "c.json")
    try Memory.require(bytes, of: nil, for: "weights", path: "c.json")
    let error = locatedError {
      try Memory.require(bytes, of: bytes, for: "the weights", path: "c.json")
    }
    #expect(error?.kind == .insufficientMemory)
    #expect(error?.problem == "the weights would need 128 MiB, but 64 MiB are available")
  }

  @Test func bytesAreWrittenForPeople() {
    #expect(byteText(0) == "0 bytes" && byteText(1) == "1 byte")
    #expect(byteText(10_239) == "10,239 bytes" && byteText(10_240) == "10 KiB")
    #expect(byteText(256 << 20) == "256 MiB" && byteText(3 << 29) == "1.5 GiB")
    #expect(byteText(.max) == "8 EiB")
  }

  @Test func theDiskSaysHowMuchIsFree() throws {
    let directory = try TemporaryDirectory()
    let free = try #require(freeDiskSpace(at: directory.path))
    #expect(free > 0)
    #expect(freeDiskSpace(at: directory.file("not/yet/there")) != nil)
    #expect(freeDiskSpace(at: "not/yet/there") != nil)
  }

  @Test func diskUseBoundsWhatASaveTakes() throws {
    let directory = try TemporaryDirectory()
    let checkpoints = CheckpointDirectory(path: directory.path)
    let shape = try shape("0123", "4567")
    let network = numberedNetwork(shape)
    let accumulators = [
      TensorGroup("tc.error", network.weights), TensorGroup("tc.absolute", network.weights),
    ]
    for episodes in 1...5 {
      _ = try checkpoints.prepareSave(
        network, metadata: ModelMetadata(episodes: episodes, version: "1"),
        state: { _ in SavedState(text: "{}", accumulators: accumulators) }, keep: 2
      ).commit()
      try checkpoints.recordBest(checkpoints.checkpoint(.episodes(1)), meanScore: 1)
    }
    let use = DiskUse(shape: shape, keep: 2, accumulators: 2)
    let sizes = try Dictionary(
      uniqueKeysWithValues: directory.names.map { ($0, try directory.bytes($0).count) })
    #expect(sizes.keys.filter { $0.hasPrefix("episodes-") }.count == 3)
    #expect(try #require(sizes["episodes-000000005.safetensors"]) <= use.checkpoint)
    #expect(try #require(sizes["state.safetensors"]) <= use.state)
    let total = sizes.values.reduce(0, +)
    #expect(total <= use.atRest)
    #expect(total > use.atRest - 5 * DiskUse.headerAllowance)
    #expect(use.whileSaving == use.atRest + use.checkpoint + use.state)
  }

  @Test func diskUseThatNoNumberHoldsIsTheLargestNumber() throws {
    let patterns = try (8...15).map { try Pattern("0123456" + String($0, radix: 16)) }
    let stages = StageRule(exponents: Array(1...15))
    let shape = NetworkShape(patterns: patterns, stages: stages)
    let use = DiskUse(shape: shape, keep: 10_000_000, accumulators: 2)
    #expect(use.checkpoint > 1 << 40 && use.state > use.checkpoint)
    #expect(use.atRest == .max && use.whileSaving == .max)
    // The product fits, and the sum does not.
    let keep = Int.max / use.checkpoint - 1
    let most = DiskUse(shape: shape, keep: keep, accumulators: 2)
    #expect(most.atRest == .max && most.whileSaving == .max)
  }
}
