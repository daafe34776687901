import Basics
import Testing

/// Leaves out flushes to the medium, which no test can observe, and which take most of the time of small runs.
public struct WithoutFlushing: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var operations = FileOperations.current
    operations.synchronize = { _ in 0 }
    operations.synchronizeDirectory = { _ in 0 }
    try await FileOperations.$current.withValue(operations, operation: function)
  }
}

extension Trait where Self == WithoutFlushing {
  public static var withoutFlushing: Self { Self() }
}
