import Basics
import Foundation
import Logging

/// Writes the reports and checkpoints of a run, and keeps the record of its best evaluation.
///
/// A checkpoint on the way is put in place in the background, while the workers play. If it cannot
/// be saved, the failure is logged, and weights that were to be the best are not; the next
/// checkpoint tries again. If only the record of the best cannot be written, the checkpoint is saved, and the next
/// one writes the record. Reports that cannot be written are kept and written with the next one or
/// before the next checkpoint; of several failures in a row, the first is logged.
///
/// Thread safety: one thread uses a writer.
final class RunWriter {
  private let metrics: MetricsFile
  private var events: EventFile
  /// The log for checkpoints and failures.
  var logger: Logger
  private let onSave: (_ episodes: Int) -> Void
  /// The files whose last write failed.
  private var failing: Set<String> = []
  /// Reports that could not be written yet.
  private var unwrittenReports = Data()

  /// The best evaluation whose weights are in place.
  private var savedBest: RunState.Best?
  /// A better one at the current barrier, whose weights are to be saved there.
  private var newBest: RunState.Best?
  /// The record of the best evaluation whose weights are in place, which every save writes again if `best.json`
  /// differs; nil if there is none, or if its weights are missing.
  private(set) var bestRecord: BestCheckpoint?
  /// The save in the background, with the evaluation that makes its weights the best.
  private var saving: (save: BackgroundSave, best: RunState.Best?)?

  /// Creates a writer for a run that continues from a state.
  ///
  /// - Parameters:
  ///   - logger: The log for checkpoints and failures.
  ///   - onSave: Called with the episodes of every checkpoint that is in place.
  init(
    _ directory: RunDirectory, _ configuration: TrainingConfiguration, from state: RunState,
    logger: Logger, onSave: @escaping (_ episodes: Int) -> Void = { _ in }
  ) {
    metrics = MetricsFile(path: directory.metricsPath)
    events = EventFile(
      directory: directory.path, configuration, firstStep: state.lastReported + 1, now: .now)
    savedBest = state.best
    bestRecord = state.best.flatMap {
      directory.checkpoints.bestRecord(episodes: $0.episodes, meanScore: $0.meanScore)
    }
    self.logger = logger
    self.onSave = onSave
  }

  // MARK: Reports

  /// Writes a report, with those that could not be written before.
  func write(_ report: TrainingReport) throws {
    unwrittenReports += Data(try report.jsonLine().utf8)
    attemptRemainingReports()
    attempt(events.path, "reports are missing in it until it can be written") {
      try events.append(report, now: .now)
    }
  }

  /// Writes to a file that the run can do without, and logs a failure that follows a success.
  private func attempt(_ path: String, _ consequence: String, _ write: () throws -> Void) {
    do {
      try write()
      if failing.remove(path) != nil { logger.info("\(path): can be written again") }
    } catch {
      if failing.insert(path).inserted {
        logger.warning("\(error) Training continues; \(consequence).")
      }
    }
  }

  private func attemptRemainingReports() {
    attempt(metrics.path, "the reports follow when it can be written") {
      try writeRemainingReports()
    }
  }

  /// Writes the reports that could not be written before.
  func writeRemainingReports() throws {
    if !unwrittenReports.isEmpty { try metrics.append(unwrittenReports) }
    unwrittenReports = Data()
  }

  // MARK: Checkpoints

  /// The best evaluation of the run, whose weights are in place or about to be.
  var best: RunState.Best? { newBest ?? saving?.best ?? savedBest }

  /// Records an evaluation if it is the best so far, and returns whether it is. Its weights must
  /// then be saved at the same barrier.
  func recordIfBest(_ evaluation: TrainingReport.Evaluation, episodes: Int) -> Bool {
    guard evaluation.meanScore > best?.meanScore ?? -.infinity else { return false }
    newBest = RunState.Best(episodes: episodes, meanScore: evaluation.meanScore)
    return true
  }

  /// Saves a checkpoint after the previous one is in place, and tries to write the remaining reports before it.
  ///
  /// - Parameters:
  ///   - isLast: whether to wait until the checkpoint is in place, and to throw if it cannot be.
  ///   - prepare: writes the files, given the mean score of these weights if they are the best.
  /// - Throws: ``LocatedError`` for the last checkpoint, and for weights that have diverged, which
  ///   no later save can store either.
  func save(
    isLast: Bool, _ prepare: (_ bestMeanScore: Double?) throws -> CheckpointDirectory.Prepared
  ) throws {
    finishSave()
    // A run that is killed after the save lacks the reports before it otherwise.
    if !unwrittenReports.isEmpty { attemptRemainingReports() }
    defer { newBest = nil }
    do {
      let prepared = try prepare(newBest?.meanScore)
      let commit = { @Sendable [metrics, logger] in
        // A run that resumes from this checkpoint does not repeat the reports before it.
        do {
          try metrics.flush()
        } catch {
          logger.warning("\(error)")
        }
        return try prepared.commit()
      }
      if isLast {
        complete(try commit(), newBest)
      } else {
        saving = (BackgroundSave(commit), newBest)
      }
    } catch let error where !isLast && (error as? LocatedError)?.kind != .unsuitableData {
      logger.error("cannot save a checkpoint: \(error)")
    }
  }

  /// Logs the outcome of the save in the background, if it has ended.
  func logEndedSave() {
    if saving?.save.hasEnded == true { finishSave() }
  }

  /// Waits for the save in the background and logs its outcome.
  func finishSave() {
    guard let (save, best) = saving else { return }
    saving = nil
    do {
      complete(try save.wait(), best)
    } catch {
      logger.error("cannot save a checkpoint: \(error)")
    }
  }

  /// The start of the message about a checkpoint that is in place.
  static let savedMessage = "saved "

  private func complete(_ saved: CheckpointDirectory.Saved, _ best: RunState.Best?) {
    if let best { savedBest = best }
    bestRecord = saved.best ?? bestRecord
    let episodes = saved.checkpoint.episodes
    onSave(episodes)
    logger.info(
      "\(RunWriter.savedMessage)\(saved.checkpoint.path) after \(NumberText.count(episodes, "episode"))"
    )
    for error in [saved.pruningError, saved.recordingError].compactMap(\.self) {
      logger.warning("\(error)")
    }
  }
}
