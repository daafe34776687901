import Basics
import Foundation
import ModelFiles
import NTupleNetwork
import Synchronization
import Training

/// A run whose state is replaced by the input and resumed, once in each learning mode.
enum FuzzedRun {
  static let shape = NetworkShape(patterns: [try! Pattern("01")])
  private static let episodes = 3
  private static let weightsName = "episodes-000000003.safetensors"
  private static let directory = Mutex<RunDirectory?>(nil)

  private static let configurations = LearningMode.allCases.map { mode in
    var configuration = TrainingConfiguration()
    configuration.patterns = ["01"]
    configuration.mode = mode
    configuration.lanes = 2
    configuration.roundMoves = 16
    configuration.starts = StepSchedule(constant: .carousel)
    configuration.carouselTiles = [16, 64]
    configuration.returns = .delayedLambda
    return configuration
  }

  /// Resumes the run from a state file, and plays on if that is accepted.
  ///
  /// - Returns: Whether it is accepted in one of the modes.
  static func resume(_ bytes: [UInt8]) -> Bool {
    directory.withLock { directory in
      let run = directory ?? prepared()
      directory = run
      var isAccepted = false
      for configuration in configurations {
        for name in ["best.json", "state.safetensors"] {
          _ = unsafe unlink("\(run.checkpoints.path)/\(name)")
        }
        ScratchFile.write(bytes, to: run.checkpoints.statePath)
        guard let resumed = try? TrainingRun.resume(in: run, configuration: configuration) else {
          continue
        }
        let before = resumed.monitor.progress
        resumed.team.play(until: before.episodes + 1)
        _ = (resumed.monitor.progress, resumed.team.state)
        isAccepted = true
      }
      return isAccepted
    }
  }

  /// Makes the metadata of a state name the weights of the run.
  static func bind(_ metadata: inout [String: String]) {
    metadata[MetadataKey.weightsFile] = weightsName
    metadata[MetadataKey.weightsChecksum] = weightsChecksum
    metadata[MetadataKey.episodes] = String(episodes)
  }

  /// The checksum of the weights, which are all zero.
  private static let weightsChecksum: String = {
    var checksum = Checksum()
    checksum.update([UInt8](repeating: 0, count: 4 * shape.entryCount))
    return checksum.finalized()
  }()

  private static func prepared() -> RunDirectory {
    let run = RunDirectory(path: ScratchFile.path("run"))
    try! run.checkpoints.prepare()
    try! WeightFile.write(
      NTupleNetwork(shape), metadata: ModelMetadata(episodes: episodes, version: "fuzz"),
      to: "\(run.checkpoints.path)/\(weightsName)")
    return run
  }
}

/// Files for readers that take paths, in a directory of this process, which is removed at its end.
enum ScratchFile {
  private static let directory: String = {
    // In memory, where there is such a file system.
    let isInMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
    let path = (isInMemory ? "/dev/shm" : NSTemporaryDirectory()) + "/learn2048-fuzz-\(getpid())"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: ScratchFile.directory) }
    return path
  }()
  private static let counter = Atomic<Int>(0)

  static func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Calls `body` with the path of a file with these bytes.
  static func with<Result>(_ bytes: [UInt8], _ body: (String) -> Result) -> Result {
    let path = path("\(counter.add(1, ordering: .relaxed).newValue)")
    write(bytes, to: path)
    defer { _ = unsafe unlink(path) }
    return body(path)
  }

  static func write(_ bytes: [UInt8], to path: String) {
    try! Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
