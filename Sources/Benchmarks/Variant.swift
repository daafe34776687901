import Basics

/// One of several alternatives to measure.
package struct Variant {
  /// The properties that distinguish the variant, in the order of the columns of a table.
  let parameters: KeyValuePairs<String, JSONValue>
  /// The number of threads that have work, by which CPU time is divided.
  let threadsAtWork: Int
  /// The time budget per move in milliseconds; nil without a budget.
  var moveBudget: Double?
  /// Prepares, warms up and measures.
  let measure: () throws -> Measurement
}
