import NTupleNetwork

extension CompactTable {
  /// An encoded table, with the bytes of each stream in the order of ``CompactTable/streams``.
  typealias Encoded = (summary: CompactSummary.Table, streams: [[UInt8]])

  /// Encodes the table of a network.
  ///
  /// - Parameters:
  ///   - pruning: The rule that decides which entries to omit; nil to keep all weights.
  ///   - readings: The weight that is read for every entry of a stage, given the stages encoded so far;
  ///     updated with this table. Nil for a network with one stage, which does not need it.
  /// - Throws: `LocatedError` if a weight is out of range, or the encoders do not fit into memory.
  /// - Complexity: O(entries), and 12 MiB of memory besides the result.
  func encoded(
    _ network: NTupleNetwork, bits: Int, pruning: Pruning?, readings: SharedWeights?, path: String
  ) throws -> Encoded {
    let first = place.offset - place.stage * network.shape.stageStride
    return unsafe try network.weights.withWeights(in: place.range) { weights in
      unsafe try (pruning?.reads).withWeights(in: place.range) { reads in
        unsafe try readings.withWeights(in: first..<(first + weights.count)) { readings in
          let columns = unsafe Columns(
            weights: weights, reads: reads,
            substitutes: place.stage == 0 ? nil : readings)
          let survey = unsafe Survey(
            columns, bits: bits, rule: pruning?.rule, isFilled: place.stage == 0)
          let result = unsafe try encoded(columns, survey, path: path)
          if let readings = unsafe readings {
            for entry in 0..<weights.count {
              unsafe readings[entry] = survey.value(of: columns[entry])
            }
          }
          return result
        }
      }
    }
  }

  @unsafe
  private func encoded(_ columns: Columns, _ survey: Survey, path: String) throws -> Encoded {
    let encoders = try tensorNames.map { try ZstdEncoder(path: path, tensor: $0) }
    func emit(_ bytes: [UInt8], _ encoder: Int) throws {
      unsafe try bytes.withUnsafeBytes { unsafe try encoders[encoder].append($0) }
    }
    let fractionBits = survey.quantization.fractionBits
    var packer = BitPacker()
    let order = canonicalOrder()
    unsafe try forEachBlock(columns, in: order, path: path) { block in
      var bitmap = [UInt8](repeating: 0, count: order.blockEntryCount / 8)
      var values: [UInt8] = []
      for entry in 0..<order.blockEntryCount {
        guard let code = unsafe survey.code(of: block[entry]) else { continue }
        bitmap[entry / 8] |= 1 << UInt8(entry % 8)
        values.append(UInt8(truncatingIfNeeded: code >> UInt32(fractionBits)))
        if fractionBits > 0 { packer.append(code, count: fractionBits) }
      }
      try emit(bitmap, 0)
      try emit(values, 1)
      try emit(packer.takeBytes(), 2)
    }
    packer.finish()
    try emit(packer.takeBytes(), 2)
    let summary = CompactSummary.Table(
      kept: survey.kept, least: survey.quantization.least, step: survey.quantization.step,
      fill: survey.fill)
    return (summary, try encoders.map { try $0.finish() })
  }

  /// Calls `body` with each block of the columns, in canonical order.
  @unsafe
  private func forEachBlock(
    _ columns: Columns, in order: CanonicalOrder, path: String, _ body: (Columns) throws -> Void
  ) throws {
    let count = order.blockEntryCount
    unsafe try CanonicalOrder.withBuffer(count) { reads in
      unsafe try CanonicalOrder.withBuffer(count) { substitutes in
        unsafe try order.forEachBlock(
          of: columns.weights, path: path,
          place: "tensor '\(TensorGroup.tensorName(TensorGroup.weights, place))'",
          remedy: "learning diverged; use an earlier checkpoint"
        ) { number, weights in
          if let all = unsafe columns.reads { unsafe order.gather(number, of: all, into: reads) }
          if let all = unsafe columns.substitutes {
            unsafe order.gather(number, of: all, into: substitutes)
          }
          unsafe try body(
            Columns(
              weights: weights, reads: columns.reads == nil ? nil : reads,
              substitutes: columns.substitutes == nil ? nil : substitutes))
        }
      }
    }
  }
}

/// A writer that packs numbers of a few bits each into bytes, lowest bit first.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// Appends the lowest `count` bits of `value`; `count` is at most 8.
  mutating func append(_ value: UInt32, count: Int) {
    pending |= (value & ((1 << UInt32(count)) - 1)) << UInt32(pendingBits)
    pendingBits += count
    if pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Returns and removes the complete bytes.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Fills the last byte with zero bits.
  mutating func finish() {
    if pendingBits > 0 { append(0, count: 8 - pendingBits) }
  }
}

/// A reader of numbers that a ``BitPacker`` has packed.
struct BitUnpacker {
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// Returns the next `count` bits, at most 8; calls `nextByte` when it needs a further byte.
  mutating func next(count: Int, _ nextByte: () -> UInt8) -> UInt32 {
    if pendingBits < count {
      pending |= UInt32(nextByte()) << UInt32(pendingBits)
      pendingBits += 8
    }
    defer {
      pending >>= UInt32(count)
      pendingBits -= count
    }
    return pending & ((1 << UInt32(count)) - 1)
  }

  /// Returns the number of bytes still to be read for `values` numbers of `count` bits each.
  func byteCount(values: Int, count: Int) -> Int {
    max(0, (values * count - pendingBits + 7) / 8)
  }
}
