import Basics
import CLearn2048
import Foundation
import Game2048
import NTupleNetwork
import Play
import Training

/// The reason why a call of the library fails.
struct Failure: Error {
  let status: Int
  let text: String

  init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

  static func usage(_ text: String) -> Failure { Failure(LEARN2048_USAGE, text) }

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let located as LocatedError: self.init(located.kind.status, located.description)
    case is ConfigurationError, is PlayerSpecificationError, is Pattern.ParsingError:
      self.init(LEARN2048_USAGE, "\(error)")
    default: self.init(LEARN2048_DATA, "\(error)")
    }
  }
}

extension LocatedError.Kind {
  /// The status of the C interface.
  fileprivate var status: Int {
    switch self {
    case .unsuitableData: LEARN2048_DATA
    case .missingInput: LEARN2048_MISSING
    case .cannotCreate, .inputOutput, .locked: LEARN2048_IO
    case .insufficientMemory: LEARN2048_MEMORY
    case .usage: LEARN2048_USAGE
    }
  }
}

/// Runs the body of a C function, and returns its status. The text of a failure is that of the thread.
func status(_ body: () throws -> Void) -> Int32 {
  do {
    try body()
    return Int32(LEARN2048_OK)
  } catch {
    let failure = Failure(error)
    ThreadText.current.set(Array(failure.text.utf8))
    return Int32(failure.status)
  }
}

/// The text of the last failure or result of a thread.
///
/// Safety: (1) only its thread uses it; (2) `bytes` points to `count` bytes and a zero, and is replaced by `set` only;
/// (3) the thread's end releases it.
@safe
final class ThreadText {
  private(set) var bytes: UnsafeMutablePointer<CChar>
  private(set) var count = 0

  private init() {
    unsafe bytes = .allocate(capacity: 1)
    unsafe bytes.initialize(to: 0)
  }

  deinit { unsafe bytes.deallocate() }

  func set(_ text: [UInt8]) {
    unsafe bytes.deallocate()
    count = text.count
    unsafe bytes = .allocate(capacity: count + 1)
    for (place, byte) in text.enumerated() {
      unsafe (bytes + place).initialize(to: CChar(bitPattern: byte))
    }
    unsafe (bytes + count).initialize(to: 0)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { text in
      if let text = unsafe text { unsafe Unmanaged<ThreadText>.fromOpaque(text).release() }
    }
    precondition(code == 0, "a key for the texts of threads")
    return key
  }()

  /// The text of the calling thread.
  static var current: ThreadText {
    if let known = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<ThreadText>.fromOpaque(known).takeUnretainedValue()
    }
    let text = ThreadText()
    unsafe pthread_setspecific(key, Unmanaged.passRetained(text).toOpaque())
    return text
  }
}

/// Returns an argument, which must not be null.
func required<Pointer>(_ pointer: Pointer?, _ name: String) throws -> Pointer {
  guard let pointer else { throw Failure.usage("\(name) is null") }
  return pointer
}

/// Returns a text argument.
func string(_ text: UnsafePointer<CChar>?, _ name: String) throws -> String {
  let text = unsafe try required(text, name)
  guard let string = unsafe String(validatingCString: text) else {
    throw Failure.usage("\(name) is not UTF-8")
  }
  return string
}

/// Returns a number of elements, which must be possible.
func validated(count: Int64) throws -> Int {
  guard (0...(1 << 40)).contains(count) else {
    throw Failure.usage("the number of boards is \(count)")
  }
  return Int(count)
}

/// Returns a number of threads, which must be possible.
func validated(threads: Int32) throws -> Int {
  guard (1...1024).contains(threads) else {
    throw Failure.usage("the number of threads is \(threads), not 1 to 1024")
  }
  return Int(threads)
}

/// Returns the rules of a game, which must be possible.
func validatedRules(size: Int32, fourProbability: Double) throws -> Rules {
  guard (2...4).contains(size) else {
    throw Failure.usage("boards have 2, 3 or 4 rows, not \(size)")
  }
  guard (0...1).contains(fourProbability) else {
    throw Failure.usage("the probability of a 4 is \(fourProbability), not 0 to 1")
  }
  return Rules(size: Int(size), fourProbability: fourProbability)
}
