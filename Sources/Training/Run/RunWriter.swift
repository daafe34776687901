import Basics
import Foundation
import Logging

/// Writes the reports and checkpoints of a run, and knows its best checkpoint.
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

  /// The best checkpoint of the run, which is in place or about to be.
  private(set) var best: BestCheckpoint?
  /// The save in the background, with the best checkpoint if it fails.
  private var saving: (save: BackgroundSave, formerBest: BestCheckpoint?)?

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
    best = state.best
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

  /// Returns whether an evaluation is the best so far. Its weights must then be saved at the same barrier.
  func isBest(_ evaluation: TrainingReport.Evaluation) -> Bool {
    evaluation.meanScore > best?.meanScore ?? -.infinity
  }

  /// Saves a checkpoint after the previous one is in place, and tries to write the remaining reports before it.
  ///
  /// - Parameters:
  ///   - isLast: whether to wait until the checkpoint is in place, and to throw if it cannot be.
  ///   - prepare: writes the files, given the best checkpoint so far.
  /// - Throws: ``LocatedError`` for the last checkpoint, and for weights that have diverged, which
  ///   no later save can store either.
  func save(
    isLast: Bool,
    _ prepare: (_ formerBest: BestCheckpoint?) throws -> CheckpointDirectory.Prepared
  ) throws {
    finishSave()
    // A run that is killed after the save lacks the reports before it otherwise.
    if !unwrittenReports.isEmpty { attemptRemainingReports() }
    do {
      let prepared = try prepare(best)
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
        complete(try commit())
      } else {
        saving = (BackgroundSave(commit), best)
      }
      best = prepared.best
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
    guard let (save, formerBest) = saving else { return }
    saving = nil
    do {
      complete(try save.wait())
    } catch {
      best = formerBest
      logger.error("cannot save a checkpoint: \(error)")
    }
  }

  /// The start of the message about a checkpoint that is in place.
  static let savedMessage = "saved "

  private func complete(_ saved: CheckpointDirectory.Saved) {
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
