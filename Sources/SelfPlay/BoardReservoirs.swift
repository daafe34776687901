import Configuration
import Game2048
import RandomSources

/// Boards of every kind that has been met, from which restarts are drawn evenly.
///
/// A full reservoir replaces one of its boards at random, so that it holds mostly recent ones.
struct BoardReservoirs: Sendable {
  /// The kinds, ascending.
  private var kinds: [BoardKind] = []
  /// The boards of each kind, in the order of the kinds; there is at least one.
  private(set) var content: [[Board]] = []

  /// Adds a board of a kind.
  mutating func insert(
    _ board: Board, of kind: BoardKind, using source: inout some RandomSource
  ) {
    let place = kinds.firstIndex { $0 >= kind } ?? kinds.count
    guard place < kinds.count, kinds[place] == kind else {
      kinds.insert(kind, at: place)
      content.insert([board], at: place)
      return
    }
    let count = content[place].count
    if count < StartSettings.reservoirCapacity {
      content[place].append(board)
    } else {
      content[place][UniformDistribution(0...(count - 1)).next(using: &source)] = board
    }
  }

  /// Returns a random board of a random kind, each evenly, or nil if there are none.
  func draw(using source: inout some RandomSource) -> Board? {
    guard !kinds.isEmpty else { return nil }
    let kept = content[UniformDistribution(0...(kinds.count - 1)).next(using: &source)]
    return kept[UniformDistribution(0...(kept.count - 1)).next(using: &source)]
  }
}

extension BoardReservoirs {
  /// Restores saved reservoirs, or returns nil if no reservoirs can have this content.
  ///
  /// - Parameters:
  ///   - boards: The boards of each kind, in the order of the kinds.
  ///   - exponent: An exponent that every board has, or a larger one.
  init?(_ boards: [[Board]], exponent: Int) {
    for kept in boards {
      guard let first = kept.first, kept.count <= StartSettings.reservoirCapacity else {
        return nil
      }
      let kind = BoardKind(of: first)
      guard kinds.last.map({ $0 < kind }) ?? true,
        kept.allSatisfy({ BoardKind(of: $0) == kind && $0.largestTileExponent >= exponent })
      else { return nil }
      kinds.append(kind)
    }
    content = boards
  }
}
