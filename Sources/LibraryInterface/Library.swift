// swift-format-ignore-file: AlwaysUseLowerCamelCase
// C functions have the names of the header.

import Basics
import CLearn2048
import Game2048
import Learning
import Play

// The functions of the C interface that need no object. The header documents all functions.

@c @implementation
public func learn2048_text(_ length: UnsafeMutablePointer<Int64>!) -> UnsafePointer<CChar>! {
  let text = ThreadText.current
  unsafe length?.pointee = Int64(text.count)
  return unsafe UnsafePointer(text.bytes)
}

@c @implementation
public func learn2048_start(_ home: UnsafePointer<CChar>!) -> Int32 {
  status {
    DenseKernels.useOneThreadPerCaller()
    if let home = unsafe home { ModelLocator.setHome(unsafe try string(home, "home")) }
    ThreadText.current.set(Array(Version.current.utf8))
  }
}

@c @implementation
public func learn2048_close(_ object: learn2048_handle) -> Int32 {
  status { try HandleTable.shared.close(object) }
}

@c @implementation
public func learn2048_share(
  _ object: learn2048_handle, _ shared: UnsafeMutablePointer<learn2048_handle>!
) -> Int32 {
  status {
    let shared = unsafe try required(shared, "shared")
    unsafe shared.pointee = try HandleTable.shared.share(object)
  }
}

@c @implementation
public func learn2048_board(
  _ text: UnsafePointer<CChar>!, _ board: UnsafeMutablePointer<UInt8>!
) -> Int32 {
  status {
    let (text, board) = (unsafe try string(text, "text"), unsafe try required(board, "board"))
    do {
      unsafe store(try Board(text: text), 0, in: board)
    } catch let error as BoardTextError {
      throw Failure.usage("\(error)")
    }
  }
}

@c @implementation
public func learn2048_moves(
  _ size: Int32, _ boards: UnsafePointer<UInt8>!, _ count: Int64,
  _ afterstates: UnsafeMutablePointer<UInt8>!, _ rewards: UnsafeMutablePointer<Int32>!,
  _ legal: UnsafeMutablePointer<UInt8>!, _ threads: Int32
) -> Int32 {
  status {
    let rules = try validatedRules(size: size, fourProbability: Rules.standardFourProbability)
    let boards = unsafe try BoardArray(boards, count: count, rules: rules)
    let (afterstates, rewards) = unsafe (
      try required(afterstates, "afterstates"), try required(rewards, "rewards")
    )
    let legal = unsafe try required(legal, "legal")
    HandleTable.shared.workers.run(
      over: boards.count, by: 512, threads: try validated(threads: threads)
    ) { range in
      for index in range {
        let board = boards[index]
        let moves = rules.moves(from: board)
        for move in 0..<4 {
          unsafe store(moves.afterstate(ofMove: move), 4 &* index &+ move, in: afterstates)
          unsafe rewards[4 &* index &+ move] = moves.rewards[move]
        }
        unsafe store(legal: moves.legalMoves(from: board), index, in: legal)
      }
    }
  }
}
