import Foundation

/// Returns the number of bytes that an ordinary user can still write to the disk of `path`; nil if the system
/// does not report it.
///
/// If `path` does not exist, the nearest directory above it counts.
package func freeDiskSpace(at path: String) -> Int? {
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
    place = parentDirectory(of: place)
  }
}
