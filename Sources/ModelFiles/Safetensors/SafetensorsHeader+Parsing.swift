import Basics

extension SafetensorsHeader {
  /// Parses and validates a header.
  ///
  /// - Parameters:
  ///   - json: The bytes of the header, which start at byte 8 of the file.
  ///   - dataByteCount: The number of bytes after the header.
  /// - Throws: `LocatedError` if the header is invalid.
  init(json: [UInt8], dataByteCount: Int, path: String) throws {
    guard json.first == UInt8(ascii: "{") else {
      throw LocatedError.damaged(
        path, "byte 8", "the header does not start with '{', so this is not a safetensors file",
        remedy: "check that the path names a weight file")
    }
    let members: [String: JSONValue]
    do {
      members = try JSONParser.parse(json).object ?? [:]
    } catch let error {
      throw LocatedError.damaged(
        path, "byte \(SafetensorsHeader.lengthByteCount + error.byte)",
        "the header \(error.problem)")
    }
    func damaged(_ place: String, _ member: String..., problem: String) -> LocatedError {
      let byte = JSONParser.byte(ofMember: member, in: json) ?? 0
      return .damaged(
        path, "\(place) (byte \(SafetensorsHeader.lengthByteCount + byte))", problem)
    }
    func metadata(_ value: JSONValue) throws -> [String: String] {
      let key = "__metadata__"
      guard let members = value.object else {
        throw damaged(key, key, problem: "is not an object")
      }
      var metadata: [String: String] = [:]
      for (field, value) in members.sorted(by: { $0.key < $1.key }) {
        guard let text = value.string else {
          throw damaged("metadata key '\(field)'", key, field, problem: "is not a string")
        }
        metadata[field] = text
      }
      return metadata
    }
    func tensor(_ name: String, _ value: JSONValue) throws -> Tensor {
      let place = "tensor '\(name)'"
      guard let fields = value.object else {
        throw damaged(place, name, problem: "is not described by an object")
      }
      func field(_ key: String) throws -> JSONValue {
        guard let field = fields[key] else {
          throw damaged(place, name, problem: "has no '\(key)'")
        }
        return field
      }
      guard let type = try field("dtype").string.flatMap(ElementType.init) else {
        throw damaged(place, name, "dtype", problem: "has an unknown dtype")
      }
      guard let axes = try field("shape").array, case let shape = axes.compactMap(\.count),
        shape.count == axes.count
      else {
        throw damaged(place, name, "shape", problem: "has a shape that is not a list of sizes")
      }
      let offsets = try field("data_offsets").array
      guard let ends = offsets?.compactMap(\.count), ends.count == 2, offsets?.count == 2,
        ends[0] <= ends[1]
      else {
        throw damaged(
          place, name, "data_offsets", problem: "has data_offsets that are not a byte range")
      }
      var byteCount = type.byteCount
      for extent in shape {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: extent)
        guard !overflow else {
          throw damaged(place, name, "shape", problem: "has a shape that overflows")
        }
        byteCount = product
      }
      guard byteCount == ends[1] - ends[0] else {
        throw damaged(
          place, name, "data_offsets",
          problem: "has \(ends[1] - ends[0]) bytes, but its shape \(shape) needs \(byteCount)")
      }
      return Tensor(name: name, type: type, shape: shape, byteRange: ends[0]..<ends[1])
    }
    var fields: [String: String] = [:]
    var tensors: [Tensor] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if name == "__metadata__" {
        fields = try metadata(value)
      } else {
        tensors.append(try tensor(name, value))
      }
    }
    tensors.sort {
      ($0.byteRange.lowerBound, $0.byteRange.upperBound)
        < ($1.byteRange.lowerBound, $1.byteRange.upperBound)
    }
    self.init(metadata: fields, tensors: tensors)
    try checkContiguity(dataByteCount: dataByteCount, path: path)
  }

  private func checkContiguity(dataByteCount: Int, path: String) throws {
    var end = 0
    for tensor in tensors {
      guard tensor.byteRange.lowerBound == end else {
        let problem = tensor.byteRange.lowerBound > end ? "leaves a gap before" : "overlaps"
        throw LocatedError.damaged(
          path, "tensor '\(tensor.name)'",
          "starts at data byte \(tensor.byteRange.lowerBound), which \(problem) byte \(end)")
      }
      end = tensor.byteRange.upperBound
    }
    guard end == dataByteCount else {
      throw LocatedError.damaged(
        path, "data",
        dataByteCount < end
          ? "the file is truncated: it has \(dataByteCount) of \(end) bytes of tensors"
          : "the file has \(dataByteCount - end) bytes after its last tensor")
    }
  }
}
