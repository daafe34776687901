import CCounters

/// The allocations and reference counting operations of some work on one thread.
public struct Counters: Equatable, Sendable {
  /// The number of blocks allocated.
  public var allocations: Int
  /// The number of retains and releases; 0 on platforms where only allocations can be counted.
  public var referenceOperations: Int

  public init(allocations: Int = 0, referenceOperations: Int = 0) {
    self.allocations = allocations
    self.referenceOperations = referenceOperations
  }

  /// Whether this platform can count.
  public static var areAvailable: Bool { cc_can_count() }

  /// Performs `work` on the calling thread and counts its operations.
  public static func of(_ work: () -> Void) -> Counters {
    let (allocations, references) = (cc_allocations(), cc_reference_operations())
    work()
    return Counters(
      allocations: Int(cc_allocations() - allocations),
      referenceOperations: Int(cc_reference_operations() - references))
  }
}
