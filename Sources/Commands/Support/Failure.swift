import ArgumentParser
import Basics
import Foundation
import Play
import Training

/// A failure as the command line reports it: a message and an exit code.
struct Failure: Error {
  /// The sentences after `learn2048: `; empty if there is nothing to report.
  let message: String
  let exitCode: ExitCode

  /// - Parameter message: what is wrong, with place and value, and what to do, in sentences.
  init(_ status: ExitStatus, _ message: String) {
    self.message = message
    exitCode = ExitCode(status.code)
  }

  /// Creates a usage error that refers to the help of a command.
  ///
  /// - Parameter command: the names of the command after `learn2048`, such as `["train"]`.
  init(usage message: String, of command: [String]) {
    let help = (["learn2048"] + command + ["--help"]).joined(separator: " ")
    self.init(.usage, "\(message)\nSee '\(help)' for more information.")
  }

  /// Creates the failure of a program that a signal stopped after its state was saved.
  init(signal: Int32) {
    message = ""
    exitCode = ExitCode(128 + signal)
  }

  /// Creates the failure that `error` stands for.
  ///
  /// - Precondition: `error` is not a request for a text, such as the help.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as LocatedError: self.init(ExitStatus(error.kind), error.description)
    case let error as JobFailure: self.init(ExitStatus(error.error.kind), error.error.description)
    case let error as ConfigurationError: self.init(.configuration, error.description)
    case let error as PlayerSpecificationError: self.init(.usage, error.description)
    case let error as CocoaError: self.init(foundation: error)
    default:
      // The argument parser's own errors have no public type, but it knows their exit codes.
      if Learn2048.exitCode(for: error) == .validationFailure {
        self.init(.usage, Failure.usageText(of: error))
      } else {
        self.init(.internalError, "\(error)")
      }
    }
  }

  /// Creates the failure for an error of Foundation, whose own text names no file.
  private init(foundation error: CocoaError) {
    let missing: [CocoaError.Code] = [.fileReadNoPermission, .fileReadNoSuchFile]
    self.init(
      missing.contains(error.code) ? .missingInput : .inputOutput,
      (error.filePath.map { "\($0): " } ?? "") + error.localizedDescription)
  }

  /// Returns the problem with the arguments, and the last line of what the argument parser would print,
  /// which refers to the help.
  private static func usageText(of error: any Error) -> String {
    let hint = Learn2048.fullMessage(for: error).split(separator: "\n").last ?? ""
    return sentence(Learn2048.message(for: error)) + "\n" + hint.drop { $0 == " " }
  }
}

/// An exit code of the program. The reference page is made of the list.
struct ExitStatus: Sendable {
  let code: Int32
  /// The short name, after sysexits.h where that has one.
  let name: String
  let meaning: String

  private init(_ code: Int32, _ name: String, _ meaning: String) {
    (self.code, self.name, self.meaning) = (code, name, meaning)
  }

  static let success = ExitStatus(0, "success", "The command did what it was asked to do.")
  static let usage = ExitStatus(
    64, "usage",
    "An argument is unknown, missing or invalid, arguments contradict each other, the run to resume is "
      + "finished, or an address is not one of this machine.")
  static let badData = ExitStatus(
    65, "bad data",
    "A file is damaged or unsuitable, a text is not a board, a board has no legal move, or learning has "
      + "diverged.")
  static let missingInput = ExitStatus(
    66, "missing input",
    "A file, model or run does not exist, or cannot be read, or a run has lost its saved state.")
  static let rankLost = ExitStatus(
    69, "rank lost",
    "In a job of several processes, a machine or the network to it has failed. The message names the rank and "
      + "its host.")
  static let internalError = ExitStatus(
    70, "internal error",
    "The program failed in a way that it does not expect. Please report it with the command.")
  static let cannotCreate = ExitStatus(
    73, "cannot create",
    "A file, directory or run cannot be created, or exists already, or the disk has no space for a "
      + "first checkpoint.")
  static let inputOutput = ExitStatus(
    74, "input/output",
    "Reading or writing failed, for example on a full disk, or the server ended unexpectedly.")
  static let locked = ExitStatus(
    75, "locked",
    "Another process uses the run, the sweep, the file of games, the parts of a table, or the port."
  )
  static let configuration = ExitStatus(
    78, "configuration",
    "A configuration or plan is invalid, a run's configuration was changed, a network, table or recording "
      + "does not fit into memory, or too few threads can be started.")

  private static let signals = [
    (129, "SIGHUP"), (130, "SIGINT"), (143, "SIGTERM"), (152, "SIGXCPU"),
  ].map {
    ExitStatus($0, $1, "\($1) stopped the command. `train` and `sweep` have saved their state.")
  }

  static let all =
    [
      success, usage, badData, missingInput, rankLost, internalError, cannotCreate, inputOutput,
      locked, configuration,
    ] + signals
}

extension ExitStatus {
  init(_ kind: LocatedError.Kind) {
    self =
      switch kind {
      case .unsuitableData: .badData
      case .missingInput: .missingInput
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .locked: .locked
      case .insufficientMemory: .configuration
      case .usage: .usage
      }
  }

  /// The effects of signals on commands that run for long.
  private static let signalEffects = [
    (
      "SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGXCPU",
      "The command ends. `train` and `sweep` save their state first. `evaluate` finishes the current games and prints "
        + "the results so far to standard error."
    ),
    (
      "one of them again",
      "The command ends at once, with the same code, if there is nothing to save. SIGXCPU, which the system repeats, "
        + "does not count."
    ),
    (
      "SIGUSR1, SIGUSR2",
      "`train` saves a checkpoint after the current episodes, in a job after the next merge, and continues. The other "
        + "commands that run for long continue."
    ),
    (
      "SIGTSTP (Ctrl-Z), SIGSTOP, SIGCONT",
      "The system stops and continues the process. A pause of more than five seconds does not count as training time."
    ),
    ("SIGKILL", "The process ends at once. `train --resume` continues from the last checkpoint."),
  ]

  static var referencePage: String {
    let rows = all.map { ["\($0.code)", $0.name, $0.meaning] }
    return """
      # Exit codes

      Every exit code of `learn2048` and its meaning. Generated by `learn2048 reference`; do not edit.

      A command that fails prints one message to standard error, of the form `learn2048: PROBLEM. REMEDY.`,
      and prints no document to standard output. Of several boards, `analyze` answers those that are right, and
      prints a message for each of the others. If standard input fails after the first answers, these still
      form a document.

      \(markdownTable(["code", "name", "meaning"], rows))

      ## Signals

      What the signals of terminals and schedulers do. Signals to end that come within half a second count as one:
      `timeout` and schedulers signal a process, and then its group.

      \(markdownTable(["signal", "effect"], signalEffects.map { [$0, $1] }))

      """
  }
}
