import Evaluators
import Search

extension PlayerOption {
  /// The reference of players, evaluators and options as Markdown, without a title of the page.
  package static var markdown: String {
    """
    A PLAYER is a name, or a name and options: `learned`, `heuristic:depth=2`, \
    `expectimax:evaluator=snakeLinear,time=10`. Options follow a colon, separated by commas. Their order \
    does not matter, and an option can be given once.

    Counts can be written as `20000`, `20_000` or `2e4`.

    | player | plays | options |
    |---|---|---|
    \(PlayerKind.allCases.map(row).joined(separator: "\n"))

    ## Models

    The value of `model` is a MODEL:

    | MODEL | network |
    |---|---|
    | `RUN` | the best checkpoint of the run, or its latest one if it has no evaluations |
    | `RUN@latest` | its latest checkpoint |
    | `RUN@EPISODES` | the checkpoint after this number of episodes |
    | `FILE` | a weight file: `.safetensors`, `.compact`, or `.w` of TDL2048+ |

    A name without a slash is looked up in `Models/` first. A MODEL in a PLAYER text cannot contain a comma.

    ## Searches

    `expectimax`, `heuristic` and `learned` search with expectimax. A search of 1 ply is greedy: it \
    compares the moves by weighted reward plus value. `evaluate`, `play` and `analyze` take the options of \
    the table, except `evaluator` and `model`, for their models, too: `depth` is `--depth` there, and \
    `threads` is `--search-threads`.

    \(table([.evaluator, .model] + ofSearches))

    With `time` or `nodes`, the search deepens until the budget is used up. With several threads, the time \
    applies to the busiest one.

    Without `probability` and without a budget, neither the table nor the number of threads changes a \
    value. With `probability`, remembered values count if they were cut at up to 16 times that \
    probability.

    With `downgrade`, values are those of the downgraded board.

    By default, the size of the transposition table is:

    | search | table |
    |---|---|
    \(tableSizes.joined(separator: "\n"))

    These options exclude each other:

    \(list(PlayerConflict.ofSearches))

    ## Evaluators

    An evaluator values the board after a move. In the formulas, v is a tile and e its exponent. On a \
    board smaller than 4x4, the other cells count as empty.

    | evaluator | value |
    |---|---|
    \(EvaluatorName.allCases.map { "| `\($0.rawValue)` | \($0.formula) |" }.joined(separator: "\n"))

    Hand-tuned evaluators do not count rewards. The value of a network is the points still to come, and \
    a search adds the rewards of its moves.

    ## Monte Carlo

    `montecarlo` simulates games from every legal move and plays the move with the highest mean value. \
    The games of all moves draw the same random numbers.

    \(table(PlayerKind.monteCarlo.options))

    A simulated game that runs to its end is worth its points. One that ends after `depth` plies is worth \
    the value of its last board, plus its points if the evaluator counts rewards.

    These options exclude each other:

    \(list(PlayerConflict.ofMonteCarlo))
    """
  }

  private static func row(_ kind: PlayerKind) -> String {
    let options = kind.options.map { "`\($0.key)`" }.joined(separator: ", ")
    return "| `\(kind.name)` | \(kind.summary) | \(options.isEmpty ? "none" : options) |"
  }

  private static func table(_ options: [PlayerOption]) -> String {
    let rows = options.map { option in
      let players =
        option.kinds == PlayerKind.searching || option.kinds == [.monteCarlo]
        ? "" : " (" + option.kinds.map(\.name).joined(separator: ", ") + ")"
      let isEvaluator = option.allowed.count == EvaluatorName.allCases.count
      let allowed = isEvaluator ? "an evaluator" : option.allowed.joined(separator: ", ")
      return
        "| `\(option.key)`\(players) | \(option.defaultText) | \(allowed) | \(option.meaning) |"
    }
    return (["| option | default | allowed | meaning |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }

  private static var tableSizes: [String] {
    func row(_ name: String, _ settings: SearchSettings) -> String {
      "| \(name) | \(settings.tableSize == 0 ? "none" : sizeText(settings.tableSize)) |"
    }
    var budget = SearchSettings(depth: .plies(1))
    budget.milliseconds = 1
    return SearchDepth.range.map { row("`depth=\($0)`", SearchSettings(depth: .plies($0))) } + [
      row("`depth=auto`", SearchSettings(depth: .auto)), row("`time` or `nodes`", budget),
    ]
  }

  private static func list(_ conflicts: [PlayerConflict]) -> String {
    conflicts.map { conflict in
      let excluded = conflict.excluded.map { "`\($0.text)`" }.joined(separator: ", ")
      return "- `\(conflict.choice.text)` and \(excluded): \(conflict.reason)."
    }
    .joined(separator: "\n")
  }
}
