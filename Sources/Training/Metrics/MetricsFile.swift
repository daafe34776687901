import Foundation
import ModelFiles

/// `metrics.jsonl` of a run: one report a line.
struct MetricsFile {
  let path: String

  /// The reports so far.
  func reports() -> [TrainingReport] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    // A line that a kill has cut short is no report.
    return text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(TrainingReport.self, from: Data($0.utf8))
    }
  }

  /// Drops the reports after `episodes`: they are of play that the resumed checkpoint has not seen.
  func truncate(after episodes: Int) throws {
    let kept = try reports().filter { $0.episodes <= episodes }.map(TrainingReport.line)
    try writeAtomically(Data(kept.joined().utf8), to: path)
  }

  /// Appends one report.
  func append(_ report: TrainingReport) throws {
    try appendToFile(Data(TrainingReport.line(report).utf8), at: path)
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
  try handle.seekToEnd()
  try handle.write(contentsOf: data)
}
