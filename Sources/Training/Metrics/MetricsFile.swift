import Basics
import Foundation

/// `metrics.jsonl` of a run: one report a line.
struct MetricsFile {
  let path: String

  /// The reports after so many episodes, without decoding those before; by default all.
  func reports(after episodes: Int = -1) -> [TrainingReport] {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return [] }
    var reports: [TrainingReport] = []
    for line in MetricsFile.lines(in: data).reversed() {
      guard let report = MetricsFile.report(line) else { continue }
      if report.episodes <= episodes { break }
      reports.append(report)
    }
    return reports.reversed()
  }

  /// The last report.
  func lastReport() -> TrainingReport? {
    guard let handle = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else {
      return nil
    }
    defer { try? handle.close() }
    // Some fifty reports long, so that one is whole even if a kill has cut the last one short.
    let length: UInt64 = 1 << 15
    guard let end = try? handle.seekToEnd(),
      (try? handle.seek(toOffset: end - min(end, length))) != nil,
      let tail = try? handle.readToEnd()
    else { return nil }
    return MetricsFile.lines(in: tail).reversed().lazy.compactMap(MetricsFile.report).first
  }

  /// Drops the reports after `episodes`: they are of play that the resumed checkpoint has not seen.
  ///
  /// - Throws: the error of reading or writing the file, which is then as it was.
  func truncate(after episodes: Int) throws {
    let kept = try reportLines().filter { $0.report.episodes <= episodes }
    try writeAtomically(kept.map { $0.text + [UInt8(ascii: "\n")] }.joined(), to: path)
  }

  /// Appends whole lines.
  func append(_ lines: Data) throws {
    try appendToFile(lines, at: path)
  }

  /// The lines that are reports; one that a kill has cut short is none.
  private func reportLines() throws -> [(text: Data, report: TrainingReport)] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return MetricsFile.lines(in: try Data(contentsOf: URL(fileURLWithPath: path))).compactMap {
      text in
      MetricsFile.report(text).map { (text: text, report: $0) }
    }
  }

  private static func lines(in data: Data) -> [Data] {
    data.split(separator: UInt8(ascii: "\n"))
  }

  private static func report(_ line: Data) -> TrainingReport? {
    try? JSONDecoder().decode(TrainingReport.self, from: line)
  }
}

extension TrainingReport {
  /// The report as one line of JSON, with its newline.
  public static func line(_ report: TrainingReport) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
  }
}

/// Appends to a file, which is made if it is not there.
func appendToFile(_ data: Data, at path: String) throws {
  if !FileManager.default.fileExists(atPath: path) {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
  }
  let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  defer { try? handle.close() }
  let end = try handle.seekToEnd()
  do {
    try handle.write(contentsOf: data)
  } catch {
    // All or nothing: what is written next begins on a line of its own.
    try? handle.truncate(atOffset: end)
    throw error
  }
}
