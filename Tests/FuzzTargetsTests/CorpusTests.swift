import Foundation
import Testing

@testable import FuzzTargets

@Suite struct CorpusTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus").path

  /// Inputs that crashed a reader once are in the corpus.
  // Promise: Files from others do no harm
  @Test(arguments: FuzzTarget.allCases)
  func theCorpusAndItsChangesCrashNoReader(target: FuzzTarget) throws {
    let loop = try FuzzLoop(target, corpus: CorpusTests.corpus)
    let accepted = (0..<300).filter { loop.run($0) }
    // Otherwise the inputs would not reach what follows the first checks.
    #expect(accepted.contains { $0 < loop.corpusCount })
    #expect(accepted.count { $0 >= loop.corpusCount } > 3, "\(accepted.count)")
    #expect(accepted.count < 300)
  }

  @Test func anInputDependsOnItsNumberAlone() throws {
    let loop = try FuzzLoop(.configuration, corpus: CorpusTests.corpus)
    let inputs = (0..<100).map { loop.input($0) }
    #expect((0..<100).reversed().map { loop.input($0) } == inputs.reversed())
    #expect(Set(inputs).count > 80)
    let other = try FuzzLoop(.configuration, corpus: CorpusTests.corpus, seed: 2)
    #expect(other.input(90) != loop.input(90))
  }

  @Test func aChangedFileGetsValidChecksums() throws {
    let loop = try FuzzLoop(.safetensors, corpus: CorpusTests.corpus)
    let file = try #require((0..<loop.corpusCount).map { loop.input($0) }.first { isAccepted($0) })
    // A changed weight, and a changed seed.
    var changed = file
    changed[changed.count - 3] ^= 1
    #expect(isAccepted(changed))
    let seed = try #require(
      changed.indices.first { changed[$0...].starts(with: #""seed":""#.utf8) })
    changed.insert(UInt8(ascii: "1"), at: seed + 8)
    #expect(isAccepted(changed))
  }

  private func isAccepted(_ bytes: [UInt8]) -> Bool { FuzzTarget.safetensors.run(bytes) }
}
