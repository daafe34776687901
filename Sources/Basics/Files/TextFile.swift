import Foundation

/// The reading of files that people write: configurations, sweep plans and lists of boards.
package enum TextFile {
  /// Returns the bytes of a file or pipe, without the byte-order mark that some editors write.
  ///
  /// - Parameter patience: the longest time without a byte from a pipe.
  /// - Throws: ``LocatedError`` of kind `missingInput` if it does not exist or cannot be read; of kind
  ///   `unsuitableData` if it is longer than the limit.
  package static func read(
    _ path: String, limit: InputLimit = .text, patience: Duration = .seconds(10)
  ) throws(LocatedError) -> Data {
    let descriptor: Int32
    do {
      // Without O_NONBLOCK, opening a pipe waits for a writer.
      descriptor = try retrying { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    } catch {
      let isMissing = error.code == ENOENT || error.code == ENOTDIR
      throw isMissing ? error.reading(path) : unreadable(path)
    }
    defer { close(descriptor) }
    return try read(descriptor, name: path, limit: limit, patience: patience)
  }

  /// Returns the bytes of standard input, without a byte-order mark.
  ///
  /// - Throws: ``LocatedError``, as ``read(_:limit:patience:)`` does.
  package static func readStandardInput(limit: InputLimit) throws(LocatedError) -> Data {
    try read(0, name: "standard input", limit: limit, patience: nil)
  }

  /// Calls `body` with every line of standard input that is not blank, and its number from 1, as soon as the
  /// line has been read.
  ///
  /// - Parameter limit: The limit on the bytes of a line. There is none on their number.
  /// - Throws: ``LocatedError`` if standard input cannot be read or a line is too long; errors of `body`.
  package static func forEachLineOfStandardInput(
    limit: InputLimit, _ body: (_ number: Int, _ text: String) throws -> Void
  ) throws {
    var lines = LineSplitter(limit: limit, name: "standard input")
    while let part = try part(of: 0, name: "standard input", patience: nil) {
      var ended: [LineSplitter.Line] = []
      let split = Result { try lines.split(part, into: &ended) }
      // The lines before one that is too long are right.
      for line in ended { try body(line.number, line.text) }
      try split.get()
    }
    if let last = lines.last { try body(last.number, last.text) }
  }

  private static func read(
    _ descriptor: Int32, name: String, limit: InputLimit, patience: Duration?
  ) throws(LocatedError) -> Data {
    var data = Data()
    while let part = try part(of: descriptor, name: name, patience: patience) {
      data += part
      try limit.require(data.count, path: name)
    }
    return data.starts(with: byteOrderMark) ? Data(data.dropFirst(byteOrderMark.count)) : data
  }

  fileprivate static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the bytes that are there, waiting for the first of them; nil at the end.
  private static func part(
    of descriptor: Int32, name: String, patience: Duration?
  ) throws(LocatedError) -> ArraySlice<UInt8>? {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let wait = patience.map { Int32($0 / .milliseconds(1)) } ?? -1
    while true {
      do throws(SystemError) {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if try retrying({ unsafe poll(&state, 1, wait) }) > 0 {
          let count = try retrying {
            unsafe part.withUnsafeMutableBytes {
              unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
          }
          return count == 0 ? nil : part.prefix(count)
        }
      } catch {
        if error.code == EAGAIN { continue }
        throw unreadable(name)
      }
      throw LocatedError(
        .missingInput, path: name, "is a pipe into which nothing writes",
        remedy: "name a file, or start the program that writes")
    }
  }

  private static func unreadable(_ name: String) -> LocatedError {
    LocatedError(
      .missingInput, path: name, "cannot be read",
      remedy: "check that it is a file, and its permissions")
  }

  /// Returns the lines of a text that are not blank, with their numbers from 1.
  ///
  /// - Throws: ``LocatedError``, which names the file, if a line is longer than the limit.
  package static func lines(
    of data: Data, limit: InputLimit, name: String
  ) throws(LocatedError) -> [(number: Int, text: String)] {
    var splitter = LineSplitter(limit: limit, name: name)
    var lines: [LineSplitter.Line] = []
    try splitter.split(data, into: &lines)
    return lines + [splitter.last].compactMap(\.self)
  }
}

/// A splitter of bytes that arrive in parts into lines that are not blank.
private struct LineSplitter {
  typealias Line = (number: Int, text: String)

  /// The limit on the bytes of a line.
  let limit: InputLimit
  /// The name of the file for messages.
  let name: String
  var number = 1
  var line: [UInt8] = []
  var lastByte: UInt8 = 0

  /// The line in progress, which is the last one at the end of the bytes; nil if it is blank.
  ///
  /// Tabs around it stay, because they can stand for empty cells.
  var last: Line? {
    let isFirst = number == 1 && line.starts(with: TextFile.byteOrderMark)
    let text = String(decoding: isFirst ? line[3...] : line[...], as: UTF8.self)
      .trimmingCharacters(in: .whitespaces.subtracting(["\t"]))
    return text.allSatisfy(\.isWhitespace) ? nil : (number, text)
  }

  /// Appends the lines that end in these bytes.
  ///
  /// - Throws: ``LocatedError`` if a line is longer than the limit. Those before it have been appended.
  mutating func split(
    _ bytes: some Sequence<UInt8>, into lines: inout [Line]
  ) throws(LocatedError) {
    func endLine() {
      if let last { lines.append(last) }
      line.removeAll(keepingCapacity: true)
      number += 1
    }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"): if lastByte != UInt8(ascii: "\r") { endLine() }
      case UInt8(ascii: "\r"): endLine()
      default:
        line.append(byte)
        try limit.require(line.count, path: name, place: "line \(number)")
      }
      lastByte = byte
    }
  }
}
