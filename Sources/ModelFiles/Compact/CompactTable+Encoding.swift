import NTupleNetwork

extension CompactTable {
  /// A table as a file holds it.
  struct Encoded {
    let summary: CompactSummary.Table
    /// The bytes of each of ``CompactTable/streams``.
    let streams: [[UInt8]]
  }

  /// Compresses the table.
  ///
  /// - Throws: ``ModelFileError`` if a weight is not finite.
  /// - Complexity: O(entries), and 8 MiB of memory beside the result.
  func encoded(
    _ weights: SharedWeights, bits: Int, pruning: Pruning?, path: String
  ) throws -> Encoded {
    unsafe try weights.withUnsafeWeights { weights in
      let table = unsafe UnsafeMutableBufferPointer(rebasing: weights[range])
      guard let pruning else {
        let survey = unsafe Survey(table, reads: nil, bits: bits, rule: nil)
        return unsafe try encoded(table, reads: nil, survey, path: path)
      }
      return unsafe try pruning.reads.withUnsafeWeights { reads in
        let reads = unsafe UnsafeMutableBufferPointer(rebasing: reads[range])
        let survey = unsafe Survey(table, reads: reads, bits: bits, rule: pruning.rule)
        return unsafe try encoded(table, reads: reads, survey, path: path)
      }
    }
  }

  @unsafe
  private func encoded(
    _ table: UnsafeMutableBufferPointer<Float>, reads: UnsafeMutableBufferPointer<Float>?,
    _ survey: Survey, path: String
  ) throws -> Encoded {
    let encoders = [XZEncoder(.thorough), XZEncoder(.slight), XZEncoder(.slight)]
    func emit(_ bytes: [UInt8], _ encoder: Int) {
      unsafe bytes.withUnsafeBytes { unsafe encoders[encoder].append($0) }
    }
    let fractionBits = survey.quantization.fractionBits
    var packer = BitPacker()
    unsafe try forEachBlock(table, reads) { number, block, reads in
      if let entry = unsafe TensorGroup.firstNonFinite(block) {
        throw TensorGroup.nonFinite(
          unsafe block[entry], entry: number * block.count + entry, pattern: pattern,
          group: TensorGroup.weights, path: path,
          remedy: "the learning diverged: use an earlier checkpoint")
      }
      var bitmap = [UInt8](repeating: 0, count: block.count / 8)
      var values: [UInt8] = []
      for entry in 0..<block.count {
        guard let code = unsafe survey.code(of: block[entry], reads: reads?[entry]) else {
          continue
        }
        bitmap[entry / 8] |= 1 << UInt8(entry % 8)
        values.append(UInt8(truncatingIfNeeded: code >> UInt32(fractionBits)))
        if fractionBits > 0 { packer.append(code, count: fractionBits) }
      }
      emit(bitmap, 0)
      emit(values, 1)
      emit(packer.takeBytes(), 2)
    }
    packer.finish()
    emit(packer.takeBytes(), 2)
    return Encoded(
      summary: CompactSummary.Table(
        kept: survey.kept, least: survey.quantization.least, step: survey.quantization.step,
        fill: survey.fill),
      streams: encoders.map { $0.finish() })
  }

  /// Calls `body` with each block of weights and of their reads, in canonical order.
  @unsafe
  private func forEachBlock(
    _ table: UnsafeMutableBufferPointer<Float>, _ reads: UnsafeMutableBufferPointer<Float>?,
    _ body: (
      _ number: Int, UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>?
    ) throws -> Void
  ) throws {
    unsafe try TensorGroup.withBlock(order.blockEntryCount) { counts in
      unsafe try TensorGroup.forEachBlock(of: table, in: order) { number, block in
        guard let reads = unsafe reads else { return unsafe try body(number, block, nil) }
        unsafe order.gather(number, of: reads, into: counts)
        unsafe try body(number, block, counts)
      }
    }
  }
}
