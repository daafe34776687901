import Basics
import Learning
import NTupleNetwork
import Training

/// A hash that changes only if the results of learning change.
///
/// For every learning method and kind of return, a small network is trained from a fixed seed, by one worker or by
/// lanes in rounds. The hash covers the scores and all weights in the order of a weight file, so it does not depend on
/// the layout in memory.
///
/// The hash is the same on every processor. Every operation on a weight rounds to a `Float`, and Swift does not fuse
/// multiplications with additions by itself. OpenBLAS does on some processors, but all factors of its additions are
/// powers of ±1 and λ = 1/2 here, whose products are exact.
package struct BehaviourSignature {
  static let patterns = ["01245", "4569a", "0123"]
  static let episodes = 500

  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds a word.
  ///
  /// Source: FNV-1a by Fowler, Noll and Vo, with 64-bit words instead of bytes.
  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }

  /// The hash as 16 hexadecimal digits.
  var text: String { String(value, radix: 16).padded(to: 16, with: "0", atEnd: false) }

  /// Returns the signature of a learning mode as 16 hexadecimal digits.
  package static func compute(_ mode: LearningMode = .asynchronous) throws -> String {
    var signature = BehaviourSignature()
    for method in LearningMethod.allCases {
      for returns in ReturnKind.allCases {
        try signature.train(method, returns, mode)
      }
      guard mode == .synchronous else { continue }
      // Synchronous mode has separate code for stages and for games in progress.
      for starts in [StartRule.restart, .carousel] {
        try signature.train(method, .lambda, mode, stageTiles: [64, 256], starts: starts)
      }
    }
    return signature.text
  }

  private mutating func train(
    _ method: LearningMethod, _ returns: ReturnKind, _ mode: LearningMode, stageTiles: [Int] = [],
    starts: StartRule = .opening
  ) throws {
    var configuration = TrainingConfiguration()
    configuration.mode = mode
    // With longer rounds, learning diverges on this small network, and the bits of a NaN are arbitrary.
    configuration.roundMoves = 32
    configuration.stages = stageTiles.isEmpty ? .none : .largestTile
    configuration.stageTiles = stageTiles
    configuration.starts = StepSchedule(constant: starts)
    configuration.carouselTiles = [128, 256]
    configuration.episodes = BehaviourSignature.episodes
    configuration.seed = 2048
    configuration.patterns = BehaviourSignature.patterns
    configuration.method = StepSchedule(constant: method)
    configuration.learningRate = StepSchedule(constant: method.rule.usualLearningRate)
    configuration.returns = returns
    let network = NTupleNetwork(try configuration.networkShape())
    let team = SelfPlayTeam(network: network, configuration: configuration)
    for episode in 1...BehaviourSignature.episodes {
      team.play(until: episode)
      let statistics = team.ledger.snapshot.sinceReport
      add(UInt64(statistics.scoreSum))
      add(UInt64(statistics.moves))
    }
    add(network)
  }

  /// Adds all weights, pattern by pattern in canonical order.
  mutating func add(_ network: NTupleNetwork) {
    for table in network.shape.tables {
      let layout = IndexLayout(table.pattern)
      let low = layout.lowIndices
      for block in 0..<(table.pattern.entryCount / low.count) {
        let high = table.offset + layout.highIndex(block)
        for index in low {
          let weight = network.weights[high + index]
          precondition(weight.isFinite, "the training of the signature diverged")
          add(UInt64(weight.bitPattern))
        }
      }
    }
  }
}
