import Basics
import Foundation

/// The file `metrics.jsonl` of a run: one report per line.
struct MetricsFile {
  let path: String

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

  /// Returns the last report.
  func lastReport() -> TrainingReport? {
    guard let file = try? InputFile(path: path) else { return nil }
    // About fifty reports, of which a kill may have cut the last one short.
    let length = min(file.byteCount, 1 << 15)
    guard let tail = try? file.bytes(at: file.byteCount - length, count: length) else { return nil }
    return MetricsFile.lines(in: Data(tail)).reversed().lazy.compactMap(MetricsFile.report).first
  }

  /// Removes the reports after `episodes`, of play that the resumed checkpoint has not seen.
  ///
  /// - Throws: `LocatedError` if the file cannot be read or written; it is then as it was.
  func truncate(after episodes: Int) throws {
    let exists = FileManager.default.fileExists(atPath: path)
    let text = try exists ? contents() : Data()
    let kept = MetricsFile.lines(in: text).filter {
      MetricsFile.report($0).map { $0.episodes <= episodes } ?? false
    }
    try writeAtomically(kept.map { $0 + [UInt8(ascii: "\n")] }.joined(), to: path)
  }

  /// Appends complete lines.
  func append(_ lines: Data) throws {
    try appendToFile(lines, at: path)
  }

  private func contents() throws -> Data {
    Data(try InputFile.contents(of: path, limit: .reports))
  }

  private static func lines(in data: Data) -> [Data] {
    data.split(separator: UInt8(ascii: "\n"))
  }

  /// Reads a line; nil if a kill has cut it short.
  private static func report(_ line: Data) -> TrainingReport? {
    try? JSONDecoder().decode(TrainingReport.self, from: line)
  }
}

/// Appends to a file, or creates it.
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
    // All or nothing: the next write begins on a new line.
    try? handle.truncate(atOffset: end)
    throw error
  }
}
