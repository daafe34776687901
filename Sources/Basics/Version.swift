import CVersion

/// The version of this program, which weight files record.
public enum Version {
  /// The tag of the commit that was built, or the first digits of its name.
  public static let current = unsafe String(cString: learn2048_version())

  /// The last commit with the options that were removed because they gained nothing.
  package static let lastWithRemoved = "6b27004"

  /// What to do with a file that requires such an option.
  package static let remedyForRemoved = "use commit \(lastWithRemoved), the last one that reads it"
}
