import CCounters

/// What a piece of work asks of the allocator and of reference counting, on its own thread.
public struct Counters: Equatable, Sendable {
  /// Blocks allocated.
  public var allocations: Int
  /// Retains and releases; 0 where only allocations can be counted.
  public var referenceOperations: Int

  public init(allocations: Int = 0, referenceOperations: Int = 0) {
    self.allocations = allocations
    self.referenceOperations = referenceOperations
  }

  /// Whether this platform can count.
  public static var areAvailable: Bool { cc_can_count() }

  /// Does `work` on the calling thread and counts.
  public static func of(_ work: () -> Void) -> Counters {
    let (allocations, references) = (cc_allocations(), cc_reference_operations())
    work()
    return Counters(
      allocations: Int(cc_allocations() - allocations),
      referenceOperations: Int(cc_reference_operations() - references))
  }
}
