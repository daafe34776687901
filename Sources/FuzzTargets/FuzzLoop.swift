import Foundation
import Game2048

/// A deterministic sequence of inputs for a target: its corpus, and then changes of that.
public struct FuzzLoop: Sendable {
  /// The target.
  public let target: FuzzTarget
  private let corpus: [[UInt8]]
  private let seed: UInt64

  /// - Parameter corpus: The directory with a subdirectory of inputs for each target.
  public init(_ target: FuzzTarget, corpus: String, seed: UInt64 = 1) throws {
    let directory = "\(corpus)/\(target.rawValue)"
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    self.target = target
    self.seed = seed
    self.corpus = try names.map {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\($0)")))
    }
  }

  /// The number of inputs in the corpus.
  public var corpusCount: Int { corpus.count }

  /// Returns an input by its number, which decides it alone: first the corpus, then changes of it.
  public func input(_ number: Int) -> [UInt8] {
    if number < corpus.count { return corpus[number] }
    var source = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    let first = corpus.randomElement(using: &source) ?? []
    let other = corpus.randomElement(using: &source) ?? []
    var mutator = Mutator(seed: source.next())
    return mutator.mutated(first, with: other)
  }

  /// Runs the target on an input by its number.
  ///
  /// - Returns: Whether the target accepted it.
  @discardableResult
  public func run(_ number: Int) -> Bool { target.run(input(number)) }
}

/// Changes inputs at random, in ways that often get past the first checks of a parser.
struct Mutator {
  private var source: SplitMix64

  init(seed: UInt64) { source = SplitMix64(seed: seed) }

  /// Returns the input after one to four changes, some of which take parts from another input.
  mutating func mutated(_ input: [UInt8], with other: [UInt8]) -> [UInt8] {
    var bytes = input
    for _ in 0...number(below: 4) { change(&bytes, with: other) }
    return bytes
  }

  private mutating func number(below count: Int) -> Int {
    Int.random(in: 0..<max(1, count), using: &source)
  }

  /// Returns a short range, of up to the length of the input.
  private mutating func range(in bytes: [UInt8]) -> Range<Int> {
    let start = number(below: bytes.count + 1)
    let length = 1 << number(below: 7)
    return start..<min(bytes.count, start + number(below: length + 1))
  }

  private mutating func change(_ bytes: inout [UInt8], with other: [UInt8]) {
    switch number(below: 9) {
    case 0:
      guard !bytes.isEmpty else { return }
      bytes[number(below: bytes.count)] ^= 1 << UInt8(number(below: 8))
    case 1:
      guard !bytes.isEmpty else { return }
      bytes[number(below: bytes.count)] = Mutator.bytes[number(below: Mutator.bytes.count)]
    case 2: bytes.removeSubrange(range(in: bytes))
    case 3:
      let part = Array(bytes[range(in: bytes)])
      bytes.insert(contentsOf: part, at: number(below: bytes.count + 1))
    case 4:
      let part = other[range(in: other)]
      bytes.replaceSubrange(range(in: bytes), with: part)
    case 5:
      let token = Mutator.tokens[number(below: Mutator.tokens.count)]
      bytes.insert(contentsOf: Array(token.utf8), at: number(below: bytes.count + 1))
    case 6:
      // A little-endian number.
      let value = Mutator.numbers[number(below: Mutator.numbers.count)]
      let width = min(bytes.count, [1, 2, 4, 8][number(below: 4)])
      let start = number(below: bytes.count - width + 1)
      for byte in 0..<width {
        bytes[start + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
      }
    default: replaceNumber(&bytes)
    }
  }

  /// Replaces a decimal number.
  private mutating func replaceNumber(_ bytes: inout [UInt8]) {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let starts = bytes.indices.filter { isDigit(bytes[$0]) && ($0 == 0 || !isDigit(bytes[$0 - 1])) }
    guard !starts.isEmpty else { return }
    let start = starts[number(below: starts.count)]
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    let value = Mutator.numbers[number(below: Mutator.numbers.count)]
    let text = number(below: 8) == 0 ? "1e\(number(below: 400))" : "\(value)"
    bytes.replaceSubrange(start..<end, with: Array(text.utf8))
  }

  private static let bytes: [UInt8] = [
    0, 1, 9, 0x0A, 0x0D, 0x1B, 0x20, 0x22, 0x2C, 0x2D, 0x2F, 0x30, 0x3A, 0x5C, 0x7F, 0x80, 0xC3,
    0xED, 0xFF,
  ]

  private static let numbers: [Int] = [
    -1, 0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 255, 256, 1_024, 4_096,
    65_535, 65_536, 131_072, 1 << 24, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40, 1 << 53,
    (1 << 53) + 1,
    (1 << 62) - 1, 1 << 62, .max - 1, .max, .min,
  ]

  private static let tokens = [
    "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u0000", "\\ud800", "null", "true", "-0", "1e308",
    "1e-400", "\"\":", "[[0,1]]", "__metadata__", "\r\n", "\r\n\r\n", "%00", "%", "&", "?", "=",
    "HTTP/1.1", "GET ", "/api/", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}", "\u{1B}[2J", "\u{0}",
    "auto", "depth=", "evaluator", "ABCDEFGH", "131072",
  ]
}
