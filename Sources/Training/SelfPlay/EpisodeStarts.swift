import Basics
import Game2048

/// The starts of a worker's episodes.
///
/// Late boards are rare, because every game spends most of its moves before them. Episodes that start
/// within games give late boards a larger share of training.
///
/// Deviations from the sources: the carousel selects boards by the largest tile that has just appeared,
/// independently of the network's stages. It uses them in the order in which they came, and each worker
/// has a separate one.
package struct EpisodeStarts: Sendable {
  /// The state of a worker's starts that a run saves, with boards as text.
  package struct State: Codable, Equatable, Sendable {
    /// The board for the next restart.
    var restart: String?
    /// The turn of the carousel: 0 for the start of the game, or 1 more than the index of a tile.
    var turn = 0
    /// The boards kept for each tile of the carousel, oldest first.
    var rings: [[String]] = []
    /// The index of the next board of each tile of the carousel. In states of earlier versions, it is the number of
    /// episodes that started from boards of the tile, which can be larger.
    var used: [Int] = []
    /// The start rule of an episode in progress whose boards are recorded.
    var rule: StartRule?
    /// The boards of that episode so far.
    var path: [String]?
  }

  private let settings: StartSettings
  /// The boards of the current episode before each of its moves, if its rule needs them.
  private var path: [Board] = []
  private var rule = StartRule.opening
  private var restart: Board?
  private var turn = 0
  private var rings: [[Board]]
  /// The index of the next board of each ring. After the newest board it is the number of boards, and the next one
  /// is then the oldest, unless a newer one comes first.
  private var next: [Int]

  /// Creates the starts of a new player.
  package init(_ settings: StartSettings) {
    self.settings = settings
    let tiles = settings.carouselExponents.count
    rings = Array(repeating: [], count: tiles)
    next = Array(repeating: 0, count: tiles)
  }

  /// Restores saved starts, or returns nil if the state is not valid for these settings.
  init?(_ settings: StartSettings, state: State) {
    func boards(_ texts: [String]) -> [Board]? {
      let boards = texts.compactMap { try? Board(text: $0) }
      return boards.count == texts.count ? boards : nil
    }
    let tiles = settings.carouselExponents.count
    // Counted before they are read.
    guard state.rings.count == tiles, state.used.count == tiles,
      state.rings.allSatisfy({ $0.count <= StartSettings.ringCapacity }),
      InputLimit.recordedGame.allows(state.path?.count ?? 0)
    else { return nil }
    let rings = state.rings.compactMap(boards)
    guard rings.count == tiles, (0...tiles).contains(state.turn),
      state.used.allSatisfy({ InputLimit.count.allows($0) }),
      let path = boards(state.path ?? []), let restart = boards(state.restart.map { [$0] } ?? [])
    else { return nil }
    self.settings = settings
    self.rings = rings
    self.path = path
    self.restart = restart.first
    turn = state.turn
    next = zip(state.used, rings).map { used, ring in
      used <= ring.count ? used : used % max(1, ring.count)
    }
    rule = state.rule ?? .opening
  }

  /// The state to save.
  package var state: State {
    State(
      restart: restart?.text, turn: turn, rings: rings.map { $0.map(\.text) }, used: next,
      rule: recordsPath ? rule : nil, path: recordsPath ? path.map(\.text) : nil)
  }

  /// Whether the rule of the current episode needs its boards.
  package var recordsPath: Bool { rule != .opening }

  /// Begins an episode.
  ///
  /// - Returns: The board to play on, or nil for the start of the game.
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
      return takeBoard(ofRing: turn - 1)
    }
  }

  /// Returns the next board of a ring, which has boards.
  private mutating func takeBoard(ofRing ring: Int) -> Board {
    if next[ring] == rings[ring].count { next[ring] = 0 }
    defer { next[ring] += 1 }
    return rings[ring][next[ring]]
  }

  /// Records a board of the episode, before its move.
  package mutating func observe(_ board: Board) { path.append(board) }

  /// Ends the episode, and keeps the boards that later episodes can start from.
  package mutating func finish() {
    defer {
      rule = .opening
      path.removeAll(keepingCapacity: true)
    }
    switch rule {
    case .opening: break
    case .restart:
      // At least one move further, so that not all later episodes start from the same board.
      let middle = max(1, Int(Double(path.count) * settings.restartShare))
      restart =
        path.count < max(2, settings.shortestPath)
          || path[middle].largestTileExponent < settings.restartExponent ? nil : path[middle]
    case .carousel:
      for (ring, exponent) in settings.carouselExponents.enumerated() {
        // The largest tile never shrinks within an episode. A tile of the first board did not appear in
        // the episode.
        let place = path.partitioningIndex { $0.largestTileExponent >= exponent }
        guard place > 0, place < path.count else { continue }
        if rings[ring].count == StartSettings.ringCapacity {
          rings[ring].removeFirst()
          next[ring] = max(0, next[ring] - 1)
        }
        rings[ring].append(path[place])
      }
    }
  }
}

extension Array {
  /// Returns the first index for which `belongs` holds, given that it also holds for all later ones.
  fileprivate func partitioningIndex(_ belongs: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
