/// Why a run cannot go on, apart from its files.
public enum RunError: Error, Equatable, CustomStringConvertible {
  /// The run has done all its episodes.
  case alreadyFinished(String, episodes: Int)
  /// The run has reached a limit other than its episodes: a key, such as `limit.seconds`.
  case limitReached(String, key: String)
  /// `learning.initialValue` and the weights of another model, a file, both say where to start.
  case initialValueWithModel(String)

  public var description: String {
    switch self {
    case .alreadyFinished(let path, let episodes):
      "\(path) has finished its \(episodes) episodes; to go on, give a larger total with --episodes"
    case .limitReached(let path, let key):
      "\(path) has reached its \(key); to go on, give a larger one with --set \(key)=N, or a length with "
        + "--episodes or --minutes"
    case .initialValueWithModel(let path):
      "learning.initialValue and the weights of \(path) do not go together, since both say where to "
        + "start; for these weights, add --set learning.initialValue=0"
    }
  }
}
