import CIntrinsics
import Dispatch
import Game2048
import NTupleNetwork
import Synchronization

// Threads share the work of the first two layers: every spawn after every move of the root is one
// of some dozens of tasks, and a thread takes the next task when it has finished one. Below, they
// share nothing but the table.
//
// Safety: the threads of one search share its memory. (1) Each uses a scratch memory of a different
// number. (2) The table takes relaxed atomic loads and stores from all of them. (3) The stop flag
// is atomic. (4) The calling thread waits for all of them, and only it starts the next move.

extension Expectimax {
  /// Returns whether a limit leaves fewer than `layers` layers below a move of the root.
  ///
  /// One thread searches such a board quickly.
  @inlinable
  func isLimited(_ root: SearchRoot, layers: Int) -> Bool {
    hasLimits
      && (0..<root.active).contains { place in
        let afterstate = root.moves.afterstate(ofMove: root.order[place])
        let empty = rules.cells & ~afterstate.occupied
        return settings.limits.layers(emptyCells: empty.nonzeroBitCount) < layers
      }
  }

  /// Searches the moves of the root on all threads, except those that are given up.
  ///
  /// - Parameters:
  ///   - state: The state of the calling thread; it receives the nodes of all threads.
  ///   - values: Receives the values of the moves whose search was finished.
  /// - Returns: The nanoseconds by which the CPU time of the busiest thread exceeds that of the
  ///   calling thread, whose clock stops while it waits.
  /// - Precondition: No limit holds at a move of the root.
  @inlinable
  func runInParallel(
    _ pass: SearchPass, _ root: SearchRoot, _ state: inout SearchState,
    _ values: inout SIMD4<Double>
  ) -> UInt64 {
    var searched: [Int] = []
    for place in 0..<root.active {
      let move = root.order[place]
      if let value = value(
        ofHopeless: root.moves.afterstate(ofMove: move), below: root.hopelessValue)
      {
        values[move] = rewardWeight * Double(root.moves.rewards[move]) + value
      } else {
        searched.append(move)
      }
    }
    let tasks = SearchTasks(searched, of: root.moves, rules: rules)
    let start = ProcessorTime.ofThread
    let remaining = state.deadline == .max ? .max : state.deadline &- min(state.deadline, start)
    let hopelessValue = root.hopelessValue
    nonisolated(unsafe) let search = self
    let threads = ci_is_forked() ? 1 : settings.threads
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let search = unsafe search
      let began = ProcessorTime.ofThread
      var own = SearchState(
        pass: pass, hopelessValue: hopelessValue, settings: search.settings,
        memory: search.memory, thread: thread,
        deadline: remaining == .max ? .max : began &+ remaining)
      while !own.isStopped, let number = tasks.claim() {
        let task = tasks.list[number]
        let value = search.value(
          ofState: task.board, layers: pass.plies &- (pass.delaysFours && task.isFour ? 2 : 1),
          probability: task.probability, &own)
        if !own.isStopped { tasks.finish(number, value: value) }
      }
      tasks.add(nodes: own.nodes, time: ProcessorTime.ofThread &- began)
    }
    for move in searched {
      guard let value = tasks.value(move: move) else { continue }
      values[move] = rewardWeight * Double(root.moves.rewards[move]) + value
    }
    state.isStopped = memory.isStopped
    state.nodes &+= tasks.nodes
    let used = ProcessorTime.ofThread &- start
    return tasks.longestTime &- min(tasks.longestTime, used)
  }
}

/// The spawns after the moves of a root as tasks, and their values; safe to share between threads.
@usableFromInline
final class SearchTasks: Sendable {
  @usableFromInline let list: [(board: Board, probability: Double, isFour: Bool, move: Int)]
  private let next = Atomic<Int>(0)
  /// The values, the nodes, and the CPU time of the busiest thread in nanoseconds.
  private let results: Mutex<(values: [Double?], nodes: Int, longestTime: UInt64)>

  /// Makes tasks of the spawns after some legal moves.
  @usableFromInline
  init(_ numbers: [Int], of moves: MoveSet, rules: Rules) {
    var list: [(board: Board, probability: Double, isFour: Bool, move: Int)] = []
    for move in numbers {
      let afterstate = moves.afterstate(ofMove: move)
      rules.forEachSpawn(on: afterstate) { board, probability in
        // A 2 is a bit of the lowest plane.
        let isFour = board.planes ^ afterstate.planes > 0xFFFF
        list.append((board, probability, isFour, move))
      }
    }
    self.list = list
    results = Mutex((Array(repeating: nil, count: list.count), 0, 0))
  }

  /// Returns the number of a task that no thread has taken; nil if there is none.
  @usableFromInline
  func claim() -> Int? {
    let number = next.add(1, ordering: .relaxed).oldValue
    return number < list.count ? number : nil
  }

  @usableFromInline
  func finish(_ number: Int, value: Double) {
    results.withLock { $0.values[number] = value }
  }

  @usableFromInline
  func add(nodes: Int, time: UInt64) {
    results.withLock {
      $0.nodes += nodes
      $0.longestTime = max($0.longestTime, time)
    }
  }

  @usableFromInline var nodes: Int { results.withLock { $0.nodes } }
  @usableFromInline var longestTime: UInt64 { results.withLock { $0.longestTime } }

  /// Returns the value of the afterstate of a root's move; nil if one of its tasks is not done.
  ///
  /// The value is rounded as by one thread. If 4s cost a ply, or spawns are cut at the root, one
  /// thread adds in another order.
  @usableFromInline
  func value(move: Int) -> Double? {
    results.withLock { results in
      var sum = 0.0
      for (task, value) in zip(list, results.values) where task.move == move {
        guard let value else { return nil }
        sum += task.probability * value
      }
      return Double(Float(sum))
    }
  }
}
