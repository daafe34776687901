/// Why a run cannot go on, apart from its files.
public enum RunError: Error, Equatable, CustomStringConvertible {
  /// The run has done all its episodes.
  case alreadyFinished(String, episodes: Int)

  public var description: String {
    switch self {
    case .alreadyFinished(let path, let episodes):
      "\(path) has finished its \(episodes) episodes; to go on, give a larger total with --episodes"
    }
  }
}
