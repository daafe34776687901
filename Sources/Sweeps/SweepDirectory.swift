import Basics
import Checkpoints
import Foundation

/// The directory of a sweep.
///
/// It has `plan.json` (the complete plan), `trials.jsonl` (a line per finished trial), `results.csv` and
/// `results.jsonl` (see ``SweepReport``), `runs/` with a run directory per trial, and a lock.
package struct SweepDirectory: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package var planPath: String { path + "/plan.json" }
  package var trialsPath: String { path + "/trials.jsonl" }
  package var csvPath: String { path + "/results.csv" }
  package var resultsPath: String { path + "/results.jsonl" }
  /// The directory of the runs.
  private var runsPath: String { path + "/runs" }

  /// Whether this is the directory of a sweep.
  package var exists: Bool { FileManager.default.fileExists(atPath: planPath) }

  /// Returns the run directory of a trial, whose name has the variant's number from 1 and the characters of its
  /// name that suit a file.
  package func run(ofVariant index: Int, of plan: SweepPlan, seed: Int) -> RunDirectory {
    let plain = plan.variants[index].name.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "=.-".contains(character))
        ? character : "_"
    }
    let width = String(plan.variants.count).count
    let number = String(index + 1).padded(to: width, with: "0", atEnd: false)
    return RunDirectory(path: "\(runsPath)/\(number)-\(String(plain.prefix(60)))-seed\(seed)")
  }

  /// Reads the plan of the sweep.
  ///
  /// - Throws: ``ConfigurationError`` if it is damaged, or `LocatedError` if it cannot be read.
  package func plan() throws -> SweepPlan {
    try SweepPlanReader.plan(
      Data(try InputFile.contents(of: planPath, limit: .savedPlan)), name: planPath,
      readFile: { _ in nil })
  }

  /// Puts the runs in place that a job had received when it was killed, and removes what was incomplete.
  func recoverRuns() throws {
    for replacement in DirectoryReplacement.unfinished(in: runsPath) { try replacement.recover() }
  }

  /// Reads the finished trials, and checks that they are trials of the plan.
  ///
  /// - Throws: ``LocatedError`` if a line is damaged, or the file cannot be read; the errors of ``plan()``.
  package func results() throws -> [TrialResult] {
    guard FileManager.default.fileExists(atPath: trialsPath) else { return [] }
    var check = TrialCheck(try plan())
    let newline = UInt8(ascii: "\n")
    let text = Data(try InputFile.contents(of: trialsPath, limit: .trials))
    // An incomplete last line is ignored.
    let whole = text.prefix(upTo: text.lastIndex(of: newline) ?? text.startIndex)
    return try whole.split(separator: newline).enumerated().map { number, line in
      guard let result = try? JSONDecoder().decode(TrialResult.self, from: line) else {
        throw damaged(line: number + 1, TrialCheck.notAResult)
      }
      if let found = check.problem(of: result) { throw damaged(line: number + 1, found) }
      return result
    }
  }

  private func damaged(
    line: Int, _ found: (problem: String, remedy: String)
  ) -> LocatedError {
    LocatedError(
      .unsuitableData, path: trialsPath, place: "line \(line)", found.problem,
      remedy: found.remedy)
  }

  /// Writes the finished trials, and the results that follow from them.
  ///
  /// - Throws: ``LocatedError``; each file is then unchanged or complete.
  func write(_ results: [TrialResult], _ report: SweepReport) throws {
    let lines = try results.map { try JSONEncoder.text($0) + "\n" }
    try writeAtomically(lines.joined().utf8, to: trialsPath)
    try writeAtomically(report.csv.utf8, to: csvPath)
    try writeAtomically(try report.jsonLines().utf8, to: resultsPath)
  }
}
