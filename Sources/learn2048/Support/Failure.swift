import ArgumentParser
import Basics
import Configuration
import Foundation
import Players
import Training

/// A failure as the command line reports it: a message, and a documented exit code.
struct Failure: Error {
  /// The exit codes, as README.md documents them.
  enum Code: Int32 {
    case usage = 64
    case badData = 65
    case missingInput = 66
    case internalError = 70
    case cannotCreate = 73
    case inputOutput = 74
    case locked = 75
    case configuration = 78

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
  }

  let message: String
  let exitCode: ExitCode

  init(_ code: Code, _ message: String) {
    self.message = message
    exitCode = ExitCode(code.rawValue)
  }

  /// The end of a program that a signal stopped after its state was saved.
  init(signal: Int32) {
    message = ""
    exitCode = ExitCode(128 + signal)
  }

  /// What `error` means for the command line; nil if it is no failure, as a call for help.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as LocatedError: self.init(Code(error.kind), error.description)
    case let error as ConfigurationError: self.init(.configuration, error.description)
    case let error as PlayerSpecificationError: self.init(.usage, error.description)
    case let error as RunError: self.init(.usage, error.description)
    case is ExitCode, is CleanExit: return nil
    case let error as CocoaError: self.init(foundation: error)
    default:
      // The argument parser's own errors have no public type, but it knows their exit codes.
      switch Learn2048.exitCode(for: error) {
      case .validationFailure: self.init(.usage, Failure.usageText(of: error))
      case .failure: self.init(.internalError, "\(error)")
      default: return nil
      }
    }
  }

  /// An error of Foundation, whose own text names no file.
  private init(foundation error: CocoaError) {
    let missing: [CocoaError.Code] = [.fileReadNoPermission, .fileReadNoSuchFile]
    self.init(
      missing.contains(error.code) ? .missingInput : .inputOutput,
      (error.filePath.map { "\($0): " } ?? "") + error.localizedDescription)
  }

  /// What is wrong with the arguments, and where to read about them: the last line of what the
  /// argument parser would print.
  private static func usageText(of error: any Error) -> String {
    let hint = Learn2048.fullMessage(for: error).split(separator: "\n").last ?? ""
    return Learn2048.message(for: error) + "\n" + hint.drop { $0 == " " }
  }
}
