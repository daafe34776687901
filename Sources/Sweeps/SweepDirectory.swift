import Basics
import Checkpoints
import Foundation

/// The files of a sweep.
///
/// `plan.json` (all that decides it), `trials.jsonl` (a line for every trial that is done), `results.csv`
/// and `results.jsonl` (see ``SweepReport``), `runs/` with a run directory for every trial, and a lock.
package struct SweepDirectory: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package var planPath: String { path + "/plan.json" }
  package var trialsPath: String { path + "/trials.jsonl" }
  package var csvPath: String { path + "/results.csv" }
  package var resultsPath: String { path + "/results.jsonl" }

  /// Whether there is a sweep at this path.
  package var exists: Bool { FileManager.default.fileExists(atPath: planPath) }

  /// The run of a trial, whose name has the variant's number, counted from 1, and what of its name suits
  /// a file.
  package func run(ofVariant index: Int, of plan: SweepPlan, seed: Int) -> RunDirectory {
    let plain = plan.variants[index].name.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "=.-".contains(character))
        ? character : "_"
    }
    let width = String(plan.variants.count).count
    let digits = String(index + 1)
    let number = String(repeating: "0", count: width - digits.count) + digits
    return RunDirectory(path: "\(path)/runs/\(number)-\(String(plain.prefix(60)))-seed\(seed)")
  }

  /// The plan that the sweep began with.
  ///
  /// - Throws: ``ConfigurationError`` if it is damaged, or the error of reading it.
  package func plan() throws -> SweepPlan {
    try SweepPlanReader.plan(
      try Data(contentsOf: URL(fileURLWithPath: planPath)), name: planPath, readFile: { _ in nil })
  }

  /// The trials that are done.
  ///
  /// - Throws: ``LocatedError`` if a line is damaged, or the error of reading the file.
  package func results() throws -> [TrialResult] {
    guard FileManager.default.fileExists(atPath: trialsPath) else { return [] }
    let newline = UInt8(ascii: "\n")
    let text = try Data(contentsOf: URL(fileURLWithPath: trialsPath))
    // A last line that was cut short is none.
    let whole = text.prefix(upTo: text.lastIndex(of: newline) ?? text.startIndex)
    return try whole.split(separator: newline).enumerated().map { number, line in
      guard let result = try? JSONDecoder().decode(TrialResult.self, from: line) else {
        throw LocatedError(
          .unsuitableData, path: trialsPath, place: "line \(number + 1)", "is no result of a trial",
          remedy: "remove the line, and that trial is done again")
      }
      return result
    }
  }

  /// Writes all trials that are done, and what follows from them.
  ///
  /// - Throws: ``LocatedError``; the files are then as they were, or newer.
  func write(_ results: [TrialResult], _ report: SweepReport) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try results.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
    try writeAtomically(lines.joined().utf8, to: trialsPath)
    try writeAtomically(report.csv.utf8, to: csvPath)
    try writeAtomically(try report.jsonLines().utf8, to: resultsPath)
  }
}
