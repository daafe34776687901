/// The places of several messages in one region, one after the other, as MPI counts them.
///
/// MPI counts bytes by numbers of 32 bits, so the region has less than 2 GiB.
package struct MessageLayout: Equatable, Sendable {
  /// The length of each message, in bytes.
  package let counts: [Int32]
  /// The place at which each message begins, in bytes.
  package let offsets: [Int32]
  /// The length of the region, in bytes.
  package let total: Int

  /// Lays out messages of these lengths in bytes; nil if they have 2 GiB or more together.
  package init?(_ lengths: [Int]) {
    var (counts, offsets): ([Int32], [Int32]) = ([], [])
    var total: Int32 = 0
    for length in lengths {
      guard let count = Int32(exactly: length) else { return nil }
      counts.append(count)
      offsets.append(total)
      let (sum, isTooLong) = total.addingReportingOverflow(count)
      if isTooLong { return nil }
      total = sum
    }
    (self.counts, self.offsets, self.total) = (counts, offsets, Int(total))
  }

  /// Divides a region into its messages.
  ///
  /// - Precondition: The region has ``total`` bytes.
  package func messages(in region: [UInt8]) -> [[UInt8]] {
    precondition(region.count == total, "a region of another layout")
    return zip(offsets, counts).map { Array(region[Int($0)..<Int($0) + Int($1)]) }
  }
}
