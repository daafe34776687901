import Testing

@testable import ModelFiles

@Suite struct QuantizationTests {
  @Test func codesAreTheNearestOfEqualSteps() {
    let quantization = Quantization(bits: 2, range: -3...6)
    #expect(quantization.step == 3)
    // Halves are rounded away from zero: 4.5 is 2.5 steps above the least weight.
    let weights: [Float] = [-3, -1.6, -1.4, 1.4, 1.6, 4.5, 6]
    #expect(weights.map { quantization.code(of: $0) } == [0, 0, 1, 1, 2, 3, 3])
    #expect((0..<4).map { quantization.weight(of: $0) } == [-3, 0, 3, 6])
  }

  @Test func weightsOutsideBecomeTheEnds() {
    let quantization = Quantization(bits: 4, range: 0...15)
    #expect(quantization.code(of: -1e9) == 0)
    #expect(quantization.code(of: 1e9) == 15)
    #expect(quantization.code(of: 1e9, multiple: 4) == 15)
  }

  @Test func coarserCodesAreMultiples() {
    let quantization = Quantization(bits: 4, range: 0...15)
    #expect(quantization.code(of: 5.9, multiple: 4) == 4)
    #expect(quantization.code(of: 6.1, multiple: 4) == 8)
    let distances = [0, 0.5, 1, 1.9, 2, 3.9, 4, 100]
    #expect(distances.map { quantization.multiple(within: $0) } == [1, 1, 1, 1, 2, 2, 4, 4])
  }

  @Test func oneWeightNeedsNoStep() {
    let quantization = Quantization(bits: 8, range: 7...7)
    #expect(quantization.code(of: 7) == 0 && quantization.weight(of: 0) == 7)
    #expect(quantization.multiple(within: 1) == 1)
  }

  @Test(arguments: [2, 4, 8, 10, 16])
  func theErrorIsAtMostHalfAStep(bits: Int) {
    let quantization = Quantization(bits: bits, range: -1000...3000)
    for number in 0..<1_000 {
      let weight = Float(number) * 4 - 1_000
      let error = quantization.weight(of: quantization.code(of: weight)) - weight
      #expect(error.magnitude <= quantization.step * 0.5001, "\(weight)")
    }
  }

  @Test func aFewWeightsFarOutAreCutOff() {
    var histogram = WeightHistogram(range: -1...16_000)
    for number in 0..<10_000 { histogram.add(Float(number % 1_000), importance: 1) }
    histogram.add(16_000, importance: 1)
    // In the full range the four codes are 5,334 points apart.
    #expect(histogram.bestQuantization(bits: 2).step < 1_500)
    // With many codes, cutting the range would give this weight the largest error.
    #expect(histogram.bestQuantization(bits: 12).weight(of: 4_095) > 15_900)
  }

  // MARK: Packed bits

  @Test func numbersArePackedFromTheLowestBit() {
    var packer = BitPacker()
    for value: UInt32 in [5, 2, 7] { packer.append(value, count: 3) }
    packer.finish()
    // 7, 2 and 5 are 111 010 101: one byte with the last eight bits, and one bit left.
    #expect(packer.bytes == [0b1101_0101, 0b1])
  }

  @Test(arguments: 1...8)
  func packedNumbersComeBack(count: Int) {
    let values = (0..<100).map { UInt32($0 * 37) & (1 << UInt32(count) - 1) }
    var packer = BitPacker()
    var bytes: [UInt8] = []
    for value in values {
      packer.append(value, count: count)
      bytes += packer.takeBytes()
    }
    packer.finish()
    bytes += packer.takeBytes()
    var unpacker = BitUnpacker()
    #expect(unpacker.byteCount(values: 100, count: count) == bytes.count)
    var next = 0
    let read = values.map { _ in
      unpacker.next(count: count) {
        defer { next += 1 }
        return bytes[next]
      }
    }
    #expect(read == values && next == bytes.count)
  }
}
