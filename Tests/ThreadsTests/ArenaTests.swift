import Game2048
import Synchronization
import Testing

@testable import Basics
@testable import Play

private func contestant(_ text: String, rules: Rules = .standard) throws -> Contestant {
  try PlayerFactory(rules: rules).contestant(PlayerSpecification(text), inParallel: 1)
}

extension ArenaResult {
  /// The results without their durations, which differ from run to run.
  fileprivate var outcomes: [[GameResult]] {
    results.map { games in
      games.map { game in
        var game = game
        game.seconds = 0
        return game
      }
    }
  }
}

@Test func resultsDoNotDependOnThreads() throws {
  let contestants = try ["random", "greedy", "rules"].map { try contestant($0) }
  func run(_ threads: Int) -> ArenaResult {
    Arena.run(contestants: contestants, games: 40, seed: 11, threads: threads)
  }
  let one = run(1)
  #expect(one.games == 40)
  #expect(one.contestants == ["random", "greedy", "rules"])
  #expect(Set(one.outcomes.joined()).count > 110)
  #expect(run(2).outcomes == one.outcomes)
  #expect(run(3).outcomes == one.outcomes)
  let other = Arena.run(contestants: contestants, games: 40, seed: 12, threads: 1)
  #expect(other.outcomes != one.outcomes)
}

@Test func searchesDoNotDependOnThreadsEither() throws {
  // Games do not share tables, scratch memory or random sources.
  let rules = Rules(size: 3)
  let contestants = try [
    "expectimax:depth=2", "heuristic:depth=4,probability=0.02,table=4K", "heuristic:nodes=300",
    "montecarlo:simulations=5",
  ].map { try contestant($0, rules: rules) }
  func run(_ threads: Int) -> [[GameResult]] {
    Arena.run(contestants: contestants, games: 12, seed: 4, threads: threads, rules: rules).outcomes
  }
  let one = run(1)
  #expect(run(2) == one)
  #expect(run(3) == one)
}

@Test(arguments: 1...4)
func threadsRunSideBySide(count: Int) {
  // Every player waits for all others, so this ends only if all run concurrently.
  let arrived = Atomic<Int>(0)
  let sum = Atomic<Int>(0)
  WorkerThreads.run(count: count) { index, threads in
    #expect(threads == count)
    arrived.add(1, ordering: .sequentiallyConsistent)
    while arrived.load(ordering: .sequentiallyConsistent) < count {}
    sum.add(index + 1, ordering: .relaxed)
  }
  #expect(sum.load(ordering: .relaxed) == count * (count + 1) / 2)
}
