import Basics
import Ranks

/// The time that the ranks of a job take to send each other messages of some sizes.
package struct ExchangeReport: Codable, Sendable {
  /// The number of ranks.
  package var ranks: Int
  package var rows: [Row] = []

  /// The exchange of messages of one size.
  package struct Row: Codable, Sendable {
    /// The bytes that each rank sends, and that every other rank receives from it.
    package var bytes: Int
    /// The time of an exchange on rank 0, in seconds.
    package var seconds: Summary
    /// The bytes that a rank receives from the others in a second, at the median time.
    package var bytesPerSecond: Double
  }

  /// The sizes of the messages, in bytes.
  package static let sizes = [8, 1 << 10, 1 << 16, 1 << 20, 1 << 24]

  /// Exchanges messages of each size. All ranks call it together.
  ///
  /// - Parameter repeats: The number of exchanges that are measured, after one that is not.
  package init(_ communicator: any Communicator, sizes: [Int] = sizes, repeats: Int) {
    ranks = communicator.size
    for size in sizes {
      let message = [UInt8](repeating: UInt8(truncatingIfNeeded: communicator.rank), count: size)
      let samples = (0...repeats).map { _ in
        // No rank waits for another one within the time that is measured.
        _ = communicator.allGather([])
        let began = SuspendingClock.now
        _ = communicator.allGather(message)
        return began.duration(to: .now).seconds
      }
      let seconds = Summary(of: Array(samples.dropFirst()))
      rows.append(
        Row(
          bytes: size, seconds: seconds,
          bytesPerSecond: Double(size * (ranks - 1)) / seconds.median))
    }
  }
}
