import Console
import Foundation
import Players

extension PlayerLoader {
  /// A loader that shows on a terminal which model it is reading.
  static func showingProgress() -> PlayerLoader {
    PlayerLoader { path in
      guard StandardError.shared.isTerminal else { return }
      guard let path else { return StandardError.shared.endProgress() }
      let name = URL(fileURLWithPath: path).lastPathComponent
      StandardError.shared.showProgress(["reading \(name)"])
    }
  }
}
