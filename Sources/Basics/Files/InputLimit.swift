/// The most that a reader accepts of a part of its input.
///
/// Readers check a limit before the work that it bounds. The time and memory for a file therefore follow from
/// its length, and not from what it claims. ``all`` is the only list; the reference page is made of it.
package struct InputLimit: Hashable, Sendable {
  /// The part of the input, such as `a configuration or a plan`.
  package let subject: String
  /// What is counted, in the plural, such as `bytes`.
  package let unit: String
  /// The largest count.
  package let most: Int
  /// What a byte of the file adds to the largest count.
  package let perByte: Int

  private init(_ subject: String, _ most: Int, _ unit: String, perByte: Int = 0) {
    self.subject = subject
    self.most = most
    self.unit = unit
    self.perByte = perByte
  }

  // MARK: Texts

  package static let text = InputLimit("a configuration or a plan", 1 << 20, "bytes")
  package static let boards = InputLimit("a list of boards", 4 << 20, "bytes")
  package static let boardLine = InputLimit("a line in a list of boards", 1_024, "bytes")
  package static let values = InputLimit(
    "a JSON document, or the header of a weight file", 1 << 20, "values")

  // MARK: Plans of sweeps

  package static let variants = InputLimit("a plan", 1_000, "variants")
  package static let seeds = InputLimit("a plan", 1_000, "seeds")
  package static let rungs = InputLimit("a plan", 100, "rungs")
  package static let grid = InputLimit("the settings of all variants of a grid", 1 << 20, "bytes")

  // MARK: Weights and states

  package static let weightHeader = InputLimit("the header of a weight file", 4 << 20, "bytes")
  package static let stateHeader = InputLimit(
    "the header of a state file", 100_000_000, "bytes")
  package static let compactEntries = InputLimit(
    "the tables of a compact model", 1 << 30, "entries", perByte: 4_096)
  package static let patterns = InputLimit("a TDL2048+ file", 1_024, "patterns")
  package static let furtherTables = InputLimit(
    "a pattern of a TDL2048+ file", 64, "further tables")

  // MARK: Runs, sweeps and recorded games

  package static let count = InputLimit(
    "a number of episodes, moves or points in a file", 1 << 53, "")
  package static let countOfEpisode = InputLimit(
    "a number of moves or points of one episode", 1 << 40, "")
  package static let best = InputLimit("`best.json`", 1 << 16, "bytes")
  package static let reports = InputLimit("`metrics.jsonl`", 1 << 32, "bytes")
  package static let savedPlan = InputLimit("`plan.json` of a sweep", 16 << 20, "bytes")
  package static let trials = InputLimit("`trials.jsonl` of a sweep", 1 << 32, "bytes")
  package static let recordingHeader = InputLimit(
    "the header of recorded games", 1 << 20, "bytes")
  package static let gameTable = InputLimit("games of `evaluate --csv`", 1 << 32, "bytes")
  package static let gameTableLine = InputLimit(
    "a line of a file of `evaluate --csv`", 1 << 16, "bytes")
  // The tiles of a board add up to less than 2^18, and every move adds a tile of at least 2.
  package static let recordedGame = InputLimit("a recorded game", 1 << 17, "bytes")

  // MARK: Tables

  package static let tableHeader = InputLimit("the header of an endgame table", 1 << 20, "bytes")
  package static let tables = InputLimit("a directory of endgame tables", 1_000, "tables")

  /// Every limit, in the order of the reference page.
  package static let all = [
    text, values, boards, boardLine, variants, seeds, rungs, grid, weightHeader, stateHeader,
    compactEntries, patterns, furtherTables, count, countOfEpisode, best, reports, savedPlan,
    trials, gameTable, gameTableLine, recordingHeader, recordedGame, tableHeader, tables,
  ]

  // MARK: Checking

  /// The limit in words, such as `1 MiB` or `1,000 variants`.
  package var words: String {
    let number = NumberText.grouped(most)
    let text = unit == "bytes" ? byteText(most) : unit.isEmpty ? number : "\(number) \(unit)"
    return perByte == 0 ? text : "\(text), and \(NumberText.grouped(perByte)) per byte of the file"
  }

  /// Returns whether a count is within the limit of a file of this length, and not negative.
  package func allows(_ count: Int, fileBytes: Int = 0) -> Bool {
    let (share, overflow) = fileBytes.multipliedReportingOverflow(by: perByte)
    let (most, sumOverflow) = most.addingReportingOverflow(share)
    return count >= 0 && (overflow || sumOverflow || count <= most)
  }

  /// Throws unless a count is within the limit. The message names the path and the place.
  package func require(
    _ count: Int, fileBytes: Int = 0, path: String, place: String? = nil
  ) throws(LocatedError) {
    if !allows(count, fileBytes: fileBytes) { throw error(path: path, place: place) }
  }

  /// Returns the error for input beyond the limit.
  package func error(path: String, place: String? = nil) -> LocatedError {
    LocatedError(
      .unsuitableData, path: path, place: place, "exceeds the limit for \(subject): \(words)",
      remedy: "Docs/Reference/Limits.md lists the limits")
  }

  /// The reference page of all limits, in Markdown.
  package static var referencePage: String {
    """
    # Limits

    The most that is read of each kind of input. Generated by `learn2048 reference`; do not edit.

    Input beyond a limit is rejected before it is read, so that no file takes more time and memory than its
    length explains. [HTTP.md](HTTP.md) lists the limits of requests.

    \(markdownTable(["input", "limit"], all.map { [$0.subject, $0.words] }))

    """
  }
}
