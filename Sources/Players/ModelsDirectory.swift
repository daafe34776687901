/// The directory of runs and models.
package enum ModelsDirectory {
  package static let path = "Models"

  /// Returns the path of a name: a name without a slash is in this directory, anything else is a
  /// path.
  package static func path(named name: String) -> String {
    name.contains("/") ? name : "\(path)/\(name)"
  }
}
