import Foundation
import Testing

/// The outcome of running the program.
struct Outcome: CustomStringConvertible {
  /// The exit code; 128 + n if signal n ended the program.
  let code: Int32
  let output: String
  let errors: String

  var description: String { "exit code \(code)\nstdout: \(output)\nstderr: \(errors)" }

  /// The lines of standard output.
  var lines: [Substring] { output.split(separator: "\n") }
}

/// A signal, and the exit code of a program that it ended properly.
struct EndingSignal: Sendable {
  let number: Int32
  var code: Int32 { 128 + number }

  static let interrupt = EndingSignal(number: SIGINT)
  static let terminate = EndingSignal(number: SIGTERM)
  static let hangUp = EndingSignal(number: SIGHUP)
  static let timeLimit = EndingSignal(number: SIGXCPU)
}

/// The running program.
final class Program {
  private let process = Process()
  private let standardOutput: Collector?
  private let standardError: Collector?

  var identifier: Int32 { process.processIdentifier }
  /// The standard output so far.
  var output: String { standardOutput?.text ?? "" }
  var errors: String { standardError?.text ?? "" }

  /// Starts `executable`; its standard streams are pipes, or `terminal` if it is given.
  init(
    executable: String, _ arguments: [String], in directory: String, environment: [String: String],
    terminal: FileHandle? = nil
  ) throws {
    Program.takeSignals
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.environment = environment
    if let terminal {
      process.standardInput = terminal
      process.standardOutput = terminal
      process.standardError = terminal
      (standardOutput, standardError) = (nil, nil)
      try Program.start(process)
    } else {
      let (output, errors) = (Pipe(), Pipe())
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      try Program.start(process)
      pipes = [output, errors]
      standardOutput = Collector(reading: output.fileHandleForReading.fileDescriptor)
      standardError = Collector(reading: errors.fileHandleForReading.fileDescriptor)
    }
  }

  /// The pipes, kept while they are read.
  private var pipes: [Pipe] = []

  /// The program would inherit signals that the tests ignore, for example in the background of a shell. It
  /// does not inherit handlers.
  private static let takeSignals: Void = {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in } }
  }()

  /// Starts a program with no signal blocked. It would inherit the blocked signals of the thread that
  /// starts it, and threads that run tests block all signals.
  private static func start(_ process: Process) throws {
    var none = sigset_t()
    var former = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(identifier, SIGKILL) }
  }

  func send(_ signal: Int32) {
    kill(identifier, signal)
  }

  /// Sends a signal repeatedly until the program ends, because a signal sent while another one is pending is
  /// lost.
  func insist(_ signal: Int32) throws -> Outcome {
    try wait(for: "the end of the program", situation: { errors }) {
      send(signal)
      usleep(30_000)
      return !process.isRunning
    }
    return try finish()
  }

  /// Waits for the end of the program.
  ///
  /// - Throws: ``Timeout`` after killing the program.
  func finish() throws -> Outcome {
    try wait(for: "the end of the program", situation: { "\(output)\n\(errors)" }) {
      !process.isRunning
    }
    try wait(for: "the end of its output") {
      standardOutput?.hasEnded ?? true && standardError?.hasEnded ?? true
    }
    // Foundation keeps them open, and fails in a process with a thousand open files.
    for pipe in pipes { try? pipe.fileHandleForReading.close() }
    let code = process.terminationStatus + (process.terminationReason == .exit ? 0 : 128)
    return Outcome(code: code, output: output, errors: errors)
  }

  /// Waits until standard output has `count` lines.
  func waitForLines(_ count: Int) throws {
    try wait(for: "\(count) lines of output", situation: { "\(output)\n\(errors)" }) {
      try requireRunning()
      return output.utf8.count { $0 == UInt8(ascii: "\n") } >= count
    }
  }

  /// Waits until the program handles `signal` itself.
  func waitForHandler(of signal: Int32) throws {
    #if os(Linux)
      try wait(for: "a handler of signal \(signal)", situation: { errors }) {
        try requireRunning()
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask >> UInt64(signal - 1) & 1 == 1
      }
    #else
      usleep(500_000)
    #endif
  }

  private func requireRunning() throws {
    if !process.isRunning { throw Timeout(description: "the program has ended early\n\(errors)") }
  }
}
