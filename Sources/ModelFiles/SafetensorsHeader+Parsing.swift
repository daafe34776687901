extension SafetensorsHeader {
  /// Reads and validates a header.
  ///
  /// - Parameters:
  ///   - json: the bytes of the header, which start at byte 8 of the file.
  ///   - dataByteCount: the bytes of the file behind the header.
  ///   - path: for messages.
  /// - Throws: ``ModelFileError``.
  init(json: [UInt8], dataByteCount: Int, path: String) throws {
    guard json.first == UInt8(ascii: "{") else {
      throw ModelFileError.damaged(
        path, "byte 8", "the header does not start with '{', so this is no safetensors file",
        remedy: "check that the path names a weight file")
    }
    let members: [JSONValue.Member]
    do {
      members = try JSONParser.parse(json).object ?? []
    } catch let error {
      throw ModelFileError.damaged(
        path, "byte \(SafetensorsHeader.lengthByteCount + error.byte)",
        "the header \(error.problem)")
    }
    var metadata: [String: String] = [:]
    var tensors: [Tensor] = []
    for member in members {
      if member.key == "__metadata__" {
        metadata = try SafetensorsHeader.metadata(member.value, path: path)
      } else {
        tensors.append(try SafetensorsHeader.tensor(member, path: path))
      }
    }
    tensors.sort {
      ($0.byteRange.lowerBound, $0.byteRange.upperBound)
        < ($1.byteRange.lowerBound, $1.byteRange.upperBound)
    }
    self.init(metadata: metadata, tensors: tensors)
    try checkContiguity(dataByteCount: dataByteCount, path: path)
  }

  private static func metadata(_ value: JSONValue, path: String) throws -> [String: String] {
    guard let members = value.object else {
      throw damaged(path, "__metadata__", value, "is not an object")
    }
    var metadata: [String: String] = [:]
    for member in members {
      guard let text = member.value.string else {
        throw damaged(path, "metadata key '\(member.key)'", member.value, "is not a string")
      }
      metadata[member.key] = text
    }
    return metadata
  }

  private static func tensor(_ member: JSONValue.Member, path: String) throws -> Tensor {
    let place = "tensor '\(member.key)'"
    guard let fields = member.value.object else {
      throw damaged(path, place, member.value, "is not described by an object")
    }
    func field(_ key: String) throws -> JSONValue {
      guard let field = fields.first(where: { $0.key == key }) else {
        throw damaged(path, place, member.value, "has no '\(key)'")
      }
      return field.value
    }
    let dtype = try field("dtype")
    guard let type = dtype.string.flatMap(ElementType.init) else {
      throw damaged(path, place, dtype, "has an unknown dtype")
    }
    let extents = try field("shape")
    guard let axes = extents.array, case let shape = axes.compactMap(\.count),
      shape.count == axes.count
    else { throw damaged(path, place, extents, "has a shape that is no list of sizes") }
    let offsets = try field("data_offsets")
    guard let ends = offsets.array?.compactMap(\.count), ends.count == 2,
      offsets.array?.count == 2, ends[0] <= ends[1]
    else { throw damaged(path, place, offsets, "has data_offsets that are no byte range") }
    var byteCount = type.byteCount
    for extent in shape {
      let (product, overflow) = byteCount.multipliedReportingOverflow(by: extent)
      guard !overflow else { throw damaged(path, place, extents, "has a shape that overflows") }
      byteCount = product
    }
    guard byteCount == ends[1] - ends[0] else {
      throw damaged(
        path, place, offsets,
        "has \(ends[1] - ends[0]) bytes where its shape \(shape) needs \(byteCount)")
    }
    return Tensor(name: member.key, type: type, shape: shape, byteRange: ends[0]..<ends[1])
  }

  private func checkContiguity(dataByteCount: Int, path: String) throws {
    var end = 0
    for tensor in tensors {
      guard tensor.byteRange.lowerBound == end else {
        let problem = tensor.byteRange.lowerBound > end ? "leaves a gap before" : "overlaps"
        throw ModelFileError.damaged(
          path, "tensor '\(tensor.name)'",
          "starts at data byte \(tensor.byteRange.lowerBound) and so \(problem) byte \(end)")
      }
      end = tensor.byteRange.upperBound
    }
    guard end == dataByteCount else {
      throw ModelFileError.damaged(
        path, "data",
        dataByteCount < end
          ? "the file is cut off: it has \(dataByteCount) of \(end) bytes of tensors"
          : "the file has \(dataByteCount - end) bytes after its last tensor")
    }
  }

  private static func damaged(
    _ path: String, _ what: String, _ value: JSONValue, _ problem: String
  ) -> ModelFileError {
    .damaged(path, "\(what) (byte \(lengthByteCount + value.byte))", problem)
  }
}
