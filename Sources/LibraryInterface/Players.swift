// swift-format-ignore-file: AlwaysUseLowerCamelCase
// C functions have the names of the header.

import Basics
import CLearn2048
import Game2048
import NTupleNetwork
import Play
import Search

/// A player of a PLAYER text.
final class NamedPlayer: Sendable {
  let specification: PlayerSpecification
  let rules: Rules
  /// The network of a player that is this network and nothing else.
  private let network: (any PlayableNetwork)?
  private let makePlayer: PlayerFactory.Maker

  /// Reads what the player needs.
  ///
  /// - Parameter network: The network of a player that names no model; nil for the default one.
  init(_ text: String, network: Network?) throws {
    specification = try PlayerSpecification(text)
    let namesModel = specification.models.contains { $0 != nil }
    let factory = namesModel ? PlayerFactory() : network?.players ?? PlayerFactory()
    makePlayer = try factory.maker(of: specification)
    rules = factory.rules ?? .standard
    self.network =
      specification.isGreedyNetwork ? try factory.network(specification.model) : nil
  }

  /// Computes the action values of boards, as `analyze` does: by a new player for each.
  func decide(
    _ boards: BoardArray, values: UnsafeMutablePointer<Double>, best: UnsafeMutablePointer<Int8>,
    threads: Int
  ) throws {
    try PlayerFactory.requireMemory(for: specification, inParallel: threads)
    let pool = HandleTable.shared.workers
    if let network {
      pool.run(over: boards.count, by: 128, threads: threads) { range in
        unsafe network.decide(on: boards, in: range, rules: rules, values: values, best: best)
      }
      return
    }
    pool.run(chunks: boards.count, threads: threads) { index in
      let board = boards[index]
      var player = makePlayer(board.analysisSeed)
      let decision = player.decide(on: board)
      for (move, evaluation) in decision.moves.enumerated() {
        unsafe values[4 * index + move] = evaluation.value ?? .nan
      }
      unsafe best[index] = decision.best.map { Int8($0.rawValue) } ?? -1
    }
  }

  func play(seed: UInt64, game: Int) -> GameResult {
    let spawns = GameSpawns(seed: seed, game: game)
    return GameResult(
      of: makePlayer(spawns.playerSeed), spawns: spawns, rules: rules, isRecorded: true)
  }

  /// Reviews a game.
  func review(_ record: GameRecord, threads: Int) throws -> ReviewedGame {
    guard specification.valuesArePoints else {
      throw Failure.usage(
        "the values of \(specification) are not points, so its losses mean nothing. Review with a learned player, or "
          + "with montecarlo without an evaluator.")
    }
    try PlayerFactory.requireMemory(for: specification, inParallel: threads)
    let game = try PlayedGame(GameReplay(record, rules: rules))
    return ReviewedGame(
      player: "\(specification)",
      review: GameReview(of: game, threads: threads, makePlayer: makePlayer))
  }
}

extension PlayableNetwork {
  /// Writes the action values and moves of the boards in a range.
  @unsafe
  fileprivate func decide(
    on boards: BoardArray, in range: Range<Int>, rules: Rules,
    values: UnsafeMutablePointer<Double>, best: UnsafeMutablePointer<Int8>
  ) {
    for index in range {
      unsafe best[index] = decide(on: boards[index], rules: rules, values: values + 4 &* index)
    }
  }

  /// Writes the action values of a board as `GreedyNetworkPlayer` computes them, and returns its move; -1 if none is legal.
  @unsafe
  fileprivate func decide(
    on board: Board, rules: Rules, values: UnsafeMutablePointer<Double>
  ) -> Int8 {
    let moves = rules.moves(from: board)
    let legal = moves.legalMoves(from: board)
    var planes = SIMD4<UInt64>.zero
    for move in 0..<4 { planes[move] = self.planes(of: moves.afterstate(ofMove: move)) }
    var sums = SIMD4<Double>.zero
    for move in 0..<4 where legal >> UInt8(move) & 1 == 1 {
      sums[move] = Double(value(ofPlanes: planes[move]))
    }
    var (best, bestValue): (Int8, Float) = (-1, -.infinity)
    for move in 0..<4 {
      guard legal >> UInt8(move) & 1 == 1 else {
        unsafe values[move] = .nan
        continue
      }
      // The sums are floats, and so is the player's arithmetic.
      let value = Float(moves.rewards[move]) + Float(sums[move])
      unsafe values[move] = Double(value)
      if best < 0 || value > bestValue { (best, bestValue) = (Int8(move), value) }
    }
    return best
  }
}

// MARK: C functions

@c @implementation
public func learn2048_player_open(
  _ text: UnsafePointer<CChar>!, _ network: learn2048_handle,
  _ player: UnsafeMutablePointer<learn2048_handle>!
) -> Int32 {
  status {
    let handle = unsafe try required(player, "player")
    let network =
      network == 0 ? nil : try HandleTable.shared.find(network, as: Network.self)
    let player = try NamedPlayer(unsafe try string(text, "text"), network: network)
    unsafe handle.pointee = HandleTable.shared.open(player)
    ThreadText.current.set(Array("\(player.specification)".utf8))
  }
}

@c @implementation
public func learn2048_player_moves(
  _ player: learn2048_handle, _ boards: UnsafePointer<UInt8>!, _ count: Int64,
  _ values: UnsafeMutablePointer<Double>!, _ best: UnsafeMutablePointer<Int8>!, _ threads: Int32
) -> Int32 {
  status {
    let player = try find(player)
    let boards = unsafe try BoardArray(boards, count: count, rules: player.rules)
    unsafe try player.decide(
      boards, values: try required(values, "values"), best: try required(best, "best"),
      threads: try validated(threads: threads))
  }
}

@c @implementation
public func learn2048_player_play(
  _ player: learn2048_handle, _ seed: UInt64, _ game: Int64,
  _ result: UnsafeMutablePointer<learn2048_game>!
) -> Int32 {
  status {
    let player = try find(player)
    let result = unsafe try required(result, "result")
    guard (0...(1 << 32)).contains(game) else {
      throw Failure.usage("the number of the game is \(game), not 0 to 2^32")
    }
    let played = player.play(seed: seed, game: Int(game))
    unsafe result.pointee = learn2048_game(
      score: Int64(played.score), moves: Int64(played.moves),
      largest_exponent: Int32(played.largestExponent), size: Int32(player.rules.size),
      four_probability: player.rules.fourProbability)
    ThreadText.current.set(played.record!.bytes)
  }
}

@c @implementation
public func learn2048_game_replay(
  _ record: UnsafePointer<UInt8>!, _ length: Int64, _ size: Int32, _ fourProbability: Double,
  _ boards: UnsafeMutablePointer<UInt8>!, _ moves: UnsafeMutablePointer<Int64>!,
  _ rewards: UnsafeMutablePointer<Int32>!, _ capacity: Int64,
  _ result: UnsafeMutablePointer<learn2048_game>!
) -> Int32 {
  status {
    let result = unsafe try required(result, "result")
    let rules = try validatedRules(size: size, fourProbability: fourProbability)
    let record = unsafe try gameRecord(record, length)
    let game = try PlayedGame(GameReplay(record, rules: rules))
    if capacity != 0 {
      guard capacity == game.moves.count else {
        throw Failure.usage(
          "there is room for \(capacity) moves, but the game has \(game.moves.count)")
      }
      let boards = unsafe try required(boards, "boards")
      let (moves, rewards) = unsafe (
        try required(moves, "moves"), try required(rewards, "rewards")
      )
      for count in 0...game.moves.count {
        let position = game.position(after: count)
        unsafe store(position.board, count, in: boards)
        guard let move = position.move else { continue }
        unsafe moves[count - 1] = Int64(move.direction.rawValue)
        unsafe rewards[count - 1] = Int32(move.reward)
      }
    }
    unsafe result.pointee = learn2048_game(
      score: Int64(game.score), moves: Int64(game.moves.count),
      largest_exponent: Int32(game.board.largestTileExponent), size: size,
      four_probability: fourProbability)
  }
}

@c @implementation
public func learn2048_player_review(
  _ player: learn2048_handle, _ record: UnsafePointer<UInt8>!, _ length: Int64, _ threads: Int32
) -> Int32 {
  status {
    let player = try find(player)
    let record = unsafe try gameRecord(record, length)
    let review = try player.review(record, threads: try validated(threads: threads))
    ThreadText.current.set(Array(review.json.text.utf8))
  }
}

private func find(_ handle: learn2048_handle) throws -> NamedPlayer {
  try HandleTable.shared.find(handle, as: NamedPlayer.self)
}

/// Copies a record of a caller.
private func gameRecord(_ bytes: UnsafePointer<UInt8>?, _ length: Int64) throws -> GameRecord {
  let bytes = unsafe try required(bytes, "record")
  guard InputLimit.recordedGame.allows(Int(clamping: length)) else {
    throw Failure.usage(
      "the record has \(length) bytes, and the limit is \(InputLimit.recordedGame.words)")
  }
  return unsafe GameRecord(bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(length))))
}
