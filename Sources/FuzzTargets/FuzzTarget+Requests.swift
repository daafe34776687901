import Game2048
import NTupleNetwork
import WebInterface

extension FuzzTarget {
  private static let interface = WebInterface(
    modelName: "fuzzed", network: NTupleNetwork(FuzzedRun.shape), rules: .standard, runs: { [] },
    isSynchronous: true)

  static func readRequests(_ bytes: [UInt8]) -> Bool {
    // The bytes arrive in two parts, and where they are divided depends on them.
    let middle = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % (bytes.count + 1)
    let replies = try! interface.replies(to: [Array(bytes[..<middle]), Array(bytes[middle...])])
    return replies.starts(with: "HTTP/1.1 200".utf8)
  }
}
