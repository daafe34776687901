import Foundation

/// The descriptors 0, 1 and 2, with which a program starts.
package enum StandardStreams {
  /// Opens the null device on the descriptors that are closed.
  ///
  /// Otherwise the next files would get these descriptors, and messages would be written into them. The
  /// device is opened in the opposite direction, so that using a stream fails as if it were closed.
  package static func openClosed() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      let opened = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      // The lowest free descriptor is the closed one.
      if opened >= 0, opened != descriptor { close(opened) }
    }
  }
}
