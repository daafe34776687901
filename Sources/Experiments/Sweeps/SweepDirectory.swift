import Basics
import Foundation
import Synchronization
import Training

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

/// A directory for the runs of a rank other than 0, which is removed with the object.
///
/// A process that is killed cannot remove it. So its lock shows that it is in use, and the next job on the machine
/// removes those whose lock is free.
final class TemporaryRuns: Sendable {
  let path: String
  private let lock: DirectoryLock

  private let parent: String
  private let isKept = Atomic(false)

  private static let prefix = "learn2048-sweep-"
  private static let prefixOfKept = "learn2048-kept-"

  /// Creates a directory in `parent`, and removes those that killed processes left there.
  ///
  /// - Throws: ``LocatedError``.
  init(in parent: String) throws {
    TemporaryRuns.removeStale(in: parent)
    self.parent = parent
    while true {
      let path = "\(parent)/\(TemporaryRuns.prefix)\(UUID())"
      try createDirectory(at: path)
      do {
        lock = try DirectoryLock(run: path)
        self.path = path
        return
      } catch {
        // Before the lock, another rank can take the directory for one that was left.
        let isTaken =
          (error as? LocatedError)?.kind == .locked || !FileManager.default.fileExists(atPath: path)
        guard !isTaken else { continue }
        try? FileManager.default.removeItem(atPath: path)
        throw error
      }
    }
  }

  /// Keeps the directory under another name, and returns its path.
  ///
  /// - Throws: An error of renaming it; then it is kept where it is, as long as no other sweep begins on the machine.
  func keep() throws -> String {
    isKept.store(true, ordering: .relaxed)
    let kept = "\(parent)/\(TemporaryRuns.prefixOfKept)\(UUID())"
    try FileManager.default.moveItem(atPath: path, toPath: kept)
    return kept
  }

  deinit {
    if !isKept.load(ordering: .relaxed) { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func removeStale(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      // Others may write to `parent`, too: what is theirs, or a link, is left alone.
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == geteuid(), let lock = try? DirectoryLock(run: path)
      else { continue }
      withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
    }
  }
}
