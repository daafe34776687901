/// The reason why a run cannot be started or resumed, apart from its files.
public enum RunError: Error, Equatable, CustomStringConvertible {
  /// The run has trained for all its episodes.
  case alreadyFinished(String, episodes: Int)
  /// The run has reached a limit other than its episodes: a key, such as `limit.seconds`.
  case limitReached(String, key: String)
  /// A key, such as `learning.initialValue`, would replace the weights of the file to start from.
  case replacesWeights(of: String, key: String)

  public var description: String {
    switch self {
    case .alreadyFinished(let path, let episodes):
      "\(path) has finished its \(episodes) episodes. To continue, pass a larger total with --episodes."
    case .limitReached(let path, let key):
      "\(path) has reached its \(key). To continue, pass a larger one with --set \(key)=N, or another "
        + "limit with --episodes or --minutes."
    case .replacesWeights(let path, let key):
      "\(key) would replace the weights of \(path). To start from these weights, pass --set \(key)=0."
    }
  }
}
