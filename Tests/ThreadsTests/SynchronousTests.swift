import Foundation
import Game2048
import Logging
import NTupleNetwork
import Play
import TestSupport
import Testing

@testable import Learning
@testable import Training

/// Lanes of a few dozen moves per round, so that many episodes span several rounds.
private func configuration(
  method: LearningMethod = .tc, threads: Int = 1, episodes: Int = 200
) -> TrainingConfiguration {
  var configuration = TrainingConfiguration()
  configuration.patterns = ["0123", "4567", "0145", "1256"]
  configuration.mode = .synchronous
  configuration.lanes = 5
  configuration.roundMoves = 120
  configuration.episodes = episodes
  configuration.method = StepSchedule(constant: method)
  configuration.learningRate = StepSchedule(steps: [
    .init(from: 0, value: 0.4), .init(from: 0.5, value: 0.2),
  ])!
  configuration.returns = .lambda
  configuration.threads = threads
  configuration.reportEveryEpisodes = 50
  return configuration
}

/// A team with a separate network, and everything that it has learned.
private struct Learner {
  let network: NTupleNetwork
  let team: SelfPlayTeam

  init(_ configuration: TrainingConfiguration) throws {
    network = NTupleNetwork(try configuration.networkShape())
    team = SelfPlayTeam(network: network, configuration: configuration)
  }

  /// Continues from the saved state of `other`.
  init(resuming other: Learner, _ configuration: TrainingConfiguration) throws {
    network = NTupleNetwork(other.network.shape)
    network.weights.copy(from: other.network.weights)
    let accumulators = Accumulators(network.shape, for: configuration.methods)
    for (name, table) in accumulators.tables {
      table.copy(from: other.team.accumulators[name])
    }
    let saved = try JSONEncoder().encode(other.team.state)
    let state = try JSONDecoder().decode(SelfPlayState.self, from: saved)
    #expect(state == other.team.state && state.fits(configuration))
    let played = other.team.ledger.snapshot
    team = SelfPlayTeam(
      network: network, accumulators: accumulators, configuration: configuration,
      ledger: EpisodeLedger(
        episodes: played.episodes, moves: played.moves, sinceReport: played.sinceReport),
      state: state)
  }

  /// Returns the bits of the weights and of all accumulators.
  var tensors: [[UInt32]] {
    let sums = team.accumulators.tables.sorted { $0.key < $1.key }.map(\.value)
    return ([network.weights] + sums).map(\.bits)
  }
}

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

@Suite struct SynchronousTests {
  // Promise: A resumed run ends in the same weights
  @Test(arguments: LearningMethod.allCases)
  func weightsDoNotDependOnThreads(method: LearningMethod) throws {
    let learned = try [1, 2, 4].map { threads in
      let learner = try Learner(configuration(method: method, threads: threads))
      learner.team.play(until: 200)
      #expect(learner.team.ledger.snapshot.episodes == 200)
      return learner
    }
    #expect(learned[0].tensors.count == (method == .tc ? 3 : 1))
    #expect(learned[0].tensors[0].contains { $0 != 0 })
    for other in learned[1...] {
      #expect(other.tensors == learned[0].tensors)
      #expect(other.team.state == learned[0].team.state)
      #expect(other.team.ledger.snapshot.sinceReport == learned[0].team.ledger.snapshot.sinceReport)
    }
    var settings = configuration(method: method)
    settings.seed = 2
    let different = try Learner(settings)
    different.team.play(until: 200)
    #expect(different.tensors != learned[0].tensors)
  }

  // Promise: A resumed run ends in the same weights
  @Test(arguments: RandomSourceKind.allCases)
  func anInterruptionAfterAnyRoundChangesNothing(source: RandomSourceKind) throws {
    var settings = configuration()
    settings.randomSource = source
    let whole = try Learner(settings)
    whole.team.play(until: 200)

    // Seven single rounds, each as in a new process, with games in progress at their ends.
    var parts = try Learner(settings)
    for round in 0..<7 {
      parts.team.play(until: 200, deadline: .now)
      settings.threads = 1 + round % 3
      parts = try Learner(resuming: parts, settings)
    }
    let state = parts.team.state
    #expect(state.players.contains { $0.moves > 0 && !$0.waiting.planes.isEmpty })
    parts.team.play(until: 200)
    #expect(parts.tensors == whole.tensors)
    #expect(parts.team.state == whole.team.state)
    #expect(parts.team.ledger.snapshot.sinceReport == whole.team.ledger.snapshot.sinceReport)
  }

  @Test(arguments: [StartRule.restart, .carousel], StageKind.allCases)
  func stagesAndStartsCombineWithRounds(start: StartRule, stages: StageKind) throws {
    var settings = configuration()
    settings.starts = StepSchedule(constant: start)
    settings.carouselTiles = [64, 128]
    settings.stages = stages
    settings.stageTiles = stages == .none ? [] : [64, 256]
    let whole = try Learner(settings)
    whole.team.play(until: 200)
    settings.threads = 2
    var parts = try Learner(settings)
    for episodes in [20, 60, 120] {
      parts.team.play(until: episodes)
      // This stops in the middle of other episodes.
      parts.team.play(until: 200, deadline: .now)
      parts = try Learner(resuming: parts, settings)
    }
    #expect(parts.team.state.players.contains { !($0.starts.path ?? []).isEmpty })
    parts.team.play(until: 200)
    #expect(parts.tensors == whole.tensors)
    #expect(parts.team.state == whole.team.state)
    let statistics = whole.team.ledger.snapshot.sinceReport
    #expect(statistics.games > 0 && statistics.games < statistics.episodes)
    // A later stage learns in separate tables.
    let first = whole.network.shape.stageStorageCount
    let learnsLater = whole.tensors[0].dropFirst(first).contains { $0 != 0 }
    #expect(learnsLater == (stages != .none))
  }

  @Test func aLimitOfMovesIsOneOfRounds() throws {
    let whole = try Learner(configuration())
    whole.team.play(until: 200)
    let parts = try Learner(configuration(threads: 2))
    for moves in [500, 501, 4_000] {
      parts.team.play(until: 200, moveLimit: moves)
      #expect(parts.team.ledger.snapshot.moves >= moves)
    }
    #expect(parts.team.ledger.snapshot.episodes < 200)
    parts.team.play(until: 200)
    #expect(parts.tensors == whole.tensors)
  }

  @Test func movesOfGamesInProgressAreMovesMade() throws {
    let learner = try Learner(configuration(threads: 2))
    // 24 moves per lane end no game.
    learner.team.play(until: 200, deadline: .now)
    #expect(learner.team.movesMade == 120 && learner.team.ledger.snapshot.moves == 0)
    learner.team.play(until: 200)
    let inProgress = learner.team.state.players.reduce(0) { $0 + $1.moves }
    let uncounted = learner.team.state.uncounted.reduce(0) { $0 + $1.moves }
    #expect(
      learner.team.movesMade == learner.team.ledger.snapshot.moves + uncounted + inProgress)
    // The other mode has no games in progress.
    var settings = configuration()
    settings.mode = .asynchronous
    let other = try Learner(settings)
    other.team.play(until: 20)
    #expect(other.team.movesMade == other.team.ledger.snapshot.moves && other.team.movesMade > 0)
  }

  @Test func barriersChangeNothing() throws {
    let whole = try Learner(configuration())
    whole.team.play(until: 200)
    let parts = try Learner(configuration())
    for episodes in [1, 2, 3, 50, 51, 120, 199, 200] {
      parts.team.play(until: episodes)
      #expect(parts.team.ledger.snapshot.episodes == episodes)
    }
    #expect(parts.tensors == whole.tensors)
  }

  @Test func aRunThatIsStoppedAndGrownEndsAsOneThatIsNot() throws {
    let root = try TemporaryDirectory()
    var settings = configuration()
    settings.learningRate = StepSchedule(constant: 0.3)
    var reports: [[TrainingReport]] = []
    for name in ["whole", "parts"] {
      let directory = RunDirectory(path: root.file(name))
      settings.episodes = name == "whole" ? 200 : 110
      var run: TrainingRun? = try TrainingRun.start(in: directory, configuration: settings)
      for stop in name == "whole" ? [200] : [100, 110, 200] {
        settings.episodes = max(settings.episodes, stop)
        // Saving is due by time: at first after every round.
        settings.checkpointEverySeconds = stop == 110 ? 1e-9 : 0
        if run == nil {
          settings.threads = 3
          run = try TrainingRun.resume(in: directory, configuration: settings)
        }
        let monitor = run!.monitor
        let outcome = try run!.train(logger: silent, evaluate: GreedyEvaluation.play) { report in
          if report.episodes == stop, stop < settings.episodes { monitor.requestStop() }
        }
        #expect(outcome == (stop < settings.episodes ? .interrupted : .finished))
        run = nil
      }
      reports.append(directory.reports)
    }
    let saved = try ["whole", "parts"].map { name in
      try RunDirectory(path: root.file(name)).checkpoints.resume()
    }
    #expect(
      TestNetworks.weights(of: saved[0].network) == TestNetworks.weights(of: saved[1].network))
    for sums in ["tc.error", "tc.absolute"] {
      let values = try saved.map { saved in
        try #require(saved.state.accumulator(sums)).bits
      }
      #expect(values[0] == values[1])
    }
    #expect(reports[0].map(\.episodes) == [50, 100, 150, 200])
    #expect(reports[1].map(\.episodes) == [50, 100, 110, 150, 200])
    #expect(reports[0].last?.moves == reports[1].last?.moves)
  }

  @Test(arguments: ReturnKind.allCases)
  func aLaneWithBatchesOfOneLearnsWhatAWorkerDoes(returns: ReturnKind) throws {
    // Through the first episode, both update after each move with the same rows. (After that, the
    // lane chooses the first move of an episode before the end of the last one is learned from.)
    let weights = try LearningMode.allCases.map { mode in
      var settings = configuration(method: .td)
      settings.mode = mode
      settings.lanes = 1
      settings.batchSize = 1
      settings.roundMoves = 1
      settings.returns = returns
      let learner = try Learner(settings)
      learner.team.play(until: 1)
      return TestNetworks.weights(of: learner.network)
    }
    let largest = weights[0].map(abs).max()!
    let difference = zip(weights[0], weights[1]).map { abs($0 - $1) }.max()!
    #expect(largest > 0 && difference < 1e-5 * largest)
  }

  @Test func lanesLearn() throws {
    let learner = try Learner(configuration(threads: 2, episodes: 500))
    learner.team.play(until: 100)
    let early = learner.team.ledger.snapshot.sinceReport.meanScore
    learner.team.play(until: 400)
    learner.team.ledger.beginReport()
    learner.team.play(until: 500)
    #expect(learner.team.ledger.snapshot.sinceReport.meanScore > 2 * early)
  }

  @Test(.enabled(if: Counters.areAvailable), arguments: LearningMethod.allCases)
  func roundsAllocateNothing(method: LearningMethod) throws {
    let learner = try Learner(configuration(method: method, episodes: 10_000))
    learner.team.play(until: 100)
    func allocations(until episodes: Int) -> Int {
      Counters.of { learner.team.play(until: episodes) }.allocations
    }
    // Threads are started once, whatever the number of rounds.
    let (short, long) = (allocations(until: 130), allocations(until: 500))
    #expect(long <= short)
  }

  @Test func aStateOfImpossibleEpisodesDoesNotFit() throws {
    let settings = configuration()
    let learner = try Learner(settings)
    learner.team.play(until: 10)
    var state = learner.team.state
    #expect(state.fits(settings))
    state.uncounted = [EpisodeResult(score: 0, moves: 1, largestExponent: 99)]
    #expect(!state.fits(settings))
    state.uncounted = []
    let score = state.players[0].score
    state.players[0].score = .max
    #expect(!state.fits(settings))
    state.players[0].score = score
    state.players[1].source = [0, 0, 0, 0]
    #expect(!state.fits(settings))
  }

  @Test(
    arguments: [
      ("learning.lanes=6", "learning.roundMoves = 256 cannot be shared by learning.lanes = 6"),
      ("starts.rule=carousel starts.carouselTiles=[]", "carousel needs starts.carouselTiles"),
      (
        "starts.rule=restart learning.lanes=128",
        "learning.lanes = 128: with these starts, at most 93"
      ),
      ("limit.seconds=1.5", "learning.mode = synchronous and limit.seconds do not go together"),
    ])
  func combinationsThatCannotBe(setting: String, expected: String) throws {
    var reader = ConfigurationReader()
    let settings = setting.split(separator: " ").map(String.init)
    for setting in ["network.patterns=4x6", "learning.mode=synchronous"] + settings {
      reader.set(setting)
    }
    #expect {
      try reader.finished()
    } throws: { error in
      "\(error)".contains(expected)
    }
  }
}
