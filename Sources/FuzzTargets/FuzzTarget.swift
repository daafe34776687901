import Basics
import Foundation
import Game2048

/// A reader of untrusted input.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case safetensors, compact, tdl2048, recording, state, configuration, plan, player, board, game,
    http, table, games

  /// Reads an input as the program does, and as it is after its checksums are made valid.
  ///
  /// An input that the reader rejects is fine. A crash, or a value that does not survive being written and read
  /// again, is a bug: the process ends.
  ///
  /// - Returns: Whether the reader accepted the input in one of these forms.
  @discardableResult
  public func run(_ bytes: [UInt8]) -> Bool {
    // Nothing needs to survive a power failure.
    var operations = FileOperations.current
    operations.synchronize = { _ in 0 }
    return FileOperations.$current.withValue(operations) {
      // To ask the system takes longer than to read most inputs.
      Memory.$assumed.withValue(1 << 30) {
        let isAccepted = read(bytes)
        return withValidChecksums(bytes).map { read($0) } ?? false || isAccepted
      }
    }
  }

  private func read(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .safetensors, .compact: FuzzTarget.readWeights(bytes)
    case .tdl2048: FuzzTarget.readTDL2048(bytes)
    case .recording: FuzzTarget.readRecording(bytes)
    case .state: FuzzedRun.resume(bytes)
    case .configuration: FuzzTarget.readConfiguration(bytes)
    case .plan: FuzzTarget.readPlan(bytes)
    case .player: FuzzTarget.readPlayer(bytes)
    case .board: FuzzTarget.readBoards(bytes)
    case .game: FuzzTarget.readGame(bytes)
    case .http: FuzzTarget.readRequests(bytes)
    case .table: FuzzTarget.readTable(bytes)
    case .games: FuzzTarget.readGames(bytes)
    }
  }

  private func withValidChecksums(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .safetensors, .compact: ChecksumRepair.safetensors(bytes)
    case .state: ChecksumRepair.safetensors(bytes) { FuzzedRun.bind(&$0) }
    case .recording: ChecksumRepair.recording(bytes)
    default: nil
    }
  }
}

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
