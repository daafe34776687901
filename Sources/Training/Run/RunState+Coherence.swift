import Checkpoints
import ModelFiles
import NTupleNetwork
import TDLearning

extension RunState {
  private static let learning = "learning"

  /// A state with the tables of the update rules, and the weights that learn, where those of the
  /// checkpoint are their average.
  init(text: String, accumulators: Accumulators, learning: SharedWeights?) {
    let named = accumulators.tables.sorted { RunState.place($0.key) < RunState.place($1.key) }
    var groups = named.map { TensorGroup($0.key, $0.value) }
    if let learning { groups.append(TensorGroup(RunState.learning, learning)) }
    self.init(text: text, accumulators: groups)
  }

  /// The place of a table in a file: the order in which the rules list them.
  private static func place(_ name: String) -> Int {
    LearningMethod.allCases.flatMap { $0.rule.accumulatorNames }.firstIndex(of: name) ?? .max
  }

  /// The weights that learn; nil if they are those of the checkpoint.
  var learningWeights: SharedWeights? { accumulator(RunState.learning) }

  /// The tables that the rules of these methods keep; nil if the state lacks one.
  func accumulators(of shape: NetworkShape, for methods: Set<LearningMethod>) -> Accumulators? {
    let names = Set(methods.flatMap { $0.rule.accumulatorNames })
    let tables = names.compactMap { name in accumulator(name).map { (name, $0) } }
    guard tables.count == names.count else { return nil }
    return Accumulators(shape, tables: Dictionary(uniqueKeysWithValues: tables))
  }
}
