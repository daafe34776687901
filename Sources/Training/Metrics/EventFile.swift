import Basics
import Configuration
import Foundation

/// A TensorBoard event file: the numbers of the reports as scalars over episodes, and the configuration of every
/// session, as a text and as hyperparameters.
///
/// Format: records of `u64` length, masked CRC-32C of the length, payload, masked CRC-32C of the
/// payload, all little-endian; a payload is a serialised `tensorflow.Event`, of which three fields
/// are used: wall time (1), step (2), and a summary (5) of tagged values.
struct EventFile {
  let path: String
  /// Whether the file begins with the version of the format.
  private var hasVersion: Bool
  /// The configuration of the session; nil once it has been written.
  private var configuration: TrainingConfiguration?

  private static let prefix = "events.out.tfevents."

  /// Continues the newest event file in `directory`, or begins one with the first report.
  ///
  /// A file whose end is damaged is not continued, because TensorBoard would not read on. TensorBoard reads
  /// all files of a directory as one run.
  ///
  /// - Parameters:
  ///   - directory: the directory of the run.
  ///   - configuration: the configuration of the session, which is written before its first report.
  ///   - now: the time for the name of a new file.
  init(directory: String, _ configuration: TrainingConfiguration, now: Date) {
    self.configuration = configuration
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let newest = names.filter { $0.hasPrefix(EventFile.prefix) }.max {
      (EventFile.seconds($0), $0) < (EventFile.seconds($1), $1)
    }
    if let newest, EventFile.isWhole("\(directory)/\(newest)") {
      path = "\(directory)/\(newest)"
      hasVersion = true
      return
    }
    let host = ProcessInfo.processInfo.hostName
    // Later than the damaged file.
    let seconds = max(
      Int(now.timeIntervalSince1970), newest.map(EventFile.seconds).map { $0 + 1 } ?? 0)
    path =
      "\(directory)/\(EventFile.prefix)\(seconds).\(host).\(ProcessInfo.processInfo.processIdentifier)"
    hasVersion = false
  }

  /// Returns the time in a file name, in seconds since 1970.
  private static func seconds(_ name: String) -> Int {
    let digits = name.dropFirst(prefix.count).prefix { $0 != "." }
    // Room for an increment.
    return Int(digits).flatMap { $0 < Int.max ? $0 : nil } ?? 0
  }

  private static func versionRecord(_ now: Date) -> Data {
    var event = ProtocolBuffer()
    event.double(1, now.timeIntervalSince1970)
    event.bytes(3, Data("brain.Event:2".utf8))
    return record(event.data)
  }

  /// Appends the scalars of one report.
  ///
  /// - Throws: ``LocatedError``; nothing is appended then.
  mutating func append(_ report: TrainingReport, now: Date) throws {
    var scalars = ReportKey.all.compactMap { key in
      key.scalar?(report).map { (tag: key.tag!, value: $0) }
    }
    scalars += report.reached.sorted { $0.key < $1.key }.map { ("reached/\($0.key)", $0.value) }
    let values = scalars.map { scalar in
      var value = ProtocolBuffer()
      value.bytes(1, Data(scalar.tag.utf8))
      value.float(2, Float(scalar.value))
      return value
    }
    var records = hasVersion ? Data() : EventFile.versionRecord(now)
    if let configuration {
      records += EventFile.record(
        [
          EventFile.text(of: configuration),
          EventFile.hyperparameters(of: configuration, startedAt: now),
        ], episodes: report.episodes, now)
    }
    records += EventFile.record(values, episodes: report.episodes, now)
    try appendToFile(records, at: path)
    hasVersion = true
    configuration = nil
  }

  /// Returns the record of an event with a summary of values.
  private static func record(_ values: [ProtocolBuffer], episodes: Int, _ now: Date) -> Data {
    var summary = ProtocolBuffer()
    for value in values { summary.bytes(1, value.data) }
    var event = ProtocolBuffer()
    event.double(1, now.timeIntervalSince1970)
    event.integer(2, episodes)
    event.bytes(5, summary.data)
    return record(event.data)
  }

  // MARK: The configuration

  /// Returns a value of the text plugin: the configuration as JSON, which Markdown shows as it is.
  private static func text(of configuration: TrainingConfiguration) -> ProtocolBuffer {
    let lines = configuration.jsonText.split(separator: "\n").map { "    \($0)" }
    var tensor = ProtocolBuffer()
    tensor.integer(1, 7)  // strings
    tensor.bytes(8, Data(lines.joined(separator: "\n").utf8))
    return value("configuration", tensor, plugin: "text", content: Data())
  }

  /// Returns a value of the hparams plugin: the start of a session with the keys of the configuration.
  ///
  /// TensorBoard derives the experiment, which lists all keys and metrics, from the sessions of all runs. An
  /// experiment in the file of one run would hide the keys of the others.
  private static func hyperparameters(
    of configuration: TrainingConfiguration, startedAt now: Date
  ) -> ProtocolBuffer {
    var session = ProtocolBuffer()
    for (path, value) in configuration.values {
      // A map is a list of entries with a key and a `google.protobuf.Value`.
      var entry = ProtocolBuffer()
      entry.bytes(1, Data(path.utf8))
      var parameter = ProtocolBuffer()
      if let number = value.double {
        parameter.double(2, number)
      } else if case .bool(let isTrue) = value {
        parameter.integer(4, isTrue ? 1 : 0)
      } else {
        parameter.bytes(3, Data((value.string ?? value.text).utf8))
      }
      entry.bytes(2, parameter.data)
      session.bytes(1, entry.data)
    }
    session.double(5, now.timeIntervalSince1970)
    var content = ProtocolBuffer()
    content.bytes(3, session.data)
    var shape = ProtocolBuffer()
    shape.bytes(2, Data())  // one dimension, of no elements
    var tensor = ProtocolBuffer()
    tensor.integer(1, 1)  // floats
    tensor.bytes(2, shape.data)
    return value(
      "_hparams_/session_start_info", tensor, plugin: "hparams", content: content.data)
  }

  /// Returns a value of a summary that a plugin of TensorBoard shows.
  private static func value(
    _ tag: String, _ tensor: ProtocolBuffer, plugin: String, content: Data
  ) -> ProtocolBuffer {
    var data = ProtocolBuffer()
    data.bytes(1, Data(plugin.utf8))
    data.bytes(2, content)
    var metadata = ProtocolBuffer()
    metadata.bytes(1, data.data)
    metadata.integer(4, 2)  // the class of tensors
    var value = ProtocolBuffer()
    value.bytes(1, Data(tag.utf8))
    value.bytes(8, tensor.data)
    value.bytes(9, metadata.data)
    return value
  }

  // MARK: Records

  /// Whether a file consists of at least one record and ends with a whole one.
  private static func isWhole(_ path: String) -> Bool {
    guard let file = try? InputFile(path: path), file.byteCount > 0 else { return false }
    var offset = 0
    while offset < file.byteCount {
      guard let head = try? file.bytes(at: offset, count: headByteCount) else { return false }
      let length = head[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard head == Array(EventFile.head(length: length)),
        length <= UInt64(file.byteCount - offset - headByteCount)
      else { return false }
      let next = offset + headByteCount + Int(length) + MemoryLayout<UInt32>.size
      guard next <= file.byteCount else { return false }
      if next == file.byteCount {
        // A kill during a write can damage only the last record.
        guard
          let payload = try? file.bytes(at: offset + headByteCount, count: Int(length)),
          let whole = try? file.bytes(at: offset, count: next - offset)
        else { return false }
        return whole == Array(record(Data(payload)))
      }
      offset = next
    }
    return true
  }

  /// The length of a record before its payload, in bytes.
  private static let headByteCount = 12

  /// Returns what comes before a payload of `length` bytes.
  private static func head(length: UInt64) -> Data {
    var head = Data()
    head.append(littleEndian: length)
    head.append(littleEndian: maskedChecksum(head))
    return head
  }

  private static func record(_ payload: Data) -> Data {
    var record = head(length: UInt64(payload.count))
    record.append(payload)
    record.append(littleEndian: maskedChecksum(payload))
    return record
  }

  private static func maskedChecksum(_ data: Data) -> UInt32 {
    let checksum = CRC32C.checksum(data)
    return ((checksum >> 15) | (checksum << 17)) &+ 0xA282_EAD8
  }
}

/// The few wire types of Protocol Buffers that an event needs.
private struct ProtocolBuffer {
  private(set) var data = Data()

  mutating func integer(_ field: Int, _ value: Int) {
    variableLength(UInt64(field << 3))
    variableLength(UInt64(bitPattern: Int64(value)))
  }

  mutating func double(_ field: Int, _ value: Double) {
    variableLength(UInt64(field << 3 | 1))
    data.append(littleEndian: value.bitPattern)
  }

  mutating func float(_ field: Int, _ value: Float) {
    variableLength(UInt64(field << 3 | 5))
    data.append(littleEndian: value.bitPattern)
  }

  mutating func bytes(_ field: Int, _ value: Data) {
    variableLength(UInt64(field << 3 | 2))
    variableLength(UInt64(value.count))
    data.append(value)
  }

  private mutating func variableLength(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    data.append(UInt8(rest))
  }
}

extension Data {
  fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
    for byte in 0..<(value.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }
}
