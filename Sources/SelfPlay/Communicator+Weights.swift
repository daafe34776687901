import NTupleNetwork
import Ranks

extension Communicator {
  /// Replaces the entries of a table by those that it has on rank 0. All ranks call it together.
  ///
  /// - Precondition: The table has the same size on all ranks.
  package func broadcast(_ table: SharedWeights) {
    // 16 MiB at once.
    let pieceCount = 4 << 20
    unsafe table.withUnsafeWeights { weights in
      for start in stride(from: 0, to: weights.count, by: pieceCount) {
        let piece = unsafe UnsafeMutableBufferPointer(
          rebasing: weights[start..<min(start + pieceCount, weights.count)])
        // Pages of zeros take no memory as long as nobody writes them.
        var isZero: [UInt8] = [unsafe piece.allSatisfy { $0 == 0 } ? 1 : 0]
        unsafe isZero.withUnsafeMutableBytes { unsafe broadcast($0) }
        if isZero[0] == 0 { unsafe broadcast(UnsafeMutableRawBufferPointer(piece)) }
      }
    }
  }
}
