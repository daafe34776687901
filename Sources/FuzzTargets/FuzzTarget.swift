import Basics

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
