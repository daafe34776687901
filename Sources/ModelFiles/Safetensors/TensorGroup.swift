import NTupleNetwork

/// One number for every weight of a network, under a name: the weights, or an accumulator.
///
/// A file holds a tensor for each pattern, `NAME.CELLS`, `F32`, of shape `[16] × cells`: row-major,
/// the axes in the order in which the pattern lists its cells. Those of the second stage and of later
/// ones follow, as `NAME.stage1.CELLS`.
public struct TensorGroup: Sendable {
  public let name: String
  /// The tables of all patterns, in memory order.
  public let values: SharedWeights

  public init(_ name: String, _ values: SharedWeights) {
    self.name = name
    self.values = values
  }

  /// The name of the group that holds the weights.
  package static let weights = "pattern"

  package static func tensorName(_ group: String, _ table: NetworkShape.Table) -> String {
    table.stage == 0 ? "\(group).\(table.pattern)" : "\(group).stage\(table.stage).\(table.pattern)"
  }
}

extension SafetensorsHeader {
  /// The header of a file that holds these groups, one after the other.
  ///
  /// - Precondition: the names of the groups differ, and so do the patterns.
  package init(metadata: [String: String], groups: [String], shape: NetworkShape) {
    self.init(metadata: metadata)
    for group in groups {
      for table in shape.tables {
        appendNew(
          TensorGroup.tensorName(group, table), .float32,
          shape: Array(repeating: Pattern.valuesPerCell, count: table.pattern.cells.count))
      }
    }
  }
}
