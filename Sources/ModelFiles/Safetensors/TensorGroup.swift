import NTupleNetwork

/// A named group of values, one per weight of a network: the weights, or an accumulator.
///
/// A file has one `F32` tensor per pattern, named `NAME.CELLS`, of shape `[16] × cells`, row-major. Its axes
/// are the cells in listed order. The tensors of later stages follow, named `NAME.stage1.CELLS` and so on.
package struct TensorGroup: Sendable {
  /// The name of the group, with which the names of its tensors begin.
  package let name: String
  /// The values of all tables, in memory order.
  package let values: SharedWeights

  /// Creates a group.
  package init(_ name: String, _ values: SharedWeights) {
    self.name = name
    self.values = values
  }

  /// The name of the group that holds the weights.
  package static let weights = "pattern"

  /// Returns the name of the tensor that stores a table of a group.
  package static func tensorName(_ group: String, _ table: NetworkShape.Table) -> String {
    table.stage == 0 ? "\(group).\(table.pattern)" : "\(group).stage\(table.stage).\(table.pattern)"
  }
}

extension SafetensorsHeader {
  /// Creates the header of a file that holds these groups, one after the other.
  ///
  /// - Precondition: The names of the groups are unique, and so are the patterns.
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
