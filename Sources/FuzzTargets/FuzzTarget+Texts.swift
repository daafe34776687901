import Basics
import Experiments
import Foundation
import Game2048
import NTupleNetwork
import Play
import Training
import WebInterface

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

  static func readBoards(_ bytes: [UInt8]) -> Bool {
    let lines = try? TextFile.lines(of: Data(bytes), limit: .boardLine, name: "boards")
    var isAccepted = false
    for line in lines ?? [] {
      do {
        let board = try Board(text: line.text)
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

  static func readGame(_ bytes: [UInt8]) -> Bool {
    guard let lines = try? TextFile.lines(of: Data(bytes), limit: .boardLine, name: "game") else {
      return false
    }
    var isAccepted = false
    for size in 2...4 {
      do {
        let game = try PlayedGame(lines: lines, name: "game", rules: Rules(size: size))
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

  private static let interface = WebInterface(
    modelName: "fuzzed", network: NTupleNetwork(FuzzedRun.shape), rules: .standard, runs: { [] },
    isSynchronous: true)

  static func readRequests(_ bytes: [UInt8]) -> Bool {
    // The bytes arrive in two parts, and where they are divided depends on them.
    let middle = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % (bytes.count + 1)
    let replies = try! interface.replies(to: [Array(bytes[..<middle]), Array(bytes[middle...])])
    return replies.starts(with: "HTTP/1.1 200".utf8)
  }
}
