import Basics
import Foundation
import NTupleNetwork
import Synchronization
import TestSupport
import Testing

@testable import Learning
@testable import Training

func synchronousSettings(threads: Int, method: LearningMethod = .tc) -> TrainingConfiguration {
  var configuration = TrainingConfiguration()
  configuration.patterns = ["0123", "4567", "0145", "1256"]
  configuration.mode = .synchronous
  configuration.lanes = 6
  configuration.roundMoves = 120
  configuration.episodes = 120
  configuration.method = StepSchedule(constant: method)
  configuration.learningRate = StepSchedule(constant: 0.4)
  configuration.returns = .lambda
  configuration.inheritEveryEpisodes = 20
  configuration.starts = StepSchedule(constant: .restart)
  configuration.averagingEveryEpisodes = 30
  configuration.averagingShare = 0.5
  configuration.threads = threads
  configuration.reportEveryEpisodes = 30
  return configuration
}

@Suite struct RanksTests {
  @Test func weightsDoNotDependOnRanksThreadsOrStops() throws {
    let root = try TemporaryDirectory()
    let whole = RunDirectory(path: root.file("whole"))
    #expect(try train(synchronousSettings(threads: 1), in: whole, ranks: 1) == .finished)
    let expected = try learned(in: whole)
    #expect(expected[0].contains { $0 != 0 } && expected[0] != expected[1])

    // Splits into ranks and threads, before and after a stop.
    let splits = [
      [(1, 2), (2, 1)], [(2, 2), (3, 1)], [(3, 2), (4, 1)], [(4, 2), (1, 1)], [(2, 1)], [(4, 1)],
    ]
    for (number, split) in splits.enumerated() {
      let directory = RunDirectory(path: root.file("split\(number)"))
      for (place, (ranks, threads)) in split.enumerated() {
        let isLast = place == split.count - 1
        let outcome = try train(
          synchronousSettings(threads: threads), in: directory, ranks: ranks,
          stopAfter: isLast ? .max : 60)
        #expect(outcome == (isLast ? .finished : .interrupted))
      }
      #expect(try learned(in: directory) == expected, "\(split)")
      #expect(directory.reports.map(\.moves).last == whole.reports.map(\.moves).last)
    }
  }

  @Test func aSignalToAnyRankStopsAll() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    let outcome = try train(
      synchronousSettings(threads: 1), in: directory, ranks: 3, stopAfter: 30, by: 2)
    #expect(outcome == .interrupted)
    #expect(try directory.checkpoints.resume().checkpoint.episodes < 60)
  }

  @Test func lanesOfAllRanksAreSaved() throws {
    let states = Mutex<[Int: SelfPlayState]>([:])
    for ranks in [1, 4] {
      ThreadCommunicator.run(ranks: ranks) { communicator in
        guard communicator.isLeader else {
          do { try SelfPlayTeam.follow(communicator) } catch { Issue.record(error) }
          return
        }
        do {
          let settings = synchronousSettings(threads: 1)
          let team = SelfPlayTeam(
            network: NTupleNetwork(try settings.networkShape()), configuration: settings,
            ranks: communicator)
          team.play(until: 10)
          let state = team.state
          #expect(state.fits(settings))
          states.withLock { $0[ranks] = state }
        } catch {
          Issue.record(error)
        }
      }
    }
    let saved = states.withLock(\.self)
    #expect(saved[1] == saved[4] && saved[1]?.players.count == 6)
  }

  @Test func aMessageOfARoundKeepsEveryBit() throws {
    let shape = NetworkShape(patterns: [try Pattern("0123"), try Pattern("0145")])
    let delta = try PatternDelta(
      pattern: 0, of: shape, keys: [0, 7, 65535], errors: [1.5, .nan, -0.0],
      magnitudes: [2, .infinity, 0])
    let empty = try PatternDelta(pattern: 1, of: shape, keys: [], errors: [], magnitudes: [])
    let results = [
      EpisodeResult(score: 123_456, moves: 4_321, largestExponent: 13, isWholeGame: false),
      EpisodeResult(score: 0, moves: 0, largestExponent: 1),
    ]
    let message = RoundMessage(
      endsPlay: true,
      lanes: [
        RoundMessage.Lane(finished: results, deltas: [delta, empty]),
        RoundMessage.Lane(finished: [], deltas: [empty, empty]),
      ])
    // A message does not name its patterns; their order does.
    let read = try RoundMessage(message.bytes, lanes: 2, shape: shape)
    #expect(read.endsPlay)
    #expect(read.lanes.map(\.finished) == [results, []])
    let first = read.lanes[0].deltas[0]
    #expect(first.keys == delta.keys)
    #expect(first.errors.map(\.bitPattern) == delta.errors.map(\.bitPattern))
    #expect(first.magnitudes.map(\.bitPattern) == delta.magnitudes.map(\.bitPattern))
    #expect(read.lanes.flatMap { $0.deltas.map(\.pattern) } == [0, 1, 0, 1])
  }
}
