import DenseKernels

/// The vector operations of an update as plain loops.
struct PlainKernels: ErrorKernels {
  private let returns: ReturnEstimate

  init(rowCapacity: Int, returns: ReturnEstimate) {
    self.returns = returns
  }

  func temporalDifferences(
    rewards: FloatBuffer, values: FloatBuffer, in range: Range<Int>, into errors: FloatBuffer
  ) {
    for row in range { errors[row] = rewards[row + 1] + values[row + 1] - values[row] }
  }

  func accumulate(_ errors: FloatBuffer, count: Int, into result: FloatBuffer) {
    let decay = returns.traceDecay
    guard let horizon = returns.horizon else {
      var sum: Float = 0
      for row in (0..<count).reversed() {
        sum = errors[row] + decay * sum
        result[row] = sum
      }
      return
    }
    for row in 0..<count {
      var sum: Float = 0
      var weight: Float = 1
      for later in row...min(row + horizon, count - 1) {
        sum += weight * errors[later]
        weight *= decay
      }
      result[row] = sum
    }
  }

  func scale(_ errors: FloatBuffer, by factor: Float, count: Int, into result: FloatBuffer) {
    for row in 0..<count { result[row] = factor * errors[row] }
  }

  func add(_ errors: FloatBuffer, to sums: FloatBuffer, count: Int) {
    for row in 0..<count { sums[row] += errors[row] }
  }
}
