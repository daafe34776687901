import TestSupport
import Testing

@testable import ModelFiles

@Suite struct SafetensorsHeaderTests {
  private let a = #""a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#

  private func file(_ json: String, dataBytes: Int, length: UInt64? = nil) -> [UInt8] {
    let length = length ?? UInt64(json.utf8.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
      + Array(json.utf8) + [UInt8](repeating: 1, count: dataBytes)
  }

  private func open(_ bytes: [UInt8]) throws -> SafetensorsHeader {
    let directory = try TemporaryDirectory()
    try directory.write(bytes, "x.safetensors")
    return try SafetensorsFile(path: directory.file("x.safetensors")).header
  }

  @Test func aHeaderByOthersIsRead() throws {
    // Tensors out of order, white space, escapes, an empty tensor and a scalar.
    let json = """
      { "b" : {"shape":[], "dtype":"I64","data_offsets":[8,16]},
        \(a), "none":{"dtype":"U8","shape":[0,3],"data_offsets":[8,8]},
        "__metadata__":{"k\\u00e4\\ud83d\\ude00\\n":"\\"v\\\\"} }
      """
    let header = try open(file(json, dataBytes: 16))
    #expect(header.tensors.map(\.name) == ["a", "none", "b"])
    #expect(header.tensors.map(\.byteRange) == [0..<8, 8..<8, 8..<16])
    #expect(header.tensors[2].type == .int64 && header.tensors[2].shape == [])
    #expect(header.metadata == ["kä😀\n": "\"v\\"])
  }

  @Test func encodingAndParsingAgree() throws {
    var header = SafetensorsHeader(metadata: ["q\"\\\n\u{1}": "ü/😀", "": ""])
    header.append("x.1", .float32, shape: [2, 3])
    header.append("y", .bool, shape: [5])
    let bytes = header.encoded()
    #expect(bytes.count % 64 == 0)
    #expect(try open(bytes + [UInt8](repeating: 0, count: 29)) == header)
  }

  @Test(arguments: [
    ("[1]", "byte 8"), ("", "byte 8"), (" {}", "byte 8"), ("{", "byte 9"), ("{}x", "byte 10"),
    (#"{"a":1}"#, "tensor 'a'"), (#"{"a":01}"#, "lacks a ','"), (#"{"a" 1}"#, "lacks a ':'"),
    (#"{"a":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}"#, "too deeply"),
    ("{\"a\u{1}\":1}", "control character"), (#"{"\ud800":1}"#, "surrogate"),
    (#"{"\q":1}"#, "unknown escape"), (#"{"a":tru}"#, "unknown word"), (#"{"a":-}"#, "lacks"),
    (#"{"__metadata__":{"k":1}}"#, "metadata key 'k'"), (#"{"__metadata__":3}"#, "__metadata__"),
    (#"{"__metadata__":{"k":"1","k":"2"}}"#, "'k' twice"),
    (#"{"a":{"shape":[2],"data_offsets":[0,8]}}"#, "no 'dtype'"),
    (#"{"a":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}}"#, "unknown dtype"),
    (#"{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}"#, "shape"),
    (#"{"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}}"#, "shape"),
    (#"{"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,8]}}"#, "shape"),
    (#"{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}}"#, "overflows"),
    (#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#, "needs 12"),
    (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#, "data_offsets"),
    (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4,8]}}"#, "data_offsets"),
    (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}}"#, "data_offsets"),
    (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#, "gap before byte 0"),
    (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#, "4 bytes after"),
    (#"{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}"#, "8 of 16 bytes"),
    (
      #"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"#
        + #""data_offsets":[4,8]}}"#, "overlaps byte 8"
    ),
  ])
  func aBrokenHeaderIsRefused(json: String, trouble: String) {
    let error = locatedError { _ = try open(file(json, dataBytes: 8)) }
    #expect(error?.kind == .unsuitableData)
    #expect("\(error.map(String.init(describing:)) ?? "accepted")".contains(trouble))
    #expect("\(error.map(String.init(describing:)) ?? "")".contains("x.safetensors: "))
  }

  @Test func invalidTextIsRefusedAtItsByte() throws {
    var bytes = file("{\(a)}", dataBytes: 8)
    bytes[10] = 0xFF
    let error = locatedError { _ = try open(bytes) }
    #expect(error?.place == "byte 10")
    #expect(error?.problem == "the header is not UTF-8 text")
  }

  @Test(arguments: [UInt64.max, 1 << 63, 100_000_001, 5_000])
  func aWrongHeaderLengthIsRefused(length: UInt64) {
    let error = locatedError { _ = try open(file("{\(a)}", dataBytes: 8, length: length)) }
    #expect(error?.kind == .unsuitableData)
    #expect(error?.place == "byte 0")
  }

  @Test(arguments: [0, 1, 7]) func aFileWithoutAHeaderIsRefused(count: Int) {
    let error = locatedError { _ = try open([UInt8](repeating: 0, count: count)) }
    #expect(error?.place == "byte \(count)")
  }

  @Test func whatIsNoFileIsRefused() throws {
    let directory = try TemporaryDirectory()
    let missing = locatedError { _ = try SafetensorsFile(path: directory.file("none")) }
    #expect(missing?.kind == .missingInput)
    let error = locatedError { _ = try SafetensorsFile(path: directory.path) }
    #expect(error?.problem == "is a directory")
  }
}
