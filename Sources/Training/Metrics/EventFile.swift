import Basics
import Foundation

/// A TensorBoard event file: the numbers of the reports as scalars over episodes.
///
/// Format: records of `u64` length, masked CRC-32C of the length, payload, masked CRC-32C of the
/// payload, all little-endian; a payload is a serialised `tensorflow.Event`, of which three fields
/// are used: wall time (1), step (2), and a summary (5) of tagged simple values.
struct EventFile {
  let path: String

  /// Creates a file in `directory`; TensorBoard reads all files of a directory as one run.
  init(directory: String, now: Date) throws {
    let host = ProcessInfo.processInfo.hostName
    path =
      "\(directory)/events.out.tfevents.\(Int(now.timeIntervalSince1970)).\(host)"
      + ".\(ProcessInfo.processInfo.processIdentifier)"
    var event = ProtocolBuffer()
    event.double(1, now.timeIntervalSince1970)
    event.bytes(3, Data("brain.Event:2".utf8))
    try appendToFile(EventFile.record(event.data), at: path)
  }

  /// Appends the scalars of one report.
  func append(_ report: TrainingReport, now: Date) throws {
    var scalars = ReportKey.all.compactMap { key in
      key.scalar?(report).map { (tag: key.tag!, value: $0) }
    }
    scalars += report.reached.sorted { $0.key < $1.key }.map { ("reached/\($0.key)", $0.value) }
    var summary = ProtocolBuffer()
    for scalar in scalars {
      var value = ProtocolBuffer()
      value.bytes(1, Data(scalar.tag.utf8))
      value.float(2, Float(scalar.value))
      summary.bytes(1, value.data)
    }
    var event = ProtocolBuffer()
    event.double(1, now.timeIntervalSince1970)
    event.integer(2, report.episodes)
    event.bytes(5, summary.data)
    try appendToFile(EventFile.record(event.data), at: path)
  }

  private static func record(_ payload: Data) -> Data {
    var length = Data()
    length.append(littleEndian: UInt64(payload.count))
    var record = length
    record.append(littleEndian: maskedChecksum(length))
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
