import Foundation
import RandomSources

/// A deterministic sequence of inputs for a target: its corpus, and then changes of that.
public struct FuzzLoop: Sendable {
  /// The target.
  public let target: FuzzTarget
  private let corpus: [[UInt8]]
  private let seed: UInt64

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - corpus: The directory with a subdirectory of inputs for each target.
  ///   - seed: The seed of the changes.
  /// - Throws: The error of reading the corpus.
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
