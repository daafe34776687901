import Basics
import EndgameTables
import Foundation
import Game2048
import ModelFiles
import NTupleNetwork
import Training

#if ALL_INPUTS
  import Experiments
  import Play
  import WebInterface
#endif

/// A reader of untrusted input.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case safetensors, compact, tdl2048, state, configuration, board, table
  #if ALL_INPUTS
    case recording, plan, player, game, games, http
  #endif

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
    case .state: FuzzedRun.resume(bytes)
    case .configuration: FuzzTarget.readConfiguration(bytes)
    case .board: FuzzTarget.readBoards(bytes)
    case .table: FuzzTarget.readTable(bytes)
    #if ALL_INPUTS
      case .recording: FuzzTarget.readRecording(bytes)
      case .plan: FuzzTarget.readPlan(bytes)
      case .player: FuzzTarget.readPlayer(bytes)
      case .game: FuzzTarget.readGame(bytes)
      case .games: FuzzTarget.readGames(bytes)
      case .http: FuzzTarget.readRequests(bytes)
    #endif
    }
  }

  private func withValidChecksums(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .safetensors, .compact: ChecksumRepair.safetensors(bytes)
    case .state: ChecksumRepair.safetensors(bytes) { FuzzedRun.bind(&$0) }
    case .table: ChecksumRepair.table(bytes)
    #if ALL_INPUTS
      case .recording: ChecksumRepair.recording(bytes)
    #endif
    default: nil
    }
  }
}

extension FuzzTarget {
  static func readWeights(_ bytes: [UInt8]) -> Bool {
    ScratchFile.with(bytes) { path in
      _ = try? WeightFile.verify(path)
      guard let model = try? LoadedModel.read(path) else { return false }
      // What was read can be written, and reads the same.
      ScratchFile.with([]) { copy in
        let written = try? WeightFile.write(model.network, metadata: model.metadata, to: copy)
        guard written != nil else { return }
        let again = try! LoadedModel.read(copy)
        precondition(again.metadata == model.metadata && again.network.shape == model.network.shape)
      }
      return true
    }
  }

  static func readTDL2048(_ bytes: [UInt8]) -> Bool {
    ScratchFile.with(bytes) { path in
      _ = try? TDL2048File.readHeader(path)
      guard let model = try? LoadedModel.read(path) else { return false }
      ScratchFile.with([]) { copy in
        _ = try? TDL2048File.write(model.network, to: copy)
        precondition(try! TDL2048File.read(copy).shape == model.network.shape)
      }
      return true
    }
  }

  static func readTable(_ bytes: [UInt8]) -> Bool {
    ScratchFile.with(bytes) { path in
      guard let table = try? EndgameTable(path: path) else { return false }
      try? table.verify()
      let tables = EndgameTables([table])
      let chains = ChainTables(table.shape.target == .chain ? [table] : [])
      for two in 0..<Board.cellCount where table.shape.locked >> UInt16(two) & 1 == 0 {
        var board = table.shape.emptyBoard
        board[two] = 1
        if let answer = tables.answer(to: board) {
          precondition((0...1).contains(answer.probability))
        }
        if let lead = chains.lead(on: board) {
          precondition((0...1).contains(lead.probability))
        }
      }
      return true
    }
  }
}

extension FuzzTarget {
  static func readConfiguration(_ bytes: [UInt8]) -> Bool {
    var reader = ConfigurationReader()
    reader.read(Data(bytes), name: "config")
    reader.set(String(decoding: bytes.prefix(64), as: UTF8.self))
    _ = try? reader.finished()

    var plain = ConfigurationReader()
    plain.read(Data(bytes), name: "config")
    guard let configuration = try? plain.finished() else { return false }
    _ = try! configuration.networkShape().byteCount
    _ = (configuration.methodText, configuration.length, configuration.startSettings)
    // What was read can be written, and reads the same.
    var again = ConfigurationReader()
    again.read(Data(configuration.jsonText.utf8), name: "again")
    precondition(try! again.finished().jsonText == configuration.jsonText)
    return true
  }

  static func readBoards(_ bytes: [UInt8]) -> Bool {
    let lines = try? TextFile.lines(of: Data(bytes), limit: .boardLine, name: "boards")
    var texts: [String] = []
    var isAccepted = false
    var boards = BoardLines()
    for line in lines ?? [] {
      for board in boards.take(line.text, line: line.number) { texts.append(board.text) }
    }
    if let rest = boards.end() { texts.append(rest.text) }
    for text in texts {
      do {
        let board = try Board(text: text)
        let again = try! Board(text: board.text)
        precondition(again == board)
        for size in 2...4 {
          let rules = Rules(size: size)
          if rules.haveRoom(for: board) { _ = rules.isOver(board) }
        }
        isAccepted = true
      } catch {
        _ = error.description
      }
    }
    return isAccepted
  }
}

#if ALL_INPUTS
  extension FuzzTarget {
    static func readRecording(_ bytes: [UInt8]) -> Bool {
      ScratchFile.with(bytes) { path in
        guard let file = try? GameRecordFile.read(path) else { return false }
        for player in file.entries.indices {
          for game in file.entries[player].indices {
            _ = try? file.replay(player: player, game: game, path: path)
          }
        }
        ScratchFile.with([]) { copy in
          try! file.write(to: copy)
          precondition(try! GameRecordFile.read(copy) == file)
        }
        return true
      }
    }

    static func readPlan(_ bytes: [UInt8]) -> Bool {
      func plan(_ data: Data) throws -> SweepPlan {
        try SweepPlanReader.plan(data, name: "plan") { _ in Data(#"{"threads": 2}"#.utf8) }
      }
      guard let read = try? plan(Data(bytes)) else { return false }
      _ = (read.budgets.map(\.length), SweepReport(read, []).csv)
      let again = try! plan(Data(read.json.indentedText.utf8))
      precondition(again.budgets == read.budgets)
      precondition(again.variants.map(\.name) == read.variants.map(\.name))
      precondition(
        again.variants.map(\.configuration.jsonText) == read.variants.map(\.configuration.jsonText))
      return true
    }

    static func readPlayer(_ bytes: [UInt8]) -> Bool {
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        let player = try PlayerSpecification(text)
        let again = try! PlayerSpecification(player.description)
        precondition(again == player)
        _ = (player.threads, player.milliseconds, player.models)
        return true
      } catch {
        _ = error.description
        return false
      }
    }

    static func readGame(_ bytes: [UInt8]) -> Bool {
      var isAccepted = false
      for size in 2...4 {
        do {
          let game = try PlayedGame(reading: Data(bytes), name: "game", rules: Rules(size: size))
          guard !game.moves.isEmpty else { continue }
          // Every move is legal, and the boards alone give the same final board.
          var again = PlayedGame(from: game.moves[0].board, rules: game.rules)
          for board in game.moves.dropFirst().map(\.board) + [game.board] {
            precondition(again.append(board))
          }
          precondition(again.board == game.board)
          isAccepted = true
        } catch {
          _ = error.description
        }
      }
      return isAccepted
    }

    static func readGames(_ bytes: [UInt8]) -> Bool {
      ScratchFile.with(bytes) { path in
        guard let table = try? GameTable(path: path) else { return false }
        // What was read can be written, and reads the same. The order of the players may be another.
        ScratchFile.with([]) { copy in
          try! table.write(to: copy)
          let again = try! GameTable(path: copy)
          precondition(again.seed == table.seed && Set(again.players) == Set(table.players))
        }
        return true
      }
    }

    private static let interface = WebInterface(
      modelName: "fuzzed", players: PlayerFactory(network: NTupleNetwork(FuzzedRun.shape)),
      runs: { [] },
      isSynchronous: true)

    static func readRequests(_ bytes: [UInt8]) -> Bool {
      // The bytes arrive in two parts, and where they are divided depends on them.
      let middle = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % (bytes.count + 1)
      let replies = try! interface.replies(to: [Array(bytes[..<middle]), Array(bytes[middle...])])
      return replies.starts(with: "HTTP/1.1 200".utf8)
    }
  }
#endif
