import Basics
import Logging
import NTupleNetwork
import Play
import Synchronization
import TestSupport
import Testing

@testable import Training

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Starts or resumes a run with some ranks, and trains to its end, or until it is stopped by the first report after
/// `stop` episodes.
func train(
  _ settings: TrainingConfiguration, in directory: RunDirectory, ranks: Int,
  stopAfter stop: Int = .max, by stopper: Int = 0
) throws -> TrainingRun.Outcome {
  let result = Mutex<Result<TrainingRun.Outcome, any Error>?>(nil)
  let followers = Mutex<[Int: EpisodeLedger]>([:])
  ThreadCommunicator.run(ranks: ranks) { communicator in
    if communicator.rank > 0 {
      do {
        try SelfPlayTeam.follow(communicator) { ledger in
          followers.withLock { $0[communicator.rank] = ledger }
        }
      } catch {
        Issue.record(error)
      }
      return
    }
    let outcome = Result {
      let run =
        directory.exists
        ? try TrainingRun.resume(in: directory, configuration: settings, ranks: communicator)
        : try TrainingRun.start(in: directory, configuration: settings, ranks: communicator)
      return try run.train(logger: silent, evaluate: GreedyEvaluation.play) { report in
        guard report.episodes >= stop else { return }
        if stopper == 0 { run.monitor.requestStop() }
        followers.withLock { $0[stopper] }?.requestStop()
      }
    }
    result.withLock { $0 = outcome }
  }
  return try result.withLock { $0! }.get()
}

/// Everything that a run has learned, as bits.
func learned(in directory: RunDirectory) throws -> [[UInt32]] {
  let saved = try directory.checkpoints.resume()
  let sums = try ["tc.error", "tc.absolute"].map { try #require(saved.state.accumulator($0)) }
  let learning = saved.state.learningWeights.map { [$0] } ?? []
  return ([saved.network.weights] + learning + sums).map(\.bits)
}
