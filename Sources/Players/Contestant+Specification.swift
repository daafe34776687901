import Arena
import Game2048
import NTupleNetwork

extension Contestant {
  /// Creates the contestant of a PLAYER text.
  ///
  /// - Parameters:
  ///   - name: The name in tables; nil for the canonical text.
  ///   - loadModel: See ``PlayerSpecification/makeFactory(rules:loadModel:)``.
  /// - Throws: The errors of `loadModel`.
  package init(
    _ specification: PlayerSpecification, name: String? = nil, rules: Rules = .standard,
    loadModel: (String?) throws -> NTupleNetwork
  ) throws {
    self.init(
      name: name ?? specification.description,
      makePlayer: try specification.makeFactory(rules: rules, loadModel: loadModel))
  }
}
