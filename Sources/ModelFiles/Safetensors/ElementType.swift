/// The type of the elements of a tensor; raw values are those of the safetensors format.
///
/// Files of this project contain `F32` and `U8`. The others are known so that messages can name the type of a tensor that
/// is rejected.
package enum ElementType: String, Hashable, Sendable {
  case bool = "BOOL"
  case uint8 = "U8"
  case int8 = "I8"
  case float8e5m2 = "F8_E5M2"
  case float8e4m3 = "F8_E4M3"
  case float8e8m0 = "F8_E8M0"
  case int16 = "I16"
  case uint16 = "U16"
  case float16 = "F16"
  case bfloat16 = "BF16"
  case int32 = "I32"
  case uint32 = "U32"
  case float32 = "F32"
  case complex64 = "C64"
  case float64 = "F64"
  case int64 = "I64"
  case uint64 = "U64"

  /// The size of an element, in bytes.
  package var byteCount: Int {
    switch self {
    case .bool, .uint8, .int8, .float8e5m2, .float8e4m3, .float8e8m0: 1
    case .int16, .uint16, .float16, .bfloat16: 2
    case .int32, .uint32, .float32: 4
    case .complex64, .float64, .int64, .uint64: 8
    }
  }
}
