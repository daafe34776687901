/// A stable sorter for words of 64 bits with a key in their upper halves.
///
/// It is a radix sort, least significant digit first, with a second buffer.
///
/// - Complexity: O(count · keyBits / 8).
///
/// Safety: (1) `words` and `spare` point to `capacity` initialised words from `init` to `deinit`, and
/// are only ever swapped; (2) `sort` checks its count; (3) the target of a word is below `count`,
/// because the same digits are counted and placed; (4) a sorter belongs to one thread and is not
/// `Sendable`.
@safe
final class WordSorter {
  let capacity: Int
  /// The words: fill them before ``sort(count:keyBits:)``, which sorts them.
  private(set) var words: UnsafeMutablePointer<UInt64>
  private var spare: UnsafeMutablePointer<UInt64>
  private let counts: UnsafeMutablePointer<UInt32>

  private static let digitBits = 8
  private static let mostPasses = 4

  /// Allocates a sorter for up to `capacity` words.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe words = .allocate(capacity: capacity)
    unsafe spare = .allocate(capacity: capacity)
    unsafe words.initialize(repeating: 0, count: capacity)
    unsafe spare.initialize(repeating: 0, count: capacity)
    let places = WordSorter.mostPasses << WordSorter.digitBits
    unsafe counts = .allocate(capacity: places)
    unsafe counts.initialize(repeating: 0, count: places)
  }

  deinit {
    unsafe words.deallocate()
    unsafe spare.deallocate()
    unsafe counts.deallocate()
  }

  /// Sorts the first `count` words.
  ///
  /// - Precondition: `count` is at most the capacity; keys have at most `keyBits` bits, up to 32.
  func sort(count: Int, keyBits: Int) {
    precondition(0 <= count && count <= capacity)
    let digitBits = WordSorter.digitBits
    let passes = (keyBits + digitBits - 1) / digitBits
    precondition(passes <= WordSorter.mostPasses)
    if count < 2 { return }
    let digits = 1 << digitBits
    unsafe counts.update(repeating: 0, count: passes * digits)
    for place in 0..<count {
      var key = unsafe words[place] &>> 32
      for pass in 0..<passes {
        unsafe counts[pass &* digits &+ Int(key & 0xFF)] &+= 1
        key &>>= 8
      }
    }
    for pass in 0..<passes {
      let starts = unsafe counts + pass &* digits
      let shift = UInt64(32 + pass * digitBits)
      // A digit that is the same in all keys does not change the order.
      let first = unsafe Int((words[0] &>> shift) & 0xFF)
      if unsafe Int(starts[first]) == count { continue }
      var next: UInt32 = 0
      for digit in 0..<digits {
        let digitCount = unsafe starts[digit]
        unsafe starts[digit] = next
        next &+= digitCount
      }
      for place in 0..<count {
        let word = unsafe words[place]
        let digit = Int((word &>> shift) & 0xFF)
        let target = unsafe Int(starts[digit])
        unsafe starts[digit] = UInt32(truncatingIfNeeded: target &+ 1)
        unsafe spare[target] = word
      }
      unsafe swap(&words, &spare)
    }
  }
}
