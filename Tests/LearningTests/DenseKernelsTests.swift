import Learning
import Testing

@Suite struct DenseKernelsTests {
  /// Lengths below, at and above those of the vectors that OpenBLAS computes with.
  private static let counts = [0, 1, 7, 16, 33, 1_000]

  /// Returns a buffer with whole numbers, with which floats compute without rounding.
  private func buffer(_ count: Int, from first: Int) -> FloatBuffer {
    let buffer = FloatBuffer(count: count)
    for index in 0..<count { buffer[index] = Float(first + index) }
    return buffer
  }

  private func elements(_ buffer: FloatBuffer) -> [Float] { (0..<buffer.count).map { buffer[$0] } }

  @Test(arguments: [0, 1, 100])
  func aNewBufferIsZeroAndAligned(count: Int) {
    let buffer = FloatBuffer(count: count)
    #expect(elements(buffer) == Array(repeating: 0, count: count))
    #expect(UInt(bitPattern: buffer.base) % 64 == 0)
  }

  @Test(arguments: counts)
  func additionChangesItsRangeOnly(count: Int) {
    let (x, y) = (buffer(count + 5, from: 1), buffer(count + 4, from: -50))
    let before = elements(y)
    DenseKernels.add(-3, times: x, from: 2, to: y, at: 1, count: count)
    let expected = before.indices.map { index in
      (1..<count + 1).contains(index) ? before[index] - 3 * x[index + 1] : before[index]
    }
    #expect(elements(y) == expected)
    #expect(elements(x) == elements(buffer(count + 5, from: 1)))
  }

  @Test(arguments: counts)
  func copyingChangesItsRangeOnly(count: Int) {
    let (x, y) = (buffer(count + 5, from: 1), buffer(count + 4, from: -50))
    let before = elements(y)
    DenseKernels.copy(x, from: 4, to: y, at: 2, count: count)
    let expected = before.indices.map { index in
      (2..<count + 2).contains(index) ? x[index + 2] : before[index]
    }
    #expect(elements(y) == expected)
  }

  @Test(arguments: counts)
  func scalingChangesTheFirstElementsOnly(count: Int) {
    let (x, y) = (buffer(count + 3, from: -9), buffer(count + 2, from: 70))
    let (values, before) = (elements(x), elements(y))
    DenseKernels.scale(x, by: 0.5, count: count, into: y)
    #expect(elements(y) == before.indices.map { $0 < count ? values[$0] / 2 : before[$0] })
    #expect(elements(x) == values)
  }

  @Test func partsOfABufferCanBeAddedToEachOther() {
    let x = buffer(8, from: 0)
    DenseKernels.add(1, times: x, to: x, at: 4, count: 4)
    #expect(elements(x) == [0, 1, 2, 3, 4, 6, 8, 10])
  }

  @Test func noKernelLeavesItsBuffers() async {
    await #expect(processExitsWith: .failure) {
      DenseKernels.add(
        1, times: FloatBuffer(count: 3), from: 1, to: FloatBuffer(count: 8), count: 3)
    }
    await #expect(processExitsWith: .failure) {
      DenseKernels.copy(FloatBuffer(count: 8), to: FloatBuffer(count: 3), at: 1, count: 3)
    }
    await #expect(processExitsWith: .failure) {
      DenseKernels.scale(FloatBuffer(count: 3), by: 2, count: 4, into: FloatBuffer(count: 4))
    }
    await #expect(processExitsWith: .failure) {
      DenseKernels.scale(FloatBuffer(count: 4), by: 2, count: 4, into: FloatBuffer(count: 3))
    }
    await #expect(processExitsWith: .failure) {
      DenseKernels.scale(FloatBuffer(count: 3), by: 2, count: -1, into: FloatBuffer(count: 3))
    }
  }

  @Test func noElementIsBeyondTheBuffer() async {
    await #expect(processExitsWith: .failure) { _ = FloatBuffer(count: 3)[3] }
    await #expect(processExitsWith: .failure) { FloatBuffer(count: 3)[-1] = 1 }
  }
}
