import Basics
import Dispatch
import Foundation
import Game2048
import Synchronization

/// The games of an arena that the ranks of a job share.
///
/// From time to time, every rank sends the results that it has finished and the number of items that it can
/// take up, and rank 0 deals the next items. A rank that is faster asks for more. Once a rank asks to end, no rank
/// begins another item: each gives back those that wait.
///
/// Thread safety: one thread calls ``run(_:on:items:start:shouldStop:)``; any thread claims and finishes items.
final class GameExchange: Sendable {
  private struct State {
    /// The items of this rank that no thread has claimed.
    var waiting: [Int] = []
    var finished: [Finished] = []
    /// The number of items that threads are playing.
    var playing = 0
    /// The number of items that were given back since the last exchange.
    var returned = 0
  }

  /// What rank 0 orders.
  private struct Deal: Codable {
    /// The items that each rank takes; nil before it has asked for any.
    var items: [[Int]]?
    /// Whether the ranks give back the items that wait.
    var stops = false
  }

  /// What a rank replies after a while.
  private struct Report: Codable {
    /// The number of items that the rank can take.
    var wanted: Int
    /// The number of items that the rank gives back.
    var returned: Int
    var stops: Bool
    /// The moves of the games in progress.
    var moves: Int
    var finished: [Finished]
  }

  /// The result of an item. Its board to play from follows from its number.
  private struct Finished: Codable {
    var item: Int
    var score: Int
    var moves: Int
    var largestExponent: Int
    var seconds: Double
    var record: Data?

    init(_ result: GameResult, item: Int) {
      self.item = item
      (score, moves, largestExponent) = (result.score, result.moves, result.largestExponent)
      seconds = result.seconds
      record = result.record.map { Data($0.bytes) }
    }

    func result(start: Board?) -> GameResult {
      GameResult(
        score: score, moves: moves, largestExponent: largestExponent, seconds: seconds,
        record: record.map { GameRecord(bytes: [UInt8]($0)) }, start: start)
    }
  }

  /// The time between two exchanges. Waiting results are few, and their games are far longer than an exchange.
  private static let interval = 0.05

  private let workers: Int
  private let state = Mutex(State())
  /// Counts the waiting items, and the workers that may end.
  private let available = DispatchSemaphore(value: 0)

  /// - Parameter workers: The number of threads of this rank that play.
  init(workers: Int) { self.workers = workers }

  /// Waits for an item of this rank; returns nil once there are no further ones.
  func claim() -> Int? {
    available.wait()
    return state.withLock { state in
      guard !state.waiting.isEmpty else { return nil }
      state.playing += 1
      return state.waiting.removeFirst()
    }
  }

  /// Notes the result of an item that was claimed.
  func finish(_ result: GameResult, item: Int) {
    state.withLock {
      $0.playing -= 1
      $0.finished.append(Finished(result, item: item))
    }
  }

  /// Exchanges results and deals items until all are finished, or a rank asks to end or has decided the comparison;
  /// then items before a finished one may be missing.
  ///
  /// All ranks call it together, and have all results afterwards.
  ///
  /// - Parameters:
  ///   - start: Returns the board from which an item is played.
  ///   - shouldStop: Whether this rank asks all ranks to end.
  func run(
    _ ranks: any Communicator, on board: Scoreboard, items: Int, start: (Int) -> Board?,
    shouldStop: () -> Bool
  ) {
    func carryOut(_ deal: Deal) -> Report {
      if let items = deal.items {
        take(items[ranks.rank])
        if deal.stops { returnWaiting() }
        Thread.sleep(forTimeInterval: GameExchange.interval)
      }
      return report(
        moves: board.underWay.prefix(workers).reduce(0) { $0 + $1.value },
        stops: shouldStop() || board.hasDecided)
    }
    func note(_ reports: [Report]) {
      for result in reports.flatMap(\.finished) {
        board.record(result.result(start: start(result.item)), item: result.item)
      }
      let others = reports.enumerated().filter { $0.offset != ranks.rank }
      board.underWay[workers].set(others.reduce(0) { $0 + $1.element.moves })
    }

    if ranks.isLeader {
      let loop = RankLoop<Deal, Report>(leading: ranks)
      // Of the items before `next`, `open` have been dealt and not finished, and the others were finished earlier.
      var (next, open) = (0, 0)
      var deal = Deal()
      repeat {
        let reports = loop.tell(deal) { carryOut(deal) }
        note(reports)
        open -= reports.reduce(0) { $0 + $1.finished.count + $1.returned }
        deal.stops = deal.stops || reports.contains(where: \.stops)
        deal.items = reports.map { report in
          var taken: [Int] = []
          while !deal.stops, next < items, taken.count < report.wanted {
            if board.isOpen(next) { taken.append(next) }
            next += 1
          }
          open += taken.count
          return taken
        }
      } while open > 0 || (!deal.stops && next < items)
    } else {
      // What ranks reply to a deal cannot fail.
      try! RankLoop<Deal, Report>.follow(ranks, carryOut, onReplies: note)
    }
    for _ in 0..<workers { available.signal() }
  }

  private func take(_ items: [Int]) {
    state.withLock { $0.waiting += items }
    for _ in items { available.signal() }
  }

  /// Gives back the items that no thread has claimed. A thread that waited for one of them ends.
  private func returnWaiting() {
    state.withLock { state in
      state.returned += state.waiting.count
      state.waiting = []
    }
  }

  /// Returns what has happened on this rank since the last report.
  private func report(moves: Int, stops: Bool) -> Report {
    state.withLock { state in
      // Enough for this interval and the next, if the games stay as long as they were.
      let idle = workers - state.playing
      let wanted = max(0, idle + 2 * state.finished.count - state.waiting.count)
      defer { (state.finished, state.returned) = ([], 0) }
      return Report(
        wanted: wanted, returned: state.returned, stops: stops, moves: moves,
        finished: state.finished)
    }
  }
}
