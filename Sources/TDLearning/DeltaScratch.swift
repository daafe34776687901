import DenseKernels

/// Scratch memory in which one thread makes and combines blocks.
///
/// It belongs to a thread, not to a lane, so that it stays in the caches of the thread.
///
/// Safety: (1) `keys` and `ranks` point to `capacity` initialised words from `init` to `deinit`;
/// (2) every user checks counts against `capacity`; (3) a scratch belongs to one thread at a time and
/// is not `Sendable`.
@safe
package final class DeltaScratch {
  /// The number of features or entries that fit.
  package let capacity: Int
  let sorter: WordSorter
  let keys: UnsafeMutablePointer<UInt32>
  let ranks: UnsafeMutablePointer<UInt32>
  let errors: FloatBuffer
  let magnitudes: FloatBuffer
  let steps: FloatBuffer
  /// All zero between uses.
  let row: FloatBuffer

  /// Allocates memory for the features of one pattern, of `lanes` lanes, in one round.
  package convenience init(lanes: Int, batchSize: Int, returns: ReturnEstimate) {
    self.init(capacity: lanes * RoundLearner.mostFeatures(batchSize: batchSize, returns: returns))
  }

  /// Returns the memory for the features of `lanes` lanes, in bytes.
  package static func byteCount(lanes: Int, batchSize: Int, returns: ReturnEstimate) -> Int {
    // Two words of the sorter, a key, a rank, and four floats.
    lanes * RoundLearner.mostFeatures(batchSize: batchSize, returns: returns) * 40
  }

  init(capacity: Int) {
    self.capacity = capacity
    sorter = WordSorter(capacity: capacity)
    unsafe keys = .allocate(capacity: capacity)
    unsafe ranks = .allocate(capacity: capacity)
    unsafe keys.initialize(repeating: 0, count: capacity)
    unsafe ranks.initialize(repeating: 0, count: capacity)
    errors = FloatBuffer(count: capacity)
    magnitudes = FloatBuffer(count: capacity)
    steps = FloatBuffer(count: capacity)
    row = FloatBuffer(count: capacity)
  }

  deinit {
    unsafe keys.deallocate()
    unsafe ranks.deallocate()
  }
}
