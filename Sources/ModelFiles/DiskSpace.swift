import Foundation
import NTupleNetwork

/// The bytes that an ordinary user can still write to the disk of `path`, or of the nearest directory
/// above it that exists; nil if the system does not say.
public func freeDiskSpace(at path: String) -> Int? {
  var place = path.isEmpty ? "." : path
  while true {
    var status = statvfs()
    if unsafe statvfs(place, &status) == 0 {
      let (bytes, overflow) = UInt64(status.f_bavail)
        .multipliedReportingOverflow(by: UInt64(status.f_frsize))
      return overflow ? .max : Int(clamping: bytes)
    }
    if errno == EINTR { continue }
    guard errno == ENOENT || errno == ENOTDIR, place != "/", place != "." else { return nil }
    place = (place as NSString).deletingLastPathComponent
    if place.isEmpty { place = "." }
  }
}

/// How much of the disk a run's checkpoints take at most, in bytes.
///
/// Weights that are still zero take nothing, so early checkpoints are smaller.
public struct DiskUse: Hashable, Sendable {
  /// One history file.
  public let checkpoint: Int
  /// The state file with its accumulators.
  public let state: Int
  /// Everything between two saves: the newest files, the best one, and the state.
  public let atRest: Int
  /// Everything while a checkpoint is being saved, when new files stand beside those they replace.
  public let whileSaving: Int

  /// Headers, their padding, and a configuration and history of any likely length.
  static let headerAllowance = 1 << 20

  /// - Parameters:
  ///   - keep: the number of newest history files that stay.
  ///   - accumulators: the number of accumulators for each weight.
  public init(shape: NetworkShape, keep: Int, accumulators: Int) {
    checkpoint = shape.byteCount + DiskUse.headerAllowance
    state = accumulators * shape.byteCount + DiskUse.headerAllowance
    atRest = (max(1, keep) + 1) * checkpoint + state
    whileSaving = atRest + checkpoint + state
  }
}
