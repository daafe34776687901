import Console
import Foundation
import Logging
import Players
import Training

/// The console of a training, which shows its progress and turns signals into a saved state.
struct TrainingConsole {
  let run: TrainingRun
  let printsJSON: Bool

  /// Trains to the end, or until a signal arrives.
  ///
  /// - Throws: `Failure` with the signal's exit code once the state is saved; the run's own errors.
  func train() throws {
    let console = StandardError.shared
    let logger = makeLogger()
    let monitor = run.monitor
    announce(logger)
    let (outcome, signal) = try SupervisedWork.run(
      interval: 10, progress: { ProgressText.of(monitor.progress) },
      requestStop: { monitor.requestStop() }
    ) {
      try run.train(logger: logger, evaluate: GreedyEvaluation.play) { report in
        if printsJSON { StandardOutput.write(try report.jsonLine()) }
        if let evaluation = report.evaluation {
          logger.info("\(ProgressText.evaluation(evaluation, episodes: report.episodes))")
        }
      }
    }
    console.line(ProgressText.of(monitor.progress))
    switch outcome {
    case .finished:
      logger.info(
        "finished: \(run.directory.path); evaluate it with: learn2048 evaluate \(run.directory.path)"
      )
    case .interrupted:
      logger.info("interrupted; resume with: learn2048 train --resume \(run.directory.path)")
      if let signal { throw Failure(signal: signal) }
    }
  }

  private func announce(_ logger: Logger) {
    let configuration = run.configuration
    let began = run.monitor.progress.episodes
    let verb = began > 0 ? "resuming" : "training"
    logger.info(
      """
      \(verb) \(run.directory.path): \(ProgressText.length(configuration.length))\
      \(began > 0 ? ", \(NumberText.grouped(began)) episodes done" : ""), \
      \(configuration.patterns.joined(separator: " ")), \(configuration.methodText), \
      \(configuration.updatePath.rawValue) updates, \
      \(configuration.threads) thread\(configuration.threads == 1 ? "" : "s"), \
      seed \(configuration.seed)
      """)
    logger.info("\(run.resources)")
  }

  private func makeLogger() -> Logger {
    let path = run.directory.logPath
    return Logger(label: "learn2048") { _ in
      MultiplexLogHandler([ConsoleLog(), LogFile(path: path)])
    }
  }
}

/// A log handler that prints messages to standard error.
private struct ConsoleLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let prefix = event.level >= .warning ? "learn2048: \(event.level): " : ""
    StandardError.shared.line("\(prefix)\(event.message)")
  }
}
