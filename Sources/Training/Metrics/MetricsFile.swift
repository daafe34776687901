import Foundation
import ModelFiles

/// `metrics.jsonl` of a run: one report a line.
struct MetricsFile {
  let path: String

  /// The reports so far.
  func reports() -> [TrainingReport] {
    ((try? lines()) ?? []).map(\.report)
  }

  /// Drops the reports after `episodes`: they are of play that the resumed checkpoint has not seen.
  ///
  /// - Throws: the error of reading or writing the file, which is then as it was.
  func truncate(after episodes: Int) throws {
    let kept = try lines().filter { $0.report.episodes <= episodes }
    try writeAtomically(kept.map { $0.text + [UInt8(ascii: "\n")] }.joined(), to: path)
  }

  /// Appends whole lines.
  func append(_ lines: Data) throws {
    try appendToFile(lines, at: path)
  }

  /// The lines that are reports; one that a kill has cut short is none.
  private func lines() throws -> [(text: Data, report: TrainingReport)] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n"))
      .compactMap { text in
        (try? JSONDecoder().decode(TrainingReport.self, from: text)).map {
          (text: text, report: $0)
        }
      }
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
