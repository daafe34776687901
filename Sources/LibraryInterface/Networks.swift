// swift-format-ignore-file: AlwaysUseLowerCamelCase
// C functions have the names of the header.

import Basics
import CLearn2048
import Foundation
import Game2048
import Learning
import ModelFiles
import NTupleNetwork
import Play
import Synchronization
import Training

/// A network of a caller, with what a weight file states about it.
///
/// Threads read and update it like the workers of a run. While it is saved, nothing updates it.
final class Network: Sendable {
  /// The network as it was read, until somebody changes or looks at its weights.
  private let current: Mutex<any PlayableNetwork>
  let metadata: ModelMetadata
  let rules: Rules
  /// Makes players with this network.
  let players: PlayerFactory
  private let accumulators = Mutex<Accumulators?>(nil)
  /// The number of updates in progress, or -1 while the network is saved.
  private let updates = Atomic<Int>(0)

  /// The number of rows of an update that share a visit of each table.
  private static let batch = 512

  init(_ network: any PlayableNetwork, _ metadata: ModelMetadata, _ rules: Rules) {
    current = Mutex(network)
    (self.metadata, self.rules) = (metadata, rules)
    players = PlayerFactory(network: network, rules: rules)
  }

  /// The network that plays.
  var network: any PlayableNetwork { current.withLock(\.self) }

  /// Returns the network that learns. It plays from then on.
  ///
  /// - Throws: `LocatedError` if it does not fit into memory.
  func learningNetwork() throws -> NTupleNetwork {
    try current.withLock { network in
      if let known = network as? NTupleNetwork { return known }
      try Memory.require(network.shape.byteCount, for: "the network's weights", path: "network")
      let thawed = network.thawed()
      network = thawed
      players.add(thawed, as: PlayerFactory.networkName)
      return thawed
    }
  }

  /// Creates a network of zeros.
  ///
  /// - Throws: `ConfigurationError`, or `LocatedError` if it does not fit into memory.
  convenience init(configuration text: String) throws {
    var reader = ConfigurationReader()
    // The length of a run that never starts.
    reader.set("episodes", to: .integer(1), option: "configuration")
    reader.read(Data(text.utf8), name: "configuration")
    let configuration = try reader.finished()
    let shape = try configuration.networkShape()
    try Memory.require(shape.byteCount, for: "the network's weights", path: "configuration")
    self.init(
      NTupleNetwork(shape),
      ModelMetadata(
        config: configuration.jsonText, fourProbability: configuration.fourProbability,
        version: Version.current),
      configuration.rules)
  }

  /// Updates the network by errors, on up to `threads` threads.
  func update(
    _ boards: BoardArray, errors: UnsafePointer<Float>, learningRate: Float, method: LearningMethod,
    threads: Int
  ) throws {
    let network = try learningNetwork()
    let rule = try rule(method, network.shape, learningRate: learningRate)
    try change(by: 1, while: { $0 >= 0 }, "the network is being saved")
    defer { updates.wrappingSubtract(1, ordering: .releasing) }
    // A thread gets all of its rows at once, because its buffers are large.
    let share = max(Network.batch, (boards.count + threads - 1) / threads)
    HandleTable.shared.workers.run(over: boards.count, by: share, threads: threads) { range in
      let rows = ErrorRows(capacity: min(Network.batch, range.count))
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Network.batch) {
        let count = min(Network.batch, range.upperBound - start)
        for row in 0..<count {
          rows.images.store(planes: network.planes(of: boards[start + row]), row: row)
          rows.errors[row] = unsafe errors[start + row]
        }
        rows.update(network, by: rule, count: count)
      }
    }
  }

  private func rule(
    _ method: LearningMethod, _ shape: NetworkShape, learningRate: Float
  ) throws -> any UpdateRule {
    let names = method.rule.accumulatorNames
    let tables = try accumulators.withLock { known in
      if let known, names.allSatisfy({ known.tables[$0] != nil }) { return known }
      let missing = Accumulators.names(for: LearningMethod.allCases)
      if names.isEmpty { return Accumulators(shape, tables: [:]) }
      try Memory.require(
        missing.count * shape.byteCount, for: "the tables of \(method.rawValue)",
        path: "network")
      let new = Accumulators(shape, for: LearningMethod.allCases)
      known = new
      return new
    }
    return method.rule.init(learningRate: learningRate, accumulators: tables)
  }

  func save(to path: String) throws {
    try change(by: -1, while: { $0 == 0 }, "another thread updates or saves the network")
    defer { updates.store(0, ordering: .releasing) }
    try WeightFile.write(learningNetwork(), metadata: metadata, to: path)
  }

  private func change(by difference: Int, while allows: (Int) -> Bool, _ problem: String) throws {
    var count = updates.load(ordering: .acquiring)
    while true {
      guard allows(count) else { throw Failure(LEARN2048_BUSY, problem) }
      let change = updates.compareExchange(
        expected: count, desired: count + difference, ordering: .acquiringAndReleasing)
      if change.exchanged { return }
      count = change.original
    }
  }

  /// A JSON text about the shape and the training.
  var description: String {
    let shape = network.shape
    let tables = shape.tables.map { table -> JSONValue in
      .object([
        "stage": .integer(table.stage), "pattern": .string("\(table.pattern)"),
        "offset": .integer(table.offset), "count": .integer(table.pattern.entryCount),
        "places": .array(shape.places(of: table.pattern).map { .integer($0) }),
      ])
    }
    let exponents = shape.stages.exponents.map { JSONValue.integer($0) }
    return JSONValue.object([
      "patterns": .array(shape.patterns.map { .string("\($0)") }),
      "boardSize": .integer(shape.boardSize), "stageExponents": .array(exponents),
      "downgradeExponent": shape.downgrading.exponent.map { .integer($0) } ?? .null,
      "features": .integer(shape.featureCount), "weights": .integer(shape.entryCount),
      "storage": .integer(shape.storageCount), "tables": .array(tables),
      "fourProbability": .number(rules.fourProbability), "episodes": .integer(metadata.episodes),
      "moves": .integer(metadata.moves), "config": .string(metadata.config),
    ]).text
  }
}

extension NetworkShape {
  /// Returns the place of each listed cell among the bits of a plane in an index of the pattern's table.
  fileprivate func places(of pattern: Pattern) -> [Int] {
    let layout = IndexLayout(pattern, boardSize: boardSize)
    return pattern.cells.indices.map { cell in
      layout.memoryIndex(of: pattern.cells.indices.map { $0 == cell ? 1 : 0 })
        .trailingZeroBitCount
    }
  }
}

extension PlayableNetwork {
  /// Writes the values of the boards in a range.
  @unsafe
  fileprivate func evaluate(
    _ boards: BoardArray, in range: Range<Int>, into values: UnsafeMutablePointer<Float>
  ) {
    for index in range {
      unsafe values[index] = value(ofPlanes: planes(of: boards[index]))
    }
  }
}

// MARK: C functions

@c @implementation
public func learn2048_network_load(
  _ model: UnsafePointer<CChar>!, _ network: UnsafeMutablePointer<learn2048_handle>!
) -> Int32 {
  status {
    let handle = unsafe try required(network, "network")
    let path = try ModelLocator.find(unsafe try string(model, "model"))
    let model = try ModelFile(path).loadForPlay()
    unsafe handle.pointee = HandleTable.shared.open(
      Network(model.network, model.metadata, model.rules))
  }
}

@c @implementation
public func learn2048_network_create(
  _ configuration: UnsafePointer<CChar>!, _ network: UnsafeMutablePointer<learn2048_handle>!
) -> Int32 {
  status {
    let handle = unsafe try required(network, "network")
    let text = unsafe try string(configuration, "configuration")
    unsafe handle.pointee = HandleTable.shared.open(try Network(configuration: text))
  }
}

@c @implementation
public func learn2048_network_describe(_ network: learn2048_handle) -> Int32 {
  status {
    ThreadText.current.set(Array(try find(network).description.utf8))
  }
}

@c @implementation
public func learn2048_network_save(
  _ network: learn2048_handle, _ path: UnsafePointer<CChar>!
) -> Int32 {
  status { try find(network).save(to: unsafe try string(path, "path")) }
}

@c @implementation
public func learn2048_network_values(
  _ network: learn2048_handle, _ boards: UnsafePointer<UInt8>!, _ count: Int64,
  _ values: UnsafeMutablePointer<Float>!, _ threads: Int32
) -> Int32 {
  status {
    let object = try find(network)
    let boards = unsafe try BoardArray(boards, count: count, rules: object.rules)
    let values = unsafe try required(values, "values")
    let threads = try validated(threads: threads)
    let network = object.network
    HandleTable.shared.workers.run(over: boards.count, by: 256, threads: threads) { range in
      unsafe network.evaluate(boards, in: range, into: values)
    }
  }
}

@c @implementation
public func learn2048_network_update(
  _ network: learn2048_handle, _ boards: UnsafePointer<UInt8>!, _ errors: UnsafePointer<Float>!,
  _ count: Int64, _ learningRate: Double, _ method: UnsafePointer<CChar>!, _ threads: Int32
) -> Int32 {
  status {
    let object = try find(network)
    let boards = unsafe try BoardArray(boards, count: count, rules: object.rules)
    let errors = unsafe try required(errors, "errors")
    guard (0...1000).contains(learningRate) else {
      throw Failure.usage("the learning rate is \(learningRate), not 0 to 1000")
    }
    let name = unsafe try string(method, "method")
    guard let method = LearningMethod(rawValue: name) else {
      let known = LearningMethod.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("unknown method '\(name)': choose \(known)")
    }
    for index in 0..<boards.count where unsafe !errors[index].isFinite {
      throw Failure.usage("error \(index) is not a finite number")
    }
    unsafe try object.update(
      boards, errors: errors, learningRate: Float(learningRate), method: method,
      threads: try validated(threads: threads))
  }
}

@c @implementation
public func learn2048_network_weights(
  _ network: learn2048_handle, _ weights: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>!,
  _ count: UnsafeMutablePointer<Int64>!
) -> Int32 {
  status {
    let (weights, count) = unsafe (try required(weights, "weights"), try required(count, "count"))
    let network = try find(network).learningNetwork()
    unsafe network.weights.withUnsafeWeights { all in
      unsafe weights.pointee = all.baseAddress
      unsafe count.pointee = Int64(all.count)
    }
  }
}

private func find(_ handle: learn2048_handle) throws -> Network {
  try HandleTable.shared.find(handle, as: Network.self)
}
