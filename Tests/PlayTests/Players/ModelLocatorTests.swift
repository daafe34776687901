import Basics
import Foundation
import ModelFiles
import TestSupport
import Testing
import Training

@testable import Play

@Suite struct ModelLocatorTests {
  /// A run in training removes a checkpoint after it was looked up.
  @Test func aCheckpointThatIsPrunedIsLookedUpAgain() throws {
    let directory = try TemporaryDirectory()
    let run = directory.file("run")
    let checkpoints = RunDirectory(path: run).checkpoints.path
    try FileManager.default.createDirectory(
      atPath: checkpoints, withIntermediateDirectories: true)
    func write(_ episodes: Int) throws -> String {
      let path = checkpoints + "/episodes-0000000\(episodes).safetensors"
      try WeightFile.write(
        TestNetworks.random(["01"]),
        metadata: ModelMetadata(episodes: episodes, version: "test"), to: path)
      return path
    }
    let first = try write(10)
    var paths: [String] = []
    let episodes = try ModelLocator.reading(run) { path in
      paths.append(path)
      if paths.count == 1 {
        _ = try write(20)
        try FileManager.default.removeItem(atPath: first)
      }
      return try LoadedModel.read(path).metadata.episodes
    }
    #expect(episodes == 20 && paths.count == 2)
    // A model that is gone is an error.
    let error = #expect(throws: LocatedError.self) {
      try ModelLocator.reading(run) { path in
        try? FileManager.default.removeItem(atPath: path)
        return try LoadedModel.read(path)
      }
    }
    #expect(error?.kind == .missingInput)
  }

  @Test(arguments: ["heuristic", "learned:model=none,depth=3"])
  func aPlayerIsNotAModel(text: String) {
    let error = #expect(throws: LocatedError.self) { try ModelLocator.find(text) }
    #expect(error?.kind == .usage && error?.remedy.contains("--player") == true, "\(error!)")
  }
}
