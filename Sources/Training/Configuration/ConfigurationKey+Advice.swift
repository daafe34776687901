/// When to change a configuration key, and what is known about its values.
public struct ConfigurationAdvice: Sendable {
  /// Whether the key is one of the few that most runs set.
  public let isBasic: Bool
  /// When to change the key, and in which range, in sentences.
  public let text: String
  /// The page of the notebook and its heading with the experiment, such as `Learning.md#batch-size`; nil without one.
  public let experiment: String?

  private init(_ isBasic: Bool, _ text: String, _ experiment: String?) {
    (self.isBasic, self.text, self.experiment) = (isBasic, text, experiment)
  }

  fileprivate static func basic(_ text: String, _ experiment: String? = nil) -> Self {
    Self(true, text, experiment)
  }

  fileprivate static func advanced(_ text: String, _ experiment: String? = nil) -> Self {
    Self(false, text, experiment)
  }
}

extension ConfigurationKey {
  /// When to change the key.
  public var advice: ConfigurationAdvice { ConfigurationKey.adviceByPath[path]! }

  private static let adviceByPath: [String: ConfigurationAdvice] = [
    "description": .basic("Say what the run is for; lists of runs show it."),
    "episodes": .basic(
      "Set it for a fixed amount of training: 1e5 for a first look, 1e6 for a strong network. With restarts most "
        + "episodes are short."),
    "limit.moves": .advanced("Set it to compare methods at equal work, whatever the machine."),
    "limit.seconds": .basic("Set it to train for an evening: 600 to 7200 and more."),
    "seed": .basic("Change it to repeat a run independently. Three seeds show the spread."),
    "threads": .basic("Use one per core. With one, a run repeats exactly."),
    "randomSource": .advanced(
      "Change it only to repeat the spawns of other programs; the choice does not matter to learning."
    ),

    "game.boardSize": .advanced(
      "Use 3 for experiments that take seconds, and 2 for games that can be solved."),
    "game.fourProbability": .advanced(
      "Change it for variants of the game. A model plays the game it was trained for."),
    "network.patterns": .basic(
      "Use 4x6 for minutes and 8x6 for hours. More and larger patterns learn more slowly and end higher; 7 cells take "
        + "1 GiB a pattern.",
      "Learning.md#more-and-larger-patterns"),
    "network.stages": .advanced(
      "Leave it: stages paid off in no run of up to 2 billion moves.",
      "LateGame.md#other-stages-from-16384"),
    "network.stageTiles": .advanced(
      "Needed with network.stages; 16384 was tried most.", "LateGame.md#other-stages-from-16384"),
    "network.downgradeTile": .basic(
      "Set 16384 if the run is long enough to make that tile often, that is, from some ten minutes on.",
      "LateGame.md#tile-downgrading-of-every-value"),

    "starts.rule": .basic(
      "Use restart for long runs: late boards are learned more often. From the first episode on it costs early play.",
      "Learning.md#when-restarts-begin-and-from-which-boards"),
    "starts.restartShare": .advanced(
      "0.9 and 0.95 restart near the end of the game. 0.5 covers the late half and scored far less.",
      "Learning.md#where-in-an-episode-to-restart"),
    "starts.shortestPath": .advanced(
      "Raise it for more whole games. 50 goes with a share of 0.95.",
      "Learning.md#where-in-an-episode-to-restart"),
    "starts.restartTile": .advanced(
      "Set 8192 to restart from the first episode on without losing early play.",
      "Learning.md#when-restarts-begin-and-from-which-boards"),
    "starts.carouselTiles": .advanced("Add the tiles whose boards you want to train most."),

    "learning.method": .basic(
      "Use tc: it needs no schedule of rates and learns far more. td is the plain method of the literature.",
      "Learning.md#learning-methods-at-equal-moves"),
    "learning.learningRate": .basic(
      "With tc, use 1; with td, 0.1, or from 0.25 down in steps. Rates above 1 gain early and lose later.",
      "Learning.md#learning-rates-above-1"),
    "learning.initialValue": .advanced(
      "Leave it at 0: optimistic starts of 40,000 and more are far behind after 700 million moves.",
      "Learning.md#optimistic-starts-in-a-longer-run"),
    "learning.inheritEveryEpisodes": .advanced(
      "From 250 in short runs to 2,000 in long ones. A pass over the tables costs time.",
      "Learning.md#inheritance"),
    "learning.returns": .basic(
      "Use lambda. oneStep is TD(0).", "Learning.md#learning-methods-at-equal-moves"),
    "learning.lambda": .basic(
      "From 0.3 to 0.6; from 0.7 on it learns less in the end.", "Learning.md#λ-after-124000-games"),
    "learning.steps": .advanced(
      "Only with returns = nStep. 3 was measured.", "Learning.md#learning-methods-at-equal-moves"),
    "learning.horizon": .advanced(
      "Only with returns = delayedLambda. 3 was measured.",
      "Learning.md#learning-methods-at-equal-moves"),
    "learning.batchSize": .advanced(
      "From 256 to 1,024. Larger batches are faster, and learn a little later.",
      "Learning.md#batch-size"),
    "learning.mode": .advanced(
      "Use synchronous if results must be equal for any number of threads and processes, at less than half of the speed.",
      "Speed.md#speed-of-synchronous-mode"),
    "learning.lanes": .advanced(
      "At least the number of threads of all processes.", "Learning.md#rounds-of-synchronous-mode"),
    "learning.roundMoves": .advanced(
      "Lower it if synchronous learning diverges.", "Learning.md#rounds-of-synchronous-mode"),

    "averaging.everyEpisodes": .basic(
      "Set it in long runs, to a two-hundredth of the episodes.", "Learning.md#weight-averaging"),
    "averaging.from": .advanced("Set it if the first part of the run has other settings."),
    "averaging.share": .advanced(
      "From 0.05 to 0.1. A longer reach costs more by age than it gains.",
      "Learning.md#averages-of-averages"),
    "averaging.window": .advanced(
      "Set it for the mean of a fixed number of networks.", "Learning.md#weight-averaging"),

    "merging.timeShare": .advanced(
      "Raise it in short runs, and if the ranks share a machine.",
      "SeveralProcesses.md#number-of-merges-with-86"),
    "merging.everyMoves": .advanced(
      "Set it for results that do not depend on the clock.",
      "SeveralProcesses.md#merging-the-copies-of-several-ranks"),
    "merging.everySeconds": .advanced(
      "Set it to merge by the clock.", "SeveralProcesses.md#time-of-a-merge"),

    "report.everyEpisodes": .advanced("Lower it for finer curves of short runs."),
    "checkpoint.everyEpisodes": .advanced(
      "Set it for checkpoints at round numbers, such as those of a learning curve."),
    "checkpoint.everySeconds": .basic(
      "Set it to what a kill may lose. train says how much disk space a save takes."),
    "checkpoint.keep": .advanced(
      "Raise it to keep a learning curve; each takes the size of the network."),
    "evaluation.firstEpisodes": .advanced("Lower it to see a first score sooner."),
    "evaluation.everyEpisodes": .basic("Set it to a tenth of the episodes."),
    "evaluation.everySeconds": .advanced("Set it in runs limited by time."),
    "evaluation.games": .advanced("500 give ±4 %, 2,000 give ±2 %."),
  ]
}
