import Arena
import Game2048
import NTupleNetwork

extension Contestant {
  /// The player that a `PLAYER` text means.
  ///
  /// - Parameters:
  ///   - name: what to call it; nil for the specification's own text.
  ///   - loadModel: see ``PlayerSpecification/makeFactory(rules:loadModel:)``.
  /// - Throws: what `loadModel` throws.
  public init(
    _ specification: PlayerSpecification, name: String? = nil, rules: Rules = .standard,
    loadModel: (String?) throws -> NTupleNetwork
  ) throws {
    self.init(
      name: name ?? specification.description,
      makePlayer: try specification.makeFactory(rules: rules, loadModel: loadModel))
  }
}
