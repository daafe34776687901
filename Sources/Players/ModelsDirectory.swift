/// Where runs and models live.
package enum ModelsDirectory {
  package static let path = "Models"

  /// A name without a slash is looked up here; anything else is a path.
  package static func path(named name: String) -> String {
    name.contains("/") ? name : "\(path)/\(name)"
  }
}
