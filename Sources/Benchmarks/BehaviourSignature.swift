import Configuration
import NTupleNetwork
import SelfPlay
import TDLearning

/// A hash that changes only if the results of learning change.
///
/// For every learning method and kind of return, a small network is trained from a fixed seed with the plain kernel
/// backend, by one worker or by lanes in rounds. The hash covers the scores and all weights in the order of a weight
/// file, so it does not depend on the layout in memory.
///
/// The hash is the same on every processor. Every operation on a weight rounds to a `Float`, Swift does not fuse
/// multiplications with additions by itself, and OpenBLAS, whose sums depend on the processor, is not used.
package enum BehaviourSignature {
  static let patterns = ["01245", "4569a", "0123"]
  static let episodes = 500

  /// Returns the signature of a learning mode as 16 hexadecimal digits.
  package static func compute(_ mode: LearningMode = .asynchronous) throws -> String {
    var hash = WordHash()
    for method in LearningMethod.allCases {
      for returns in ReturnKind.allCases {
        try train(method, returns, mode, into: &hash)
      }
      guard mode == .synchronous else { continue }
      // Synchronous mode has separate code for stages and for games in progress.
      for starts in [StartRule.restart, .carousel] {
        try train(method, .lambda, mode, stageTiles: [64, 256], starts: starts, into: &hash)
      }
    }
    return hash.text
  }

  private static func train(
    _ method: LearningMethod, _ returns: ReturnKind, _ mode: LearningMode, stageTiles: [Int] = [],
    starts: StartRule = .opening, into hash: inout WordHash
  ) throws {
    var configuration = TrainingConfiguration()
    configuration.mode = mode
    // With longer rounds, learning diverges on this small network, and the bits of a NaN are arbitrary.
    configuration.roundMoves = 32
    configuration.stages = stageTiles.isEmpty ? .none : .largestTile
    configuration.stageTiles = stageTiles
    configuration.starts = StepSchedule(constant: starts)
    configuration.carouselTiles = [128, 256]
    configuration.episodes = episodes
    configuration.seed = 2048
    configuration.patterns = patterns
    configuration.method = StepSchedule(constant: method)
    configuration.learningRate = StepSchedule(constant: method.rule.usualLearningRate)
    configuration.returns = returns
    configuration.updatePath = .plain
    let network = NTupleNetwork(try configuration.networkShape())
    let team = SelfPlayTeam(network: network, configuration: configuration)
    for episode in 1...episodes {
      team.play(until: episode)
      let statistics = team.ledger.snapshot.sinceReport
      hash.add(UInt64(statistics.scoreSum))
      hash.add(UInt64(statistics.moves))
    }
    add(network, to: &hash)
  }

  /// Adds all weights to a hash, pattern by pattern in canonical order.
  static func add(_ network: NTupleNetwork, to hash: inout WordHash) {
    for table in network.shape.tables {
      let layout = IndexLayout(table.pattern)
      let low = layout.lowIndices
      for block in 0..<(table.pattern.entryCount / low.count) {
        let high = table.offset + layout.highIndex(block)
        for index in low {
          let weight = network.weights[high + index]
          precondition(weight.isFinite, "the training of the signature diverged")
          hash.add(UInt64(weight.bitPattern))
        }
      }
    }
  }
}
