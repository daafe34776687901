import Checkpoints
import ModelFiles
import NTupleNetwork
import TDLearning

extension SavedState {
  private static let learning = "learning"

  /// Creates a state with the tables of the update rules, and the weights that learn if the checkpoint holds
  /// their average.
  init(text: String, accumulators: Accumulators, learning: SharedWeights?) {
    // In the order in which the rules list them.
    let names = LearningMethod.allCases.flatMap { $0.rule.accumulatorNames }
    var groups = names.compactMap { name in
      accumulators.tables[name].map { TensorGroup(name, $0) }
    }
    if let learning { groups.append(TensorGroup(SavedState.learning, learning)) }
    self.init(text: text, accumulators: groups)
  }

  /// The weights that learn; nil if they are those of the checkpoint.
  var learningWeights: SharedWeights? { accumulator(SavedState.learning) }

  /// Returns the tables that the rules of these methods keep; nil if the state lacks one.
  func accumulators(of shape: NetworkShape, for methods: Set<LearningMethod>) -> Accumulators? {
    let names = Accumulators.names(for: methods)
    let tables = names.compactMap { name in accumulator(name).map { (name, $0) } }
    guard tables.count == names.count else { return nil }
    return Accumulators(shape, tables: Dictionary(uniqueKeysWithValues: tables))
  }
}
