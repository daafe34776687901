/// The version of this program, as weight files record it.
public enum Version {
  public static let current = "0.1.0"
}
