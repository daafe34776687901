import ArgumentParser
import Foundation
import FuzzTargets

#if LIBFUZZER
  /// Passes the arguments to libFuzzer, which makes the inputs.
  @main
  enum GuidedFuzz {
    static func main() {
      var count = CommandLine.argc
      var arguments = unsafe CommandLine.unsafeArgv
      exit(
        unsafe runDriver(&count, &arguments) { start, count in
          unsafe target.run(Array(UnsafeBufferPointer(start: start, count: count)))
          return 0
        })
    }
  }

  private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["LEARN2048_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("LEARN2048_FUZZ_TARGET names no target: '\(name)'")
    }
    return target
  }()

  /// Runs libFuzzer with a function that it calls with every input.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt
#else
  @main
  struct Fuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Feed changed inputs to a reader, until one makes it crash.")

    @Argument(help: "The reader.")
    var target: FuzzTarget

    @Option(help: "The directory with a subdirectory of inputs for each target.")
    var corpus: String

    @Option(help: "Run for this many seconds (default without --runs: 60).")
    var seconds: Double?

    @Option(help: "Run this many inputs.")
    var runs: Int?

    @Option(help: "The number of the first input.")
    var first = 0

    @Option(help: "Write the first input to this file instead of running it.")
    var save: String?

    func validate() throws {
      guard first >= 0, runs ?? 0 >= 0 else { throw ValidationError("Use a count of at least 0.") }
    }

    func run() throws {
      let loop = try FuzzLoop(target, corpus: corpus)
      if let save {
        return try Data(loop.input(first)).write(to: URL(fileURLWithPath: save))
      }
      let end = runs.map { first.addingReportingOverflow($0).partialValue } ?? .max
      let limit = Duration.seconds(seconds ?? (runs == nil ? 60 : 1e9))
      CrashReport.install(target: target.rawValue)
      let start = ContinuousClock.now
      var now = start
      var number = first
      var accepted = 0
      var slowest = (number: first, time: Duration.zero)
      while number < end, start.duration(to: now) < limit {
        CrashReport.begin(number)
        if loop.run(number) { accepted += 1 }
        let before = now
        now = .now
        if before.duration(to: now) > slowest.time {
          slowest = (number, before.duration(to: now))
        }
        number += 1
      }
      CrashReport.end()
      let seconds = start.duration(to: now) / .seconds(1)
      let rate = Double(number - first) / max(seconds, 1e-9)
      print(
        """
        \(target.rawValue): \(number - first) runs in \(String(format: "%.1f", seconds)) s, \
        \(Int(rate)) runs/s; \(accepted) accepted; the slowest, number \(slowest.number), took \
        \(Int(slowest.time / .milliseconds(1))) ms
        """)
    }
  }

  extension FuzzTarget: ExpressibleByArgument {}
#endif
