import ArgumentParser
import Benchmarks
import Game2048
import Players

/// The options that choose a network and the positions on which searches are measured.
struct BenchPositionOptions: ParsableArguments {
  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    "n", "Number of positions, from the network's games (default: 200).",
    read: count(in: 1...1_000_000))
  var positions: Int?

  @Option("file", "Read the positions from this file, one board per line; - reads standard input.")
  var boards: String?

  func validate() throws {
    try networks.requireOne("the positions come")
    if boards != nil && positions != nil {
      throw ValidationError("--boards names the positions itself. Leave out --positions.")
    }
  }

  /// Returns the players that texts name, which use the network of these options.
  ///
  /// - Throws: `LocatedError` or `Failure` if a text is not such a player.
  static func players(_ texts: [String], inParallel count: Int) throws -> [PlayerSpecification] {
    try texts.map { text in
      let specification = try PlayerSpecification(text)
      if let model = specification.model {
        throw Failure(
          .usage,
          "\(specification): the network of learned players is set apart here. Name it with "
            + "--model \(model).")
      }
      try specification.requireMemory(inParallel: count)
      return specification
    }
  }

  /// Returns the positions, and the network if the positions or the players need it.
  func read(
    for players: [PlayerSpecification]
  ) throws -> (network: TrainedNetwork?, states: [Board]) {
    let states = try boards.map { file in
      try BoardText.lines(of: file).map { try $0.board(.standard) }
    }
    // A network is trained or read only if it is needed.
    let isNeeded = states == nil || players.contains { !$0.models.isEmpty }
    let network = isNeeded ? try networks.networks()[0] : nil
    if states != nil, let size = network?.boardSize, size < 4 {
      throw Failure(
        .usage, "--boards requires a network for 4x4 boards, but this one plays on \(size)x\(size)."
      )
    }
    return (network, states ?? network?.recordedStates(count: positions ?? 200) ?? [])
  }
}
