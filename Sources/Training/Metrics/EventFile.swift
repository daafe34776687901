import Basics
import Foundation

/// A TensorBoard event file: the numbers of the reports as scalars over episodes, and the configuration of every
/// session, as a text and as hyperparameters.
///
/// Format: records of `u64` length, masked CRC-32C of the length, payload, masked CRC-32C of the
/// payload, all little-endian; a payload is a serialised `tensorflow.Event`, of which these fields are used: wall
/// time (1), step (2), the version of the format (3), a summary (5) of tagged values, and a `SessionLog` (7).
struct EventFile {
  let path: String
  /// Whether the file begins with the version of the format.
  private var hasVersion: Bool
  /// The first step of a session that continues after others; nil for the first session, and once it has been written.
  private var firstStep: Int?
  /// The configuration of the session; nil once it has been written.
  private var configuration: TrainingConfiguration?

  private static let prefix = "events.out.tfevents."

  /// Continues the newest event file in `directory`, or begins one with the first report.
  ///
  /// A file whose end is damaged is not continued, because TensorBoard would not read on. TensorBoard reads
  /// all files of a directory as one run.
  ///
  /// A run that was killed plays episodes again that it has reported. So the first report of a session comes after
  /// an event with which TensorBoard drops what the file has from the session's first step on.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the session, which is written before its first report.
  ///   - firstStep: the number of the first episode that the session may report.
  ///   - now: the time for the name of a new file.
  init(directory: String, _ configuration: TrainingConfiguration, firstStep: Int, now: Date) {
    self.configuration = configuration
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let newest = names.filter { $0.hasPrefix(EventFile.prefix) }.max {
      (EventFile.seconds($0), $0) < (EventFile.seconds($1), $1)
    }
    self.firstStep = newest == nil ? nil : firstStep
    if let newest, EventFile.isWhole("\(directory)/\(newest)") {
      path = "\(directory)/\(newest)"
      hasVersion = true
      return
    }
    // Later than the damaged file.
    let seconds = max(
      Int(now.timeIntervalSince1970), newest.map(EventFile.seconds).map { $0 + 1 } ?? 0)
    path = "\(directory)/\(EventFile.prefix)\(seconds).\(hostName).\(getpid())"
    hasVersion = false
  }

  /// Returns the time in a file name, in seconds since 1970.
  private static func seconds(_ name: String) -> Int {
    let digits = name.dropFirst(prefix.count).prefix { $0 != "." }
    // Room for an increment.
    return Int(digits).flatMap { $0 < Int.max ? $0 : nil } ?? 0
  }

  /// Appends the scalars of one report.
  ///
  /// - Throws: ``LocatedError``; nothing is appended then.
  mutating func append(_ report: TrainingReport, now: Date) throws {
    let time = field(1, double: now.timeIntervalSince1970)
    var scalars = TrainingReport.scalars.compactMap { tag, value in
      value(report).map { (tag: tag, value: $0) }
    }
    scalars += report.reached.sorted { $0.key < $1.key }.map { ("reached/\($0.key)", $0.value) }
    let values = scalars.map { field(1, bytes: $0.tag.utf8) + field(2, float: Float($0.value)) }
    let session = configuration.map {
      [EventFile.text(of: $0), EventFile.hyperparameters(of: $0, startedAt: now)]
    }
    var records = hasVersion ? [] : EventFile.record(time + field(3, bytes: "brain.Event:2".utf8))
    if let firstStep {
      records += EventFile.record(
        time + field(2, integer: firstStep) + field(7, bytes: EventFile.sessionStart))
    }
    for values in [session, values].compactMap(\.self) {
      let summary = values.flatMap { field(1, bytes: $0) }
      records += EventFile.record(
        time + field(2, integer: report.episodes) + field(5, bytes: summary))
    }
    try appendToFile(records, at: path)
    hasVersion = true
    firstStep = nil
    configuration = nil
  }

  /// A `SessionLog` whose status (1) is `START`.
  private static let sessionStart = field(1, integer: 1)

  // MARK: The configuration

  /// Returns a value of the text plugin: the configuration as JSON, which Markdown shows as it is.
  private static func text(of configuration: TrainingConfiguration) -> [UInt8] {
    let lines = configuration.jsonText.split(separator: "\n").map { "    \($0)" }
    let strings = field(1, integer: 7) + field(8, bytes: lines.joined(separator: "\n").utf8)
    return value("configuration", tensor: strings, plugin: "text", content: [])
  }

  /// Returns a value of the hparams plugin: the start of a session with the keys of the configuration.
  ///
  /// TensorBoard derives the experiment, which lists all keys and metrics, from the sessions of all runs. An
  /// experiment in the file of one run would hide the keys of the others.
  private static func hyperparameters(
    of configuration: TrainingConfiguration, startedAt now: Date
  ) -> [UInt8] {
    // A map is a list of entries with a key and a `google.protobuf.Value`.
    let entries = configuration.values.flatMap { path, value in
      let parameter =
        if let number = value.double {
          field(2, double: number)
        } else if case .bool(let isTrue) = value {
          field(4, integer: isTrue ? 1 : 0)
        } else {
          field(3, bytes: (value.string ?? value.text).utf8)
        }
      return field(1, bytes: field(1, bytes: path.utf8) + field(2, bytes: parameter))
    }
    let session = entries + field(5, double: now.timeIntervalSince1970)
    // Floats of one dimension, of no elements.
    let tensor = field(1, integer: 1) + field(2, bytes: field(2, bytes: []))
    return value(
      "_hparams_/session_start_info", tensor: tensor, plugin: "hparams",
      content: field(3, bytes: session))
  }

  /// Returns a value of a summary that a plugin of TensorBoard shows.
  private static func value(
    _ tag: String, tensor: [UInt8], plugin: String, content: [UInt8]
  ) -> [UInt8] {
    let data = field(1, bytes: plugin.utf8) + field(2, bytes: content)
    let classOfTensors = field(4, integer: 2)
    let metadata = field(1, bytes: data) + classOfTensors
    return field(1, bytes: tag.utf8) + field(8, bytes: tensor) + field(9, bytes: metadata)
  }

  // MARK: Records

  /// Whether a file consists of at least one record and ends with a whole one.
  private static func isWhole(_ path: String) -> Bool {
    guard let file = try? InputFile(path: path), file.byteCount > 0 else { return false }
    var offset = 0
    while offset < file.byteCount {
      guard let head = try? file.bytes(at: offset, count: headByteCount) else { return false }
      let length = UInt64(littleEndianBytes: head[..<8])
      guard head == EventFile.head(length: length),
        length <= UInt64(file.byteCount - offset - headByteCount)
      else { return false }
      let next = offset + headByteCount + Int(length) + MemoryLayout<UInt32>.size
      guard next <= file.byteCount else { return false }
      if next == file.byteCount {
        // A kill during a write can damage only the last record.
        guard let last = try? file.bytes(at: offset, count: next - offset) else { return false }
        return last == record(Array(last[headByteCount..<(headByteCount + Int(length))]))
      }
      offset = next
    }
    return true
  }

  /// The length of a record before its payload, in bytes.
  private static let headByteCount = 12

  /// Returns what comes before a payload of `length` bytes.
  private static func head(length: UInt64) -> [UInt8] {
    length.littleEndianBytes + maskedChecksum(length.littleEndianBytes)
  }

  private static func record(_ payload: [UInt8]) -> [UInt8] {
    head(length: UInt64(payload.count)) + payload + maskedChecksum(payload)
  }

  private static func maskedChecksum(_ bytes: [UInt8]) -> [UInt8] {
    let checksum = crc32C(bytes)
    return (((checksum >> 15) | (checksum << 17)) &+ 0xA282_EAD8).littleEndianBytes
  }
}

// The few wire types of Protocol Buffers that an event needs. A message consists of its fields.

private func field(_ number: Int, integer value: Int) -> [UInt8] {
  variableLength(UInt64(number << 3)) + variableLength(UInt64(bitPattern: Int64(value)))
}

private func field(_ number: Int, double value: Double) -> [UInt8] {
  variableLength(UInt64(number << 3 | 1)) + value.bitPattern.littleEndianBytes
}

private func field(_ number: Int, float value: Float) -> [UInt8] {
  variableLength(UInt64(number << 3 | 5)) + value.bitPattern.littleEndianBytes
}

private func field(_ number: Int, bytes: some Collection<UInt8>) -> [UInt8] {
  variableLength(UInt64(number << 3 | 2)) + variableLength(UInt64(bytes.count)) + bytes
}

private func variableLength(_ value: UInt64) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = value
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  return bytes + [UInt8(rest)]
}
