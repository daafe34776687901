import Foundation
import NTupleNetwork
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import ModelFiles
@testable import Training

@Suite struct CheckpointTests {
  private let directory: TemporaryDirectory
  private var checkpoints: CheckpointDirectory { CheckpointDirectory(path: directory.path) }

  init() throws { directory = try TemporaryDirectory() }

  private func save(
    _ episodes: Int, first: Int? = nil, keep: Int = 100, state: SavedState = SavedState(text: "{}"),
    bestMeanScore: Double? = nil, formerBest: BestCheckpoint? = nil
  ) throws -> CheckpointDirectory.Saved {
    try checkpoints.prepareSave(
      numberedNetwork(shape("5410", "f"), from: first ?? episodes),
      metadata: ModelMetadata(episodes: episodes, version: "1"), state: { _ in state }, keep: keep,
      bestMeanScore: bestMeanScore, formerBest: formerBest
    ).commit()
  }

  private var history: [Int] { get throws { try checkpoints.checkpoints().map(\.episodes) } }

  private func rewrite(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try directory.bytes(name)
    change(&bytes)
    try directory.write(bytes, name)
  }

  // MARK: Resuming

  @Test func aRunComesBack() throws {
    let shape = try shape("5410", "f")
    let state = SavedState(
      text: #"{"random":[1,2]}"#,
      accumulators: [
        TensorGroup("tc.error", numberedNetwork(shape, from: 1_000).weights),
        TensorGroup("tc.absolute", numberedNetwork(shape, from: 2_000).weights),
      ])
    _ = try save(90, state: state)
    let saved = try save(100, state: state)
    #expect(saved.checkpoint.name == "episodes-000000100.safetensors")
    let resumed = try checkpoints.resume()
    #expect(resumed.checkpoint == saved.checkpoint)
    #expect(resumed.metadata.episodes == 100)
    #expect(identical(resumed.network.allWeights, numberedNetwork(shape, from: 100).allWeights))
    #expect(resumed.state.text == state.text)
    #expect(resumed.state.accumulators.map(\.name) == ["tc.error", "tc.absolute"])
    let error = try #require(resumed.state.accumulator("tc.error"))
    let absolute = try #require(resumed.state.accumulator("tc.absolute"))
    #expect((error[0], error[7], absolute[0]) == (250, 251.75, 500))
    #expect(resumed.state.accumulator("tc") == nil)
    let header = try SafetensorsFile(path: checkpoints.statePath).header
    #expect(
      header.tensors.map(\.name)
        == ["tc.error.5410", "tc.error.f", "tc.absolute.5410", "tc.absolute.f"])
    let checksum = try WeightFile.verify(saved.checkpoint.path).checksum
    #expect(try StateFile.verify(checkpoints.statePath).weightsChecksum == checksum)
  }

  @Test func withoutASaveThereIsNothingToResume() throws {
    let error = locatedError { _ = try checkpoints.resume() }
    #expect(error?.kind == .missingInput)
    #expect(error?.path == checkpoints.statePath)
  }

  @Test func aStateOfOtherWeightsIsRefused() throws {
    _ = try save(100)
    try WeightFile.write(
      numberedNetwork(shape("5410", "f"), from: 3),
      metadata: ModelMetadata(episodes: 100, version: "1"),
      to: directory.file("episodes-000000100.safetensors"))
    let error = try #require(locatedError { _ = try checkpoints.resume() })
    #expect(error.kind == .unsuitableData)
    #expect(error.description.contains("the state belongs to weights sha256:"))
  }

  @Test func aStateWithoutItsWeightsIsRefused() throws {
    let saved = try save(100)
    try FileManager.default.removeItem(atPath: saved.checkpoint.path)
    let error = try #require(locatedError { _ = try checkpoints.resume() })
    #expect(error.kind == .missingInput)
    #expect(error.path == saved.checkpoint.path)
    #expect(error.problem.contains("state.safetensors belongs to it"))
  }

  @Test func damagedAccumulatorsAreRefused() throws {
    let shape = try shape("5410", "f")
    let accumulator = TensorGroup("tc.error", numberedNetwork(shape).weights)
    _ = try save(100, state: SavedState(text: "{}", accumulators: [accumulator]))
    try rewrite("state.safetensors") { $0[$0.count - 2] ^= 4 }
    let error = try #require(locatedError { _ = try checkpoints.resume() })
    #expect(error.path == checkpoints.statePath)
    #expect(error.place == "tensors")
  }

  @Test func aStateThatNoReaderWouldTakeIsNotWritten() throws {
    let state = SavedState(text: String(repeating: "x", count: 100_000_001))
    #expect(locatedError { _ = try save(1, state: state) }?.place == "metadata")
    #expect(try checkpoints.stateHeader() == nil)
  }

  @Test func weightsAreNoStateAndAStateIsNoWeights() throws {
    let saved = try save(1)
    #expect(
      locatedError { try StateFile.verify(saved.checkpoint.path) }?.problem
        == "is 'learn2048-weights', not 'learn2048-state'")
    #expect(
      locatedError { try WeightFile.verify(checkpoints.statePath) }?.place
        == "metadata key 'format'")
  }

  // MARK: Interrupted saves

  // Promise: A run is never lost
  @Test func aSaveThatFailsAtTheStateLeavesTheFormerOneWhole() throws {
    _ = try save(100)
    let normal = FileOperations()
    var operations = normal
    operations.rename = { source, destination in
      guard destination.hasSuffix("state.safetensors") else {
        return normal.rename(source, destination)
      }
      errno = ENOSPC
      return -1
    }
    let error = locatedError {
      try FileOperations.$current.withValue(operations) { _ = try save(200, keep: 1) }
    }
    #expect(error?.kind == .inputOutput)
    #expect(try history == [100])
    #expect(try checkpoints.resume().metadata.episodes == 100)
    #expect(try checkpoints.checkpoint(.latest).episodes == 100)
  }

  // Promise: A run is never lost
  @Test func aFirstSaveThatWasKilledAtTheStateIsCompleted() throws {
    _ = try save(100)
    let temporary = directory.file(".state.safetensors.tmp-1-1")
    try FileManager.default.moveItem(atPath: checkpoints.statePath, toPath: temporary)
    try checkpoints.completeInterruptedSave()
    #expect(try checkpoints.resume().metadata.episodes == 100)
    #expect(!FileManager.default.fileExists(atPath: temporary))
    // Nothing but a whole state of weights in place is taken.
    try FileManager.default.moveItem(atPath: checkpoints.statePath, toPath: temporary)
    var bytes = try directory.bytes(".state.safetensors.tmp-1-1")
    bytes[bytes.count / 2] ^= 1
    try directory.write(bytes, ".state.safetensors.tmp-1-1")
    try checkpoints.completeInterruptedSave()
    #expect(try checkpoints.stateHeader() == nil)
  }

  // Promise: A run is never lost
  @Test func aFirstSaveThatAPowerFailureEndedAtTheStateIsCompleted() throws {
    let flushed = Mutex<Set<UInt64>>([])
    @Sendable func number(of descriptor: Int32) -> UInt64 {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
    }
    let after = try TemporaryDirectory()
    let path = directory.path
    let normal = FileOperations()
    var operations = normal
    operations.synchronize = { descriptor in
      flushed.withLock { _ = $0.insert(number(of: descriptor)) }
      return normal.synchronize(descriptor)
    }
    // What is left if the power fails right after the weights are in place: the content that was flushed.
    operations.rename = { source, destination in
      let result = normal.rename(source, destination)
      guard !destination.hasSuffix("state.safetensors") else { return result }
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
        let descriptor = open("\(path)/\(name)", O_RDONLY)
        defer { close(descriptor) }
        let isFlushed = flushed.withLock { $0.contains(number(of: descriptor)) }
        let content = FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()
        try? after.write(isFlushed ? Array(content) : [], name)
      }
      return result
    }
    try FileOperations.$current.withValue(operations) { _ = try save(100) }
    let remains = CheckpointDirectory(path: after.path)
    #expect(try remains.stateHeader() == nil)
    try remains.completeInterruptedSave()
    #expect(try remains.resume().metadata.episodes == 100)
    #expect(after.names == ["episodes-000000100.safetensors", "state.safetensors"])
  }

  @Test func otherWeightsAfterAsManyEpisodesDoNotReplaceTheStates() throws {
    let first = try save(100, first: 1)
    let same = try save(100, first: 1)
    #expect(same.checkpoint == first.checkpoint)
    let other = try save(100, first: 2)
    #expect(other.checkpoint.name == "episodes-000000100-2.safetensors")
    #expect(try checkpoints.resume().network.weights[0] == 0.5)
    #expect(try WeightFile.read(first.checkpoint.path).network.weights[0] == 0.25)
    #expect(try checkpoints.checkpoint(.episodes(100)) == other.checkpoint)
    // The state does not need the first checkpoint any more.
    #expect(try save(100, first: 3).checkpoint == first.checkpoint)
  }

  @Test func preparingCreatesTheDirectoryAndCleansIt() throws {
    let inner = CheckpointDirectory(path: directory.file("run/checkpoints"))
    try inner.prepare()
    try directory.write([1], "run/checkpoints/.state.safetensors.tmp-1-1")
    try inner.prepare()
    #expect(try FileManager.default.contentsOfDirectory(atPath: inner.path).isEmpty)
    try directory.write([1], "file")
    let blocked = CheckpointDirectory(path: directory.file("file/checkpoints"))
    #expect(locatedError { try blocked.prepare() }?.kind == .cannotCreate)
    let file = CheckpointDirectory(path: directory.file("file"))
    #expect(locatedError { try file.prepare() }?.kind == .cannotCreate)
    // A directory without the permission to write, for every user.
    var operations = FileOperations()
    operations.open = { _, _ in
      errno = EACCES
      return -1
    }
    let error = FileOperations.$current.withValue(operations) {
      locatedError { try inner.prepare() }
    }
    #expect(error?.kind == .cannotCreate && error?.path == inner.statePath)
  }

  // MARK: Names

  @Test func checkpointsAreFoundByName() throws {
    for episodes in [900, 1_000_000_000, 50] { _ = try save(episodes) }
    try directory.write([], "episodes-1.safetensors")
    try directory.write([], "episodes-00000000x.safetensors")
    try directory.write([], "notes.txt")
    #expect(try history == [50, 900, 1_000_000_000])
    #expect(try checkpoints.checkpoint(.latest).episodes == 50)
    #expect(try checkpoints.checkpoint(.best).episodes == 50)
    #expect(try checkpoints.checkpoint(.episodes(900)).name == "episodes-000000900.safetensors")
    try FileManager.default.removeItem(atPath: checkpoints.statePath)
    #expect(try checkpoints.checkpoint(.latest).episodes == 1_000_000_000)
    let error = locatedError { _ = try checkpoints.checkpoint(.episodes(7)) }
    #expect(error?.kind == .missingInput)
    #expect(error?.remedy == "choose one of 50, 900, 1000000000")
  }

  @Test func anEmptyOrMissingDirectoryHasNoCheckpoint() throws {
    #expect(
      locatedError { _ = try checkpoints.checkpoint(.best) }?.problem == "has no checkpoints yet"
    )
    let missing = CheckpointDirectory(path: directory.file("none"))
    #expect(locatedError { _ = try missing.checkpoints() }?.kind == .missingInput)
  }

  @Test func theBestIsRemembered() throws {
    #expect(try checkpoints.best() == nil)
    for episodes in [1, 2, 3] { _ = try save(episodes) }
    let second = try checkpoints.checkpoint(.episodes(2))
    try checkpoints.recordBest(second, meanScore: 1234.5)
    #expect(try checkpoints.checkpoint(.best) == second)
    let best = try #require(try checkpoints.best())
    #expect((best.episodes, best.meanScore, best.file) == (2, 1234.5, second.name))
    #expect(try best.checksum == WeightFile.readHeader(second.path).checksum)
    try FileManager.default.removeItem(atPath: second.path)
    #expect(locatedError { _ = try checkpoints.checkpoint(.best) }?.path == checkpoints.bestPath)
    try directory.write("{}".utf8, "best.json")
    #expect(locatedError { _ = try checkpoints.best() }?.kind == .unsuitableData)
  }

  // MARK: Pruning

  @Test func pruningKeepsTheNewestTheBestAndTheStates() throws {
    for episodes in 1...3 { _ = try save(episodes) }
    try checkpoints.recordBest(checkpoints.checkpoint(.episodes(2)), meanScore: 5)
    for (episodes, kept) in [(4, [2, 3, 4]), (5, [2, 4, 5]), (6, [2, 5, 6])] {
      #expect(try save(episodes, keep: 2).pruningError == nil)
      #expect(try history == kept)
    }
    // A state that belongs to old weights, as after resuming with files of a lost session present.
    _ = try save(3)
    #expect(try history == [2, 3, 5, 6])
    try checkpoints.prune(keep: 1)
    #expect(try history == [2, 3, 6])
    try checkpoints.prune(keep: 0)
    #expect(try history == [2, 3, 6])
    #expect(try checkpoints.resume().metadata.episodes == 3)
  }

  @Test func aSupersededBestIsRemovedByTheSaveThatSupersedesIt() throws {
    let first = try save(100, keep: 1, bestMeanScore: 60)
    #expect(try save(200, keep: 1, formerBest: first.best).best == first.best)
    #expect(try history == [100, 200])
    let better = try save(300, keep: 1, bestMeanScore: 70, formerBest: first.best)
    #expect(better.best?.file == better.checkpoint.name && better.pruningError == nil)
    #expect(try history == [300])
  }

  @Test func aDamagedRecordOfTheBestPrunesNothingAndFailsNoSave() throws {
    for episodes in 1...3 { _ = try save(episodes) }
    try directory.write("?".utf8, "best.json")
    let saved = try save(4, keep: 1)
    #expect(saved.pruningError?.path == checkpoints.bestPath)
    #expect(try history == [1, 2, 3, 4])
  }

  @Test func aBestThatCannotBeRecordedIsKeptAndRecordedLater() throws {
    let normal = FileOperations()
    var operations = normal
    operations.rename = { source, destination in
      guard destination.hasSuffix("best.json") else { return normal.rename(source, destination) }
      errno = ENOSPC
      return -1
    }
    let failed = try FileOperations.$current.withValue(operations) {
      try save(100, first: 1, keep: 1, bestMeanScore: 60)
    }
    #expect(failed.recordingError?.path == checkpoints.bestPath && failed.pruningError == nil)
    let best = try #require(failed.best)
    #expect(best.file == failed.checkpoint.name && best.meanScore == 60)
    #expect(try checkpoints.best() == nil)
    #expect(checkpoints.inPlace(best) == best)
    for (text, found) in [
      (#"{"episodes": 100, "meanScore": 60}"#, best),
      (#"{"episodes": 90, "meanScore": 60}"#, nil),
      (#"{"episodes": 100, "meanScore": 60, "file": "../best.json"}"#, nil),
      (#"{"episodes": 100, "meanScore": 60, "checksum": "sha256:1"}"#, nil),
    ] {
      // Version 0.1.0 saved the first two.
      let saved = try JSONDecoder().decode(BestCheckpoint.self, from: Data(text.utf8))
      #expect(checkpoints.inPlace(saved) == found)
    }
    // No other weights after as many episodes take its place, even if the state does not need it any more.
    try FileOperations.$current.withValue(operations) {
      for first in 2...3 {
        let saved = try save(100, first: first, keep: 1, formerBest: best)
        #expect(saved.recordingError != nil && saved.best == best)
        #expect(saved.checkpoint.version > 1)
      }
      _ = try save(200, keep: 1, formerBest: best)
    }
    #expect(try history == [100, 200])
    #expect(try WeightFile.readHeader(failed.checkpoint.path).checksum == best.checksum)
    // It is recorded as soon as that is possible.
    #expect(try save(300, keep: 1, formerBest: best).recordingError == nil)
    #expect(try history == [100, 300])
    #expect(try checkpoints.best() == best)
    #expect(try checkpoints.checkpoint(.best).path == failed.checkpoint.path)
  }
}

extension CheckpointDirectory {
  /// Records a checkpoint as the best.
  func recordBest(_ checkpoint: Checkpoint, meanScore: Double) throws {
    let best = BestCheckpoint(
      file: checkpoint.name, checksum: "", episodes: checkpoint.episodes, meanScore: meanScore)
    try writeBest(#require(inPlace(best)))
  }
}
