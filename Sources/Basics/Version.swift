import CVersion

/// The version of this program, which weight files record.
public enum Version {
  /// The tag of the commit that was built, or the first digits of its name.
  public static let current = unsafe String(cString: learn2048_version())
}
