/// Why a run cannot go on, apart from its files.
public enum RunError: Error, Equatable, CustomStringConvertible {
  /// The run has done all its episodes.
  case alreadyFinished(String, episodes: Int)
  /// The run has reached a limit other than its episodes: a key, such as `limit.seconds`.
  case limitReached(String, key: String)
  /// A key, such as `learning.initialValue`, would replace the weights of the file to start from.
  case replacesWeights(of: String, key: String)

  public var description: String {
    switch self {
    case .alreadyFinished(let path, let episodes):
      "\(path) has finished its \(episodes) episodes; to go on, give a larger total with --episodes"
    case .limitReached(let path, let key):
      "\(path) has reached its \(key); to go on, give a larger one with --set \(key)=N, or a length with "
        + "--episodes or --minutes"
    case .replacesWeights(let path, let key):
      "\(key) and the weights of \(path) do not go together: it would replace them; for these weights, "
        + "add --set \(key)=0"
    }
  }
}
