import Basics

/// A complete temporary file that has not been moved into place yet.
package struct PreparedFile: Sendable {
  package let file: AtomicFile
  package let checksum: String
  package let byteCount: Int
}
