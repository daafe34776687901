import Basics
import Foundation

/// The file `metrics.jsonl` of a run: one report per line.
struct MetricsFile {
  let path: String

  /// The file that keeps damaged lines.
  var damagedPath: String {
    (path as NSString).deletingPathExtension + ".damaged.jsonl"
  }

  /// Returns the reports after `episodes` episodes without decoding those before; by default all.
  func reports(after episodes: Int = -1) -> [TrainingReport] {
    guard let data = try? contents() else { return [] }
    var reports: [TrainingReport] = []
    for line in MetricsFile.lines(in: data).reversed() {
      guard let report = MetricsFile.report(line) else { continue }
      if report.episodes <= episodes { break }
      reports.append(report)
    }
    return reports.reversed()
  }

  /// Returns the last `count` reports of about fifty, or all if there are fewer.
  func lastReports(_ count: Int) -> [TrainingReport] {
    guard let file = try? InputFile(path: path) else { return [] }
    // About fifty reports, of which a kill may have cut the last one short.
    let length = min(file.byteCount, 1 << 15)
    guard let tail = try? file.bytes(at: file.byteCount - length, count: length) else { return [] }
    return MetricsFile.lines(in: Data(tail)).reversed().lazy.compactMap(MetricsFile.report)
      .prefix(count).reversed()
  }

  /// Removes the reports after `episodes`, of play that the resumed checkpoint has not seen, and moves
  /// damaged lines to ``damagedPath``.
  ///
  /// - Returns: the number of damaged lines.
  /// - Throws: `LocatedError` if a file cannot be read or written; the reports are then as they were.
  func truncate(after episodes: Int) throws -> Int {
    let exists = FileManager.default.fileExists(atPath: path)
    let text = try exists ? contents() : Data()
    var (kept, damaged) = (Data(), Data())
    var damagedLines = 0
    for line in MetricsFile.lines(in: text) {
      if let report = MetricsFile.report(line) {
        if report.episodes <= episodes { kept += line + [UInt8(ascii: "\n")] }
      } else {
        damaged += line + [UInt8(ascii: "\n")]
        damagedLines += 1
      }
    }
    if damagedLines > 0 { try appendToFile(damaged, at: damagedPath) }
    if kept != text { try writeAtomically(kept, to: path) }
    return damagedLines
  }

  /// Appends complete lines.
  ///
  /// - Throws: ``LocatedError``; nothing is appended then.
  func append(_ lines: Data) throws {
    try appendToFile(lines, at: path)
  }

  /// Flushes the reports to the disk, if there are any.
  ///
  /// - Throws: `LocatedError`.
  func flush() throws {
    if FileManager.default.fileExists(atPath: path) { try flushFile(at: path) }
  }

  private func contents() throws -> Data {
    Data(try InputFile.contents(of: path, limit: .reports))
  }

  private static func lines(in data: Data) -> [Data] {
    data.split(separator: UInt8(ascii: "\n"))
  }

  /// Reads a line; nil if it is damaged, or if no run can have written it.
  private static func report(_ line: Data) -> TrainingReport? {
    guard let report = try? JSONDecoder().decode(TrainingReport.self, from: line), report.isValid
    else { return nil }
    return report
  }
}
