import Basics
import Foundation
import Learning
import ModelFiles
import NTupleNetwork

/// The preparation of a run: validates the resources and files that it needs, and builds it.
struct RunPreparation {
  let directory: RunDirectory
  let configuration: TrainingConfiguration
  /// Whether a resumed run may have another value of a key that its weights were learned with.
  private let acceptsChanges: Bool
  private let shape: NetworkShape
  private let resources: RunResources
  private let ranks: any Communicator

  init(
    _ directory: RunDirectory, _ configuration: TrainingConfiguration,
    _ ranks: any Communicator = SoleProcess(), acceptsChanges: Bool = false
  ) throws {
    self.acceptsChanges = acceptsChanges
    self.directory = directory
    self.configuration = configuration
    self.ranks = ranks
    let problems = configuration.problemsOfStarts(ranks: ranks.size)
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
    shape = try configuration.networkShape()
    resources = RunResources(shape, configuration, ranks: ranks.size)
  }

  // MARK: Starting

  /// Prepares a new run and creates its directory.
  func start(from initialModel: String?) throws -> TrainingRun {
    try resources.require(for: directory.path)
    return try fillNewDirectory(at: directory.path) { lock in
      // Another process may have taken the name since it was chosen.
      guard !directory.exists else {
        throw LocatedError(
          .locked, path: directory.path, "another process has just started a run here",
          remedy: "choose another --run")
      }
      let loop = try allocatingLoop()
      let origin =
        try initialModel.map(origin(fromModel:))
        ?? RunOrigin(player: NTupleNetwork(shape, for: configuration))
      try directory.checkpoints.prepare()
      let run = TrainingRun(directory, configuration, lock, from: origin, ranks, loop)
      // The run has its own copy of other weights from now on, whatever happens to the original.
      if initialModel != nil { _ = try run.prepareSave(run.savedWeights).commit() }
      // The configuration makes the directory a run. Without its weights it would start from zero.
      try writeConfiguration()
      return run
    }
  }

  /// Begins the loop of the job, once every machine is known to have the memory for its ranks.
  ///
  /// After that, the other ranks are not free for another run.
  private func allocatingLoop() throws -> SelfPlayTeam.Loop {
    let loop = SelfPlayTeam.Loop(leading: ranks)
    try loop.requireMemory(resources.memory, of: ranks)
    return loop
  }

  private func origin(fromModel path: String) throws -> RunOrigin {
    for (key, isSet) in [
      ("learning.initialValue", configuration.initialValue != 0),
      ("learning.inheritEveryEpisodes", configuration.inheritEveryEpisodes != 0),
    ] where isSet {
      throw LocatedError(
        .usage, path: path, place: key, "would replace the weights of this model",
        remedy: "to start from these weights, pass --set \(key)=0")
    }
    let model = try LoadedModel.read(path)
    guard model.network.shape == shape else {
      throw LocatedError(
        .unsuitableData, path: path,
        "the network \(text(model.network.shape)) differs from the configured \(text(shape))",
        remedy:
          "use a configuration with the same network.patterns in the same order, and the same "
          + "stages and downgradeTile")
    }
    return RunOrigin(player: model.network, history: model.metadata.history)
  }

  // MARK: Resuming

  /// Prepares a run to continue from its last saved state.
  func resume() throws -> TrainingRun {
    let lock = try DirectoryLock(run: directory.path)
    Temporaries.removeStale(in: directory.path)
    try createDirectory(at: directory.checkpoints.path)
    try directory.checkpoints.completeInterruptedSave()
    try directory.checkpoints.prepare()
    let loop = try allocatingLoop()
    let hasState = try directory.checkpoints.stateHeader() != nil
    let origin = try hasState ? savedOrigin() : unsavedOrigin()
    // The episodes after the saved state are played, and reported, again.
    let metrics = MetricsFile(path: directory.metricsPath)
    let damaged = try metrics.truncate(after: origin.state.lastReported)
    try writeConfiguration()
    let run = TrainingRun(directory, configuration, lock, from: origin, ranks, loop)
    if damaged > 0 {
      run.warnings.append(
        "\(metrics.path): \(NumberText.count(damaged, "damaged line")) moved to \(metrics.damagedPath)."
      )
    }
    return run
  }

  private func unsavedOrigin() throws -> RunOrigin {
    let checkpoints = directory.checkpoints
    guard try checkpoints.checkpoints().isEmpty, try checkpoints.best() == nil else {
      throw LocatedError(
        .missingInput, path: checkpoints.statePath, "is missing, but the run has checkpoints",
        remedy: "restore it, or start a new run from a checkpoint with --init")
    }
    guard !directory.hasLoggedSave else {
      throw LocatedError(
        .missingInput, path: checkpoints.path,
        "has no checkpoint, but the run has saved some, as log.txt shows",
        remedy: "restore the directory, or start a new run")
    }
    try resources.require(for: directory.path)
    return RunOrigin(player: NTupleNetwork(shape, for: configuration))
  }

  private func savedOrigin() throws -> RunOrigin {
    // The machine or the number of threads may have changed.
    try resources.requireMemory(for: directory.path)
    let saved = try directory.checkpoints.resume()
    let changes = try acceptedChanges(
      since: saved.metadata, canBeAccepted: saved.network.shape == shape)
    var state = try validState(of: saved)
    try settleBest(of: &state)
    if state.isEvaluationPending != true, let key = configuration.length.reachedLimit(state) {
      throw LocatedError.finished(directory.path, key: key, episodes: state.episodes)
    }
    func network(_ weights: SharedWeights?) -> NTupleNetwork? {
      weights.map { NTupleNetwork(shape, weights: $0) }
    }
    return RunOrigin(
      player: saved.network, learning: network(saved.state.learningWeights),
      average: network(saved.state.averageWeights),
      accumulators: saved.state.accumulators(of: shape, for: configuration.methods), state: state,
      history: saved.metadata.history, changes: changes)
  }

  /// Returns the keys that have changed since a checkpoint.
  ///
  /// - Parameter canBeAccepted: Whether the network has the same shape, without which no change can be accepted.
  /// - Throws: ``ConfigurationError`` with the keys that a resumed run must not change.
  private func acceptedChanges(
    since metadata: ModelMetadata, canBeAccepted: Bool
  ) throws -> [ConfigurationChange] {
    let changes = configuration.changes(since: metadata.config)
    if acceptsChanges { return changes }
    let refused = changes.filter { !$0.mayChangeOnResume }
    let removed = RemovedSetting.required(by: metadata.config)
    guard refused.isEmpty, removed.isEmpty else {
      let accept =
        canBeAccepted ? "accept it with --accept-config." : "start a new run."
      throw ConfigurationError(
        problems: removed.map { setting, value in
          "\(directory.path): the checkpoint was trained with \(setting.path) = \(value.text), which has "
            + "been removed. Use commit \(setting.commit), the last one that reads it, or \(accept)"
        }
          + refused.map { change in
            "\(directory.configurationPath): \(change.path) is \(change.after), but the checkpoint was "
              + "trained with \(change.before). Restore the value, or \(accept)"
          })
    }
    return changes
  }

  /// Reads the state of a run and checks that it fits the configuration.
  private func validState(of saved: CheckpointDirectory.Resumed) throws -> RunState {
    let path = directory.checkpoints.statePath
    let stateKey = "metadata key '\(MetadataKey.runState)'"
    let restore = "restore config.json as the run was started"
    guard
      let state = try? RunState(text: saved.state.text), state.isValid,
      state.episodes == saved.checkpoint.episodes
    else {
      throw LocatedError.damaged(
        path, stateKey, "does not hold the state of a run",
        remedy: "start a new run from the newest checkpoint with --init")
    }
    guard saved.network.shape == shape else {
      throw LocatedError.damaged(
        directory.configurationPath, "network",
        "\(text(shape)), but the checkpoint holds \(text(saved.network.shape))", remedy: restore)
    }
    guard saved.state.accumulators(of: shape, for: configuration.methods) != nil else {
      throw LocatedError.damaged(
        path, "accumulators", "are missing, and learning.method requires them",
        remedy: "\(restore), or start a new run with --init")
    }
    guard state.selfPlay?.fits(configuration) == true else {
      throw LocatedError.damaged(
        path, stateKey, "does not hold the players of a run with this configuration",
        remedy: "\(restore), or start a new run with --init")
    }
    let further = [saved.state.learningWeights, saved.state.averageWeights]
    guard further.contains(where: { $0 != nil }) == (state.averaged > 0) else {
      throw LocatedError.damaged(
        path, "accumulators",
        "do not fit the average of \(state.averaged) networks in the run state",
        remedy: "restore the files of one save, or start a new run with --init")
    }
    return state
  }

  /// Forgets a best checkpoint whose weights are gone, and otherwise records it if a kill came between its save and
  /// the record.
  private func settleBest(of state: inout RunState) throws {
    let checkpoints = directory.checkpoints
    state.best = state.best.flatMap(checkpoints.inPlace)
    if let best = state.best, (try? checkpoints.best()) != best { try checkpoints.writeBest(best) }
  }

  private func writeConfiguration() throws {
    try writeAtomically(Data(configuration.jsonText.utf8), to: directory.configurationPath)
  }

  private func text(_ shape: NetworkShape) -> String {
    var text = shape.patterns.map(\.description).joined(separator: " ")
    if shape.boardSize != 4 { text += " on \(shape.boardSize)x\(shape.boardSize)" }
    if shape.stages.count > 1 { text += " in \(shape.stages.count) stages" }
    if let tile = shape.downgrading.tile { text += " downgraded from \(tile)" }
    return text
  }
}

/// What a run starts or continues from.
struct RunOrigin {
  /// The network that learns, without level offsets.
  let network: NTupleNetwork
  /// The average of its weights; nil if there is none yet.
  let average: NTupleNetwork?
  /// The level offsets of the network that plays.
  let levelOffsets: LevelOffsets
  /// The tables of the update rules; nil if there are none yet.
  var accumulators: Accumulators?
  var state = RunState()
  /// The periods of training so far.
  var history: [TrainingSegment] = []
  /// The keys of the configuration that have changed since the saved state.
  var changes: [ConfigurationChange] = []

  /// - Parameters:
  ///   - player: The network that plays, with its level offsets.
  ///   - learning: The network that learns; nil if it is that one.
  ///   - average: The average of its weights; nil if it is the player that does not learn, or if there is none.
  init(
    player: NTupleNetwork, learning: NTupleNetwork? = nil, average: NTupleNetwork? = nil,
    accumulators: Accumulators? = nil, state: RunState = RunState(),
    history: [TrainingSegment] = [], changes: [ConfigurationChange] = []
  ) {
    network = learning ?? player
    self.average = average ?? (learning == nil ? nil : player)
    levelOffsets = player.levelOffsets
    player.levelOffsets = .none
    (self.accumulators, self.state, self.history, self.changes) = (
      accumulators, state, history, changes
    )
  }
}

extension LocatedError {
  /// Returns the error for a run that has reached its limit `key`, after this many episodes.
  static func finished(_ path: String, key: String, episodes: Int) -> LocatedError {
    key == "episodes"
      ? LocatedError(
        .usage, path: path, "has finished its \(NumberText.count(episodes, "episode"))",
        remedy: "to continue, pass a larger total with --episodes")
      : LocatedError(
        .usage, path: path, "has reached its \(key)",
        remedy: "to continue, pass a larger one with --set \(key)=N, or another limit with "
          + "--episodes or --minutes")
  }
}

extension NTupleNetwork {
  /// Creates the network with which a new run begins.
  convenience init(_ shape: NetworkShape, for configuration: TrainingConfiguration) {
    self.init(shape)
    if configuration.initialValue != 0 { setInitialValue(Float(configuration.initialValue)) }
  }
}
