import Foundation

/// Opens the null device on those standard streams, the descriptors 0 to 2, that are closed.
///
/// Otherwise the next files would get these descriptors, and messages would be written into them. The device
/// is opened in the opposite direction, so that using a stream fails as if it were closed.
package func openClosedStandardStreams() {
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
    let opened = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    // The lowest free descriptor is the closed one.
    if opened >= 0, opened != descriptor { close(opened) }
  }
}
