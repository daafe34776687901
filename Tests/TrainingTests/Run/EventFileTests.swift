import Foundation
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import Training

/// A reader for the formats of TensorBoard.
private struct WireReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { self.bytes = ArraySlice(Array(bytes)) }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func take(_ count: Int) throws -> [UInt8] {
    guard count <= bytes.count else { throw Damage(what: "cut short") }
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// Reads a number of `count` bytes, the lowest first.
  mutating func number(bytes count: Int) throws -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a number with seven bits per byte, the lowest first; all bytes except the last have the
  /// highest bit.
  mutating func variableNumber() throws -> UInt64 {
    var (number, shift) = (UInt64(0), UInt64(0))
    while true {
      let byte = try take(1)[0]
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  /// Returns the payload of the next record, whose checksums must be valid.
  mutating func record() throws -> [UInt8] {
    func requireChecksum(_ masked: UInt64, of bytes: [UInt8]) throws {
      // TensorFlow masks a checksum by rotating it right by 15 bits and adding a constant.
      let turned = UInt32(masked) &- 0xA282_EAD8
      guard turned << 15 | turned >> 17 == crc32C(bytes) else {
        throw Damage(what: "a wrong checksum")
      }
    }
    let length = try take(8)
    let lengthChecksum = try number(bytes: 4)
    try requireChecksum(lengthChecksum, of: length)
    var lengthReader = WireReader(length)
    let count = Int(try lengthReader.number(bytes: 8))
    let payload = try take(count)
    let checksum = try number(bytes: 4)
    try requireChecksum(checksum, of: payload)
    return payload
  }

  /// A value in a Protocol Buffers message.
  enum Value: Equatable {
    case whole(UInt64)
    case double(Double)
    case float(Float)
    case bytes([UInt8])

    /// The bytes as text.
    var text: String? {
      if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  /// Returns the fields of a message by number.
  static func message(_ bytes: [UInt8]) throws -> [Int: [Value]] {
    var reader = WireReader(bytes)
    var fields: [Int: [Value]] = [:]
    while !reader.isAtEnd {
      let key = try reader.variableNumber()
      let value: Value
      switch key & 7 {
      case 0: value = .whole(try reader.variableNumber())
      case 1: value = .double(Double(bitPattern: try reader.number(bytes: 8)))
      case 2:
        let count = Int(try reader.variableNumber())
        value = .bytes(try reader.take(count))
      case 5: value = .float(Float(bitPattern: UInt32(try reader.number(bytes: 4))))
      default: throw Damage(what: "an unknown type of field")
      }
      fields[Int(key >> 3), default: []].append(value)
    }
    return fields
  }

  struct Damage: Error {
    let what: String
  }
}

@Suite struct EventFileTests {
  private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func configuration(episodes: Int) -> TrainingConfiguration {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["012", "456"]
    configuration.episodes = episodes
    configuration.reportEveryEpisodes = 100
    return configuration
  }

  @Test func whatTensorBoardReadsIsWhatIsReported() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    var configuration = configuration(episodes: 250)
    configuration.evaluationEveryEpisodes = 200
    configuration.evaluationGames = 3
    let began = Date.now.timeIntervalSince1970
    let run = try TrainingRun.start(in: directory, configuration: configuration)
    _ = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
    let reports = directory.reports
    #expect(reports.map(\.episodes) == [100, 200, 250])
    #expect(reports.map { $0.evaluation != nil } == [false, true, true])

    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let files = names.filter { $0.hasPrefix("events.out.tfevents.") }
    try #require(files.count == 1)
    var reader = WireReader(try root.bytes("run/" + files[0]))
    var events: [[Int: [WireReader.Value]]] = []
    while !reader.isAtEnd {
      let payload = try reader.record()
      events.append(try WireReader.message(payload))
    }
    try #require(events.count == 2 + reports.count)
    // Field 1 is the time, 2 the step, 3 the version of the format, and 5 lists tags and values.
    for event in events {
      guard case .double(let seconds)? = event[1]?.first else {
        Issue.record("an event without a time")
        continue
      }
      #expect(began - 1 <= seconds && seconds <= Date.now.timeIntervalSince1970 + 1)
    }
    #expect(events[0][3] == [.bytes(Array("brain.Event:2".utf8))])
    try expectConfiguration(configuration, in: events[1], step: 100)
    for (event, report) in zip(events.dropFirst(2), reports) {
      #expect(event[2] == [.whole(UInt64(report.episodes))])
      guard case .bytes(let summary)? = event[5]?.first else {
        Issue.record("an event without a summary")
        continue
      }
      var scalars: [String: Float] = [:]
      for value in try WireReader.message(summary)[1] ?? [] {
        guard case .bytes(let bytes) = value, let scalar = try? WireReader.message(bytes),
          case .bytes(let tag)? = scalar[1]?.first, case .float(let number)? = scalar[2]?.first
        else {
          Issue.record("a value that is not a scalar")
          continue
        }
        scalars[String(decoding: tag, as: UTF8.self)] = number
      }
      #expect(try scalars == expectedScalars(of: report))
    }
  }

  /// Expects the configuration of a session as a text and as hyperparameters.
  ///
  /// The numbers of fields are those of tensorflow.Summary, SummaryMetadata, TensorProto, and of the hparams plugin.
  private func expectConfiguration(
    _ configuration: TrainingConfiguration, in event: [Int: [WireReader.Value]], step: UInt64
  ) throws {
    #expect(event[2] == [.whole(step)])
    let values = try messages(messages(event[5])[0][1])
    try #require(values.count == 2)
    let plugins = try values.map { try messages(messages($0[9])[0][1])[0] }
    #expect(values[0][1] == [.bytes(Array("configuration".utf8))])
    #expect(plugins[0][1] == [.bytes(Array("text".utf8))])
    let text = try #require(messages(values[0][8])[0][8]?.first?.text)
    #expect(
      text.split(separator: "\n").map { $0.dropFirst(4) }
        == configuration.jsonText.split(separator: "\n"))

    #expect(values[1][1] == [.bytes(Array("_hparams_/session_start_info".utf8))])
    #expect(plugins[1][1] == [.bytes(Array("hparams".utf8))])
    let session = try messages(messages(plugins[1][2])[0][3])[0]
    var parameters: [String: [Int: [WireReader.Value]]] = [:]
    for entry in try messages(session[1]) {
      parameters[try #require(entry[1]?.first?.text)] = try messages(entry[2])[0]
    }
    #expect(parameters.keys.sorted() == ConfigurationKey.all.map(\.path).sorted())
    #expect(parameters["report.everyEpisodes"] == [2: [.double(100)]])
    #expect(parameters["learning.method"] == [3: [.bytes(Array("td".utf8))]])
    #expect(parameters["network.patterns"] == [3: [.bytes(Array(#"["012","456"]"#.utf8))]])
  }

  /// Returns the messages that a field holds.
  private func messages(
    _ values: [WireReader.Value]?
  ) throws -> [[Int: [WireReader.Value]]] {
    try #require(values).map { value in
      guard case .bytes(let bytes) = value else { throw WireReader.Damage(what: "no message") }
      return try WireReader.message(bytes)
    }
  }

  /// Returns the numbers of a report by their tags.
  private func expectedScalars(of report: TrainingReport) throws -> [String: Float] {
    var scalars = [
      "train/meanScore": report.meanScore, "train/maxScore": Double(report.maxScore),
      "train/movesPerSecond": report.movesPerSecond, "train/learningRate": report.learningRate,
      "train/wallSeconds": report.wallSeconds,
      "train/trainingSeconds": try #require(report.trainingSeconds),
    ]
    for (tile, share) in report.reached { scalars["reached/\(tile)"] = share }
    scalars["evaluation/meanScore"] = report.evaluation?.meanScore
    return scalars.mapValues { Float($0) }
  }

  private func report(_ episodes: Int) -> TrainingReport {
    TrainingReport(
      episodes: episodes, moves: 1, wallSeconds: 1, movesPerSecond: 1, meanScore: 1, maxScore: 1,
      reached: [:], learningRate: 0.1)
  }

  /// Returns the steps of the summaries that TensorBoard shows: the start of a session (field 7) drops those from its
  /// step on.
  private func steps(_ bytes: [UInt8]) throws -> [UInt64] {
    var reader = WireReader(bytes)
    var steps: [UInt64] = []
    while !reader.isAtEnd {
      let payload = try reader.record()
      let event = try WireReader.message(payload)
      guard case .whole(let step)? = event[2]?.first else { continue }
      if let session = event[7] {
        #expect(try messages(session) == [[1: [.whole(1)]]])
        steps.removeAll { $0 >= step }
      } else {
        steps.append(step)
      }
    }
    return steps
  }

  @Test func aKilledRunReplacesThePointsThatItPlaysAgain() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    var configuration = configuration(episodes: 200)
    let run = try TrainingRun.start(in: directory, configuration: configuration)
    _ = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
    _ = consume run
    // The reports of a process that was killed before its next checkpoint.
    var killed = EventFile(directory: directory.path, configuration, firstStep: 201, now: .now)
    for episodes in [250, 300] { try killed.append(report(episodes), now: .now) }
    configuration.episodes = 400
    let resumed = try TrainingRun.resume(in: directory, configuration: configuration)
    _ = try resumed.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
    let shown = try steps([UInt8](Data(contentsOf: URL(fileURLWithPath: killed.path))))
    // Every session shows its configuration with its first report.
    #expect(shown == [100, 100, 200, 300, 300, 400])
    #expect(directory.reports.map(\.episodes) == [100, 200, 300, 400])
  }

  @Test func theStartOfASessionByteForByte() throws {
    let directory = try TemporaryDirectory()
    let now = Date(timeIntervalSince1970: 0)
    func append(_ report: TrainingReport, firstStep: Int) throws {
      var file = EventFile(
        directory: directory.path, TrainingConfiguration(), firstStep: firstStep, now: now)
      try file.append(report, now: now)
    }
    try append(report(300), firstStep: 1)
    let before = try directory.bytes(directory.names[0]).count
    try append(report(400), firstStep: 201)
    var reader = WireReader(try directory.bytes(directory.names[0]).dropFirst(before))
    // The time (1) as a double, the step (2), and the session log (7) with the status (1) START.
    let time: [UInt8] = [1 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(try reader.record() == time + [2 << 3, 0xC9, 0x01, 7 << 3 | 2, 2, 1 << 3, 1])
  }

  // Promise: A long run stays flat
  @Test func theNextSessionContinuesTheFile() throws {
    let directory = try TemporaryDirectory()
    for (number, episodes) in [10, 20, 30].enumerated() {
      let now = Date(timeIntervalSince1970: 1_000_000 + Double(number))
      var file = EventFile(
        directory: directory.path, TrainingConfiguration(), firstStep: 10 * number + 1, now: now)
      try file.append(report(episodes), now: now)
    }
    #expect(directory.names.count == 1)
    #expect(try steps(directory.bytes(directory.names[0])) == [10, 10, 20, 20, 30, 30])
  }

  @Test("a file with a damaged end is not continued", arguments: [1, 20, 60])
  func damagedEnd(lost: Int) throws {
    let directory = try TemporaryDirectory()
    let now = Date(timeIntervalSince1970: 1_000_000)
    func eventFile(firstStep: Int) -> EventFile {
      EventFile(
        directory: directory.path, TrainingConfiguration(), firstStep: firstStep, now: now)
    }
    var file = eventFile(firstStep: 1)
    for episodes in [10, 20] { try file.append(report(episodes), now: now) }
    let name = directory.names[0]
    let bytes = try directory.bytes(name)
    try directory.write(bytes.dropLast(lost), name)
    var next = eventFile(firstStep: 21)
    try next.append(report(30), now: now)
    #expect(next.path != file.path && directory.names.count == 2)
    #expect(try steps([UInt8](Data(contentsOf: URL(fileURLWithPath: next.path)))) == [30, 30])
    // The newer one is continued from now on.
    var last = eventFile(firstStep: 31)
    try last.append(report(40), now: now)
    #expect(last.path == next.path)
  }
}
