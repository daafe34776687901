import Foundation

/// The message about the input on which the process crashes, or hangs.
///
/// Safety: (1) one thread calls ``install(target:)`` once, and then ``begin(_:)`` and ``end()``; (2) the handler
/// runs on a crash of the process and only reads `text`, which is allocated once; (3) it calls only functions
/// that are safe in a signal handler.
enum CrashReport {
  private nonisolated(unsafe) static let text = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: 200)
  private nonisolated(unsafe) static var start = 0
  private nonisolated(unsafe) static var count = 0

  /// The longest time for one input, in seconds.
  private static let patience: UInt32 = 60

  /// Installs the handler.
  static func install(target: String) {
    set(
      "\nfuzz: \(target) fails, or takes longer than \(patience) s; repeat it with: "
        + "scripts/attacks/fuzz \(target) --runs 1 --first ", at: 0)
    unsafe start = unsafe count
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGALRM] {
      signal(number) { number in
        _ = unsafe write(2, CrashReport.text.baseAddress, CrashReport.count)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Sets the number of the input that is about to be run.
  static func begin(_ number: Int) {
    unsafe set("\(number)\n", at: start)
    alarm(patience)
  }

  /// Ends the time for the last input.
  static func end() { alarm(0) }

  private static func set(_ part: String, at place: Int) {
    var end = place
    for byte in part.utf8 {
      unsafe text[end] = byte
      end += 1
    }
    unsafe count = end
  }
}
