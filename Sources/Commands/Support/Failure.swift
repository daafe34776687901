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
