import Basics
import EndgameTables
import Game2048
import ModelFiles
import Play

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
}
