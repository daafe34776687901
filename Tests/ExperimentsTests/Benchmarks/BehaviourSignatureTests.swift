import Foundation
import NTupleNetwork
import TestSupport
import Testing

@testable import Experiments
@testable import Training

@Suite struct BehaviourSignatureTests {
  /// Returns the signature in the repository, which CI compares, too.
  private static func stated(_ file: String) throws -> String {
    let text = try String(
      contentsOf: Repository.file(".ci/\(file)"), encoding: .utf8)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: [
    (LearningMode.asynchronous, "signature"), (.synchronous, "signature-synchronous"),
  ])
  func isWhatTheRepositoryStates(mode: LearningMode, file: String) throws {
    #expect(
      try BehaviourSignature.compute(mode) == BehaviourSignatureTests.stated(file),
      "the results of learning changed; if that is intended, write the new signature to .ci/\(file)"
    )
  }

  @Test func everyWeightCounts() {
    func signature(_ network: NTupleNetwork) -> String {
      var hash = BehaviourSignature()
      hash.add(network)
      return hash.text
    }
    let network = TestNetworks.random(["012", "4569"])
    let before = signature(network)
    for place in [0, 1, 4095, 4096, network.weights.count - 1] {
      let weight = network.weights[place]
      network.weights[place] = weight.nextUp
      #expect(signature(network) != before)
      network.weights[place] = weight
    }
    #expect(signature(network) == before)
  }

  @Test func weightsAreHashedInTheOrderOfAFile() {
    let network = TestNetworks.random(["210"])
    let layout = IndexLayout(network.shape.patterns[0])
    var expected = BehaviourSignature()
    for a in 0..<16 {
      for b in 0..<16 {
        for c in 0..<16 {
          expected.add(UInt64(network.weights[layout.memoryIndex(of: [a, b, c])].bitPattern))
        }
      }
    }
    var hash = BehaviourSignature()
    hash.add(network)
    #expect(hash.text == expected.text)
  }

  @Test func hashesHaveSixteenDigits() {
    var hash = BehaviourSignature()
    #expect(hash.text == "cbf29ce484222325")
    // The published hash of the one byte 'a'.
    hash.add(0x61)
    #expect(hash.text == "af63dc4c8601ec8c")
  }
}
