import Foundation

/// The reading of files that people write: configurations, sweep plans and lists of boards.
package enum TextFile {
  /// Returns the bytes of a file or pipe, without the byte-order mark that some editors write.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - limit: the limit on the bytes.
  ///   - patience: the longest time without a byte from a pipe.
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
  /// - Parameter limit: the limit on the bytes.
  /// - Throws: ``LocatedError``, as ``read(_:limit:patience:)`` does.
  package static func readStandardInput(limit: InputLimit) throws(LocatedError) -> Data {
    try read(0, name: "standard input", limit: limit, patience: nil)
  }

  private static func read(
    _ descriptor: Int32, name: String, limit: InputLimit, patience: Duration?
  ) throws(LocatedError) -> Data {
    var data = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let wait = patience.map { Int32($0 / .milliseconds(1)) } ?? -1
        guard try retrying({ unsafe poll(&state, 1, wait) }) > 0 else {
          throw LocatedError(
            .missingInput, path: name, "is a pipe into which nothing writes",
            remedy: "name a file, or start the program that writes")
        }
        count = try retrying {
          unsafe part.withUnsafeMutableBytes {
            unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
          }
        }
      } catch let error as SystemError {
        if error.code == EAGAIN { continue }
        throw unreadable(name)
      } catch let error as LocatedError {
        throw error
      } catch {
        throw unreadable(name)
      }
      if count == 0 { break }
      data += part.prefix(count)
      try limit.require(data.count, path: name)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
  }

  private static func unreadable(_ name: String) -> LocatedError {
    LocatedError(
      .missingInput, path: name, "cannot be read",
      remedy: "check that it is a file, and its permissions")
  }

  /// Returns the lines of a text that are not blank, with their numbers from 1.
  ///
  /// - Parameters:
  ///   - data: the text.
  ///   - limit: the limit on the bytes of a line.
  ///   - name: the name of the file for messages.
  /// - Throws: ``LocatedError`` if a line is longer than the limit.
  package static func lines(
    of data: Data, limit: InputLimit, name: String
  ) throws(LocatedError) -> [(number: Int, text: String)] {
    var lines: [(number: Int, text: String)] = []
    var number = 1
    var line: [UInt8] = []
    func endLine() {
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      if !text.isEmpty { lines.append((number, text)) }
      line.removeAll(keepingCapacity: true)
      number += 1
    }
    var last: UInt8 = 0
    for byte in data {
      switch byte {
      case UInt8(ascii: "\n"): if last != UInt8(ascii: "\r") { endLine() }
      case UInt8(ascii: "\r"): endLine()
      default:
        line.append(byte)
        try limit.require(line.count, path: name, place: "line \(number)")
      }
      last = byte
    }
    endLine()
    return lines
  }
}
