import Basics
import EndgameTables
import Game2048
import TestSupport
import Testing

@testable import Play
@testable import Search

@Suite struct EndgamePlayerTests {
  private let directory: TemporaryDirectory
  private let tables: ChainTables

  init() throws {
    directory = try TemporaryDirectory()
    let shape = try #require(
      TableShape(
        locked: CellSet("###./###./..../....")!, goal: 5, target: .chain, margin: 0))
    _ = try TableBuilder(shape, directory: directory.path, threads: 1).build { _ in }
    tables = ChainTables(try EndgameTable.all(in: directory.path, target: .chain))
  }

  /// A board that the table knows; the largest tile is 16384.
  private let known = Board(exponents: [14, 13, 12, 4, 11, 10, 5, 3, 0, 0, 1, 1, 0, 0, 0, 1])

  private func player(_ text: String) throws -> any Player {
    try PlayerFactory().player(PlayerSpecification(text), seed: 1)
  }

  @Test func theTableLeadsFromTheTileOn() throws {
    let lead = try #require(tables.lead(on: known))
    for depth in [1, 2] {
      var endgame = try player("heuristic:depth=\(depth),endgame=\(directory.path)")
      let decision = endgame.decide(on: known)
      #expect(decision.best == lead.move && endgame.chooseMove(from: known) == lead.move)
      #expect(decision.isFromTable)
      for move in decision.moves {
        let probability = lead.probabilities[move.direction.rawValue]
        #expect(move.value == (move.legal ? probability : nil))
      }
      // Without the tile, the other player chooses.
      var earlier = known
      earlier[0] = 12
      earlier[1] = 9
      earlier[2] = 8
      var plain = try player("heuristic:depth=\(depth)")
      #expect(endgame.decide(on: earlier) == plain.decide(on: earlier))
    }
  }

  @Test func withoutALeadTheSearchChooses() throws {
    var unknown = known
    unknown[8] = 6
    #expect(tables.lead(on: unknown) == nil)
    let factory = PlayerFactory()
    let text = "heuristic:depth=2,endgame=\(directory.path)"
    var endgame = try factory.player(PlayerSpecification(text), seed: 1)
    var search = try player("expectimax:evaluator=cornerChain,depth=2")
    #expect(endgame.decide(on: unknown) == search.decide(on: unknown))
    #expect(endgame.chooseMove(from: unknown) == search.chooseMove(from: unknown))
    #expect(!endgame.decide(on: unknown).isFromTable)
    // Of these three boards and one that a table plays, one has an answer; earlier boards do not count.
    _ = endgame.chooseMove(from: known)
    _ = endgame.chooseMove(from: try Board(text: "1020000000000000"))
    let counts = try #require(factory.tableCounters[text]?.counts)
    #expect(counts == (boards: 4, answers: 1))
  }

  @Test func boardsWithA65536AreSearchedAsDowngradedOnes() throws {
    let board = try Board(text: "G611E53054203110")
    let downgraded = try Board(text: "F611E53054203110")
    #expect(tables.lead(on: board) == nil)
    var endgame = try player("heuristic:depth=3,downgrade=1024,endgame=\(directory.path)")
    var search = try player("expectimax:evaluator=cornerChain,depth=3")
    let (decision, expected) = (endgame.decide(on: board), search.decide(on: downgraded))
    #expect(decision.best == expected.best)
    #expect(decision.moves.map(\.value) == expected.moves.map(\.value))
    #expect(decision.moves.map(\.value) != search.decide(on: board).moves.map(\.value))
    #expect(endgame.chooseMove(from: board) == expected.best)
  }

  @Test func movesOfTheTablesLeaveTheirTimeToSearches() throws {
    let bank = TimeBank(milliseconds: 1)
    var endgame = EndgamePlayer(
      name: "endgame", before: GreedyPlayer(), handoverExponent: 14, tables: tables,
      search: GreedyPlayer(), counter: TableCounter(), bank: bank, rules: .standard)
    _ = endgame.chooseMove(from: known)
    _ = endgame.decide(on: known)
    #expect(bank.saved == 2_000_000)
    var unknown = known
    unknown[8] = 6
    _ = endgame.chooseMove(from: unknown)
    #expect(bank.saved == 2_000_000, "a search settles its time itself")
  }

  @Test func eachSearchHasItsHorizon() throws {
    let endgame = try #require(
      try player("heuristic:average=1,endgame=\(directory.path)") as? EndgamePlayer)
    let before = try #require(endgame.before as? ExpectimaxPlayer)
    let search = try #require(endgame.search as? ExpectimaxPlayer)
    #expect(before.settings.horizon == TimeBank.standardHorizon)
    #expect(search.settings.horizon == EndgamePlayer.horizon)
  }

  @Test func theTileOfTheHandoverCanBeChosen() throws {
    var earlier = known
    earlier[0] = 12
    earlier[2] = 8
    #expect(tables.lead(on: earlier) != nil)
    var from8192 = try player("heuristic:depth=1,endgame=\(directory.path)")
    var from16384 = try player("heuristic:depth=1,endgame=\(directory.path),handover=16384")
    #expect(from8192.decide(on: earlier) != from16384.decide(on: earlier))
  }
}
