import Configuration
import Game2048

/// The starts of a worker's episodes.
///
/// Late boards are rare: a game that gets far enough spends most of its moves before. Starting within
/// games that have been played gives them a larger share of what is learned.
///
/// Deviations from the sources: the carousel keeps boards by the largest tile that has just appeared,
/// whatever the network's stages, takes them in the order in which they came, and belongs to one
/// worker.
package struct EpisodeStarts: Sendable {
  /// What has to be kept of a worker's starts while it pauses, boards as text.
  package struct State: Codable, Equatable, Sendable {
    var restart: String?
    var turn = 0
    /// For each tile of the carousel the boards kept, oldest first.
    var rings: [[String]] = []
    /// For each tile of the carousel, how many of its boards have been started from.
    var used: [Int] = []
    /// In the middle of an episode whose boards are recorded, its rule, and the boards so far.
    var rule: StartRule?
    var path: [String]?
  }

  private let settings: StartSettings
  /// The boards of the episode at hand before each of its moves, as far as its rule needs them.
  private var path: [Board] = []
  private var rule = StartRule.opening
  private var restart: Board?
  private var turn = 0
  private var rings: [[Board]]
  private var used: [Int]

  /// Starts of a player that has not played.
  package init(_ settings: StartSettings) {
    self.settings = settings
    let tiles = settings.carouselExponents.count
    rings = Array(repeating: [], count: tiles)
    used = Array(repeating: 0, count: tiles)
  }

  /// Starts as they were saved; nil if the state does not belong to these settings, or is not one.
  init?(_ settings: StartSettings, state: State) {
    func boards(_ texts: [String]) -> [Board]? {
      let boards = texts.compactMap { try? Board(text: $0) }
      return boards.count == texts.count ? boards : nil
    }
    let rings = state.rings.compactMap(boards)
    let tiles = settings.carouselExponents.count
    guard rings.count == tiles, state.rings.count == tiles, state.used.count == tiles,
      rings.allSatisfy({ $0.count <= StartSettings.ringCapacity }),
      (0...tiles).contains(state.turn), state.used.allSatisfy({ (0..<1 << 62).contains($0) }),
      let path = boards(state.path ?? []), let restart = boards(state.restart.map { [$0] } ?? [])
    else { return nil }
    self.settings = settings
    self.rings = rings
    self.path = path
    self.restart = restart.first
    turn = state.turn
    used = state.used
    rule = state.rule ?? .opening
  }

  /// What has to be kept.
  package var state: State {
    State(
      restart: restart?.text, turn: turn, rings: rings.map { $0.map(\.text) }, used: used,
      rule: recordsPath ? rule : nil, path: recordsPath ? path.map(\.text) : nil)
  }

  /// Whether the boards of the episode at hand are wanted.
  package var recordsPath: Bool { rule != .opening }

  /// Begins an episode.
  ///
  /// - Returns: the board to play on; nil for the start of the game.
  package mutating func begin(_ rule: StartRule) -> Board? {
    self.rule = rule
    path.removeAll(keepingCapacity: true)
    switch rule {
    case .opening:
      restart = nil
      return nil
    case .restart:
      return restart
    case .carousel:
      restart = nil
      turn = (turn + 1) % (rings.count + 1)
      guard turn > 0, !rings[turn - 1].isEmpty else { return nil }
      defer { used[turn - 1] += 1 }
      return rings[turn - 1][used[turn - 1] % rings[turn - 1].count]
    }
  }

  /// Takes in the next board of the episode, before its move.
  package mutating func observe(_ board: Board) { path.append(board) }

  /// Ends the episode.
  package mutating func finish() {
    defer {
      rule = .opening
      path.removeAll(keepingCapacity: true)
    }
    switch rule {
    case .opening: break
    case .restart:
      // At least a move further, or an episode would start where the one before did for ever.
      let middle = max(1, Int(Double(path.count) * settings.restartShare))
      restart =
        path.count < max(2, settings.shortestPath)
          || path[middle].largestTileExponent < settings.restartExponent ? nil : path[middle]
    case .carousel:
      for (ring, exponent) in settings.carouselExponents.enumerated() {
        // Largest tiles never shrink within an episode; one that was there at first did not appear.
        let place = path.partitioningIndex { $0.largestTileExponent >= exponent }
        guard place > 0, place < path.count else { continue }
        if rings[ring].count == StartSettings.ringCapacity { rings[ring].removeFirst() }
        rings[ring].append(path[place])
      }
    }
  }
}

extension Array {
  /// The first index from which on `belongs` holds, where it holds for all elements after the first.
  fileprivate func partitioningIndex(_ belongs: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
