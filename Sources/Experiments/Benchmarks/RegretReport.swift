import Basics
import Foundation
import Game2048
import Play
import Search
import Synchronization

/// What players lose per move against a reference, which searches much longer. `bench regret --json` prints
/// it as JSON.
///
/// The regret of a move is the reference's value of the best move minus that of the chosen one, in points of
/// the reference's evaluator. A player that always agrees with the reference has no regret.
package struct RegretReport: Sendable {
  /// The results of one player. ``fields`` documents the properties.
  package struct Row: Sendable {
    package let player: String
    package let regret: Double
    package let regretCI95: ConfidenceInterval?
    package let difference: Double?
    package let differenceCI95: ConfidenceInterval?
    package let agreement: Double
    package let milliseconds: Double
  }

  package let reference: String
  package let positions: Int
  package let rows: [Row]

  /// Lets the reference value every move on each position, and the players choose.
  ///
  /// - Parameters:
  ///   - players: The players; differences are to the first one.
  ///   - progress: Called after every position with the number done; never concurrently.
  /// - Precondition: The values of the reference are comparable, there is a network if a player needs one, and at
  ///   least one position. A move is legal in each.
  package init(
    reference: PlayerSpecification, players: [PlayerSpecification], network: TrainedNetwork?,
    states: [Board], threads: Int, progress: @Sendable @escaping (_ done: Int) -> Void
  ) throws {
    precondition(reference.hasComparableValues, "a regret is a difference of values")
    let factory = network?.players ?? PlayerFactory()
    let makers = try ([reference] + players).map { try factory.maker(of: $0, inParallel: threads) }
    let results = Mutex((judged: [Judged?](repeating: nil, count: states.count), done: 0))
    WorkerThreads.run(count: min(threads, states.count)) { thread, threads in
      var judge = makers[0](UInt64(thread))
      var own = makers.dropFirst().map { $0(UInt64(thread)) }
      for place in stride(from: thread, to: states.count, by: threads) {
        let judged = RegretReport.judge(states[place], by: &judge, players: &own)
        results.withLock {
          $0.judged[place] = judged
          $0.done += 1
          progress($0.done)
        }
      }
    }
    let judged = results.withLock { $0.judged.compactMap(\.self) }
    self.reference = reference.description
    positions = judged.count
    let first = judged.map { $0[0].regret }
    rows = players.indices.map { place in
      let regrets = judged.map { $0[place].regret }
      let count = Double(judged.count)
      let differences = place == 0 ? nil : zip(regrets, first).map { $0 - $1 }
      return Row(
        player: players[place].description, regret: regrets.reduce(0, +) / count,
        regretCI95: .mean(of: regrets),
        difference: differences.map { $0.reduce(0, +) / count },
        differenceCI95: differences.flatMap { .mean(of: $0) },
        agreement: Double(regrets.count { $0 == 0 }) / count,
        milliseconds: judged.reduce(0) { $0 + $1[place].milliseconds } / count)
    }
  }

  /// The regret of each player on one position, and the CPU time that it took.
  private typealias Judged = [(regret: Double, milliseconds: Double)]

  private static func judge(
    _ state: Board, by judge: inout any Player, players: inout [any Player]
  ) -> Judged {
    let values = judge.decide(on: state).moves.map { $0.value ?? -.infinity }
    let best = values.max()!
    return players.indices.map { place in
      let start = ProcessorTime.ofThread
      let move = players[place].chooseMove(from: state)
      let milliseconds = Double(ProcessorTime.ofThread - start) * 1e-6
      return (best - values[move!.rawValue], milliseconds)
    }
  }
}

extension RegretReport: Document {
  package static let fields: [Field<RegretReport>] = [
    Field("reference", \.reference, "The PLAYER text of the reference."),
    Field("positions", \.positions, "The number of positions."),
    Field("rows", \.rows),
  ]
}

extension RegretReport.Row: Document {
  package static let fields: [Field<RegretReport.Row>] = [
    Field("player", \.player, "The PLAYER text.").column("player") { $0.player },
    Field("regret", \.regret, unit: "points", "The mean regret per position.")
      .column("regret") { points($0.regret) },
    Field(
      optional: "regretCI95", \.regretCI95, unit: "points",
      "Its 95 % interval, as `[low, high]`; missing for one position."
    ).column("95% interval") { $0.regretCI95?.text(format: "%.2f") },
    Field(
      optional: "difference", \.difference, unit: "points",
      "The mean difference to the first player's regret on the same positions; missing for the first player."
    ).column("difference") { $0.difference.map(points) },
    Field(
      optional: "differenceCI95", \.differenceCI95, unit: "points",
      "Its 95 % interval; missing for one position, and without a difference."
    ).column("95% interval") { $0.differenceCI95?.text(format: "%.2f") },
    Field(
      "agreement", \.agreement,
      "The share of positions on which the player chose the reference's best move, or one of the same value."
    ).column("same move") { NumberText.percent($0.agreement) },
    Field(
      "milliseconds", \.milliseconds, unit: "ms",
      "The mean CPU time per move of the thread that plays; helpers are not counted."
    ).column("ms/move") { String(format: "%.3f", $0.milliseconds) },
  ]

  private static func points(_ value: Double) -> String { String(format: "%.2f", value) }
}
