import Configuration
import NTupleNetwork
import RandomSources
import TDLearning

/// A lane whose random source is chosen at run time; closures for the reason given at
/// ``EpisodeWorker``.
///
/// Safety: (1) one thread at a time plays a round of a lane, and appends to `finished`; (2) a barrier
/// of all threads lies between that and every use of `deltas`, and between these and the next round;
/// (3) `finished` is emptied, and `state` read, while no thread plays.
final class LaneWorker: @unchecked Sendable {
  /// The episodes that ended in the last round.
  var finished: [EpisodeResult] = []
  private let play: (Int, StartRule, DeltaScratch, (EpisodeResult) -> Void) -> Void
  private let readDeltas: () -> [PatternDelta]
  private let readState: () -> LaneState

  @inline(__always)
  init<Source: RandomSource>(_ lane: SelfPlayLane<Source>) {
    var lane = lane
    play = { lane.playRound(moves: $0, start: $1, using: $2, onEpisode: $3) }
    readDeltas = { lane.deltas }
    readState = { lane.state }
  }

  /// Plays a round of `moves` moves.
  func playRound(moves: Int, start: StartRule, using scratch: DeltaScratch) {
    play(moves, start, scratch) { finished.append($0) }
  }

  /// What the last round adds to the patterns.
  var deltas: [PatternDelta] { readDeltas() }

  /// The lane between rounds.
  var state: LaneState { readState() }
}

/// Makes the lanes of a run, compiled for each random source on its own.
struct LaneFactory {
  let network: NTupleNetwork
  let configuration: TrainingConfiguration

  /// Lane `index`, as it was saved, or at its beginning.
  ///
  /// Its spawns follow from the seed and the index alone.
  func makeLane(_ index: Int, state: LaneState?) -> LaneWorker {
    switch configuration.randomSource {
    case .xoshiro256: make(Xoshiro256.self, index, state)
    case .mersenneTwister64: make(MersenneTwister64.self, index, state)
    case .javaLinearCongruential: make(JavaLinearCongruential.self, index, state)
    case .arc4: make(ARC4.self, index, state)
    }
  }

  @inline(__always)
  private func make<Source: RandomSource>(
    _ type: Source.Type, _ index: Int, _ state: LaneState?
  ) -> LaneWorker {
    // As the workers of asynchronous learning at the beginning of a run.
    let seed = SplitMix64.streamSeed(UInt64(configuration.seed), 0)
    var lane = SelfPlayLane(
      network: network, rules: configuration.rules,
      learner: RoundLearner(
        network: network, returns: configuration.returnEstimate, path: configuration.updatePath,
        batchSize: configuration.movesPerLane),
      starts: EpisodeStarts(configuration.startSettings, state: state?.starts),
      source: Source(seed: SplitMix64.streamSeed(seed, index)))
    if let state { lane.restore(state) }
    return LaneWorker(lane)
  }
}
