import Foundation
import Search
import Synchronization

/// The terminal as the screen of a game, with the keys that every game has.
final class GameTerminal {
  /// Ends the search that is under way when a signal arrives.
  let cancellation: SearchCancellation
  // Created before the terminal is taken over, so that every signal restores it.
  private let watcher: SignalWatcher
  private let terminal: RawTerminal
  private let screen: PlayScreen
  private let fastest: Int
  private var parser = KeyParser()
  /// The keys that were typed while nobody waited for them, and still count.
  private var typed: [Key] = []
  private var isOver = false
  private(set) var pace = 150

  /// Takes over the terminal until it is released.
  ///
  /// - Parameter fastest: the shortest time between two moves, in milliseconds.
  init(boardSize: Int, fastest: Int, color: ColorOptions) {
    let cancellation = SearchCancellation()
    self.cancellation = cancellation
    let first = FirstSignal()
    watcher = SignalWatcher { isFirst in
      if isFirst { first.time.withLock { $0 = .now } }
      cancellation.cancel()
    } mayExit: {
      // A window that is closed may send two signals at once, and the game is kept after the first.
      first.time.withLock { $0.map { $0.duration(to: .now) > .seconds(5) } ?? false }
    }
    terminal = RawTerminal()
    self.fastest = fastest
    screen = PlayScreen(
      depth: ColorDepth(
        environment: ProcessInfo.processInfo.environment, isDisabled: color.noColor),
      boardSize: boardSize)
  }

  /// Draws the screen and returns the keys of this turn; nil to quit.
  ///
  /// - Parameter plays: whether a move follows unless a key is pressed before.
  func keys(_ content: PlayScreen.Content, plays: Bool) -> [Key]? {
    if isOver || SignalWatcher.received != nil { return nil }
    terminal.draw(screen.lines(content, on: TerminalSize.current))
    let wait = typed.isEmpty ? plays ? pace : 200 : 0
    guard let bytes = terminal.readBytes(waiting: wait) else { return nil }
    var keys = typed + parser.parse(bytes)
    typed = []
    if bytes.isEmpty { keys += parser.flush() }
    for (place, key) in keys.enumerated() {
      switch key {
      case .character("q"), .character("\u{4}"):
        isOver = true
        return place == 0 ? nil : Array(keys[..<place])
      case .character("\u{1A}"): terminal.suspend()
      case .character("+"), .character("="): pace = max(fastest, pace / 2)
      case .character("-"): pace = min(3_000, max(10, pace * 2))
      default: break
      }
    }
    return keys
  }

  /// Drops the keys that were typed meanwhile, except those that `isKept` selects for the next turn.
  func dropKeys(except isKept: (Key) -> Bool) {
    typed += parser.parse(terminal.readBytes(waiting: 0) ?? []).filter(isKept)
  }
}

/// The time at which the first ending signal arrived.
private final class FirstSignal: Sendable {
  let time = Mutex<ContinuousClock.Instant?>(nil)
}
