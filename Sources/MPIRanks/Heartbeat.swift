import Basics
import CMPI
import Foundation

/// A thread that exchanges beats between rank 0 and the other ranks, so that each notices if the other or the
/// network between them is gone.
///
/// TCP waits for minutes before it gives up a connection. Beats do not depend on what the ranks compute.
///
/// Safety: only this thread uses the communicator.
@safe
final class Heartbeat: Sendable {
  private let communicator: MPICommunicator
  private let end: EndOfBeats

  /// Starts to exchange beats. All ranks call it together.
  ///
  /// - Parameters:
  ///   - onSilence: Called on another thread with a rank that has been silent for some time.
  ///   - onLoss: Called on another thread with the rank that is lost; it ends the process.
  init(
    of ranks: MPICommunicator, onSilence: @escaping @Sendable (Int) -> Void,
    onLoss: @escaping @Sendable (Int) -> Never
  ) {
    let communicator = ranks.duplicate()
    let end = EndOfBeats()
    (self.communicator, self.end) = (communicator, end)
    let thread = Thread {
      var watch = BeatWatch(rank: communicator.rank, size: communicator.size)
      while !watch.isOver {
        watch.beat(isEnding: end.isRequested) { beat, rank in
          cmpi_send_beat(communicator.number, beat.rawValue, Int32(rank))
        }
        for rank in watch.partners {
          while true {
            let number = cmpi_take_beat(communicator.number, Int32(rank))
            guard number >= 0, let beat = UInt8(exactly: number).flatMap(Beat.init) else { break }
            watch.hear(beat, from: rank)
          }
        }
        watch.overdue.forEach(onSilence)
        if let lost = watch.lost { onLoss(lost) }
        Thread.sleep(forTimeInterval: watch.isOver ? 0 : BeatWatch.interval)
      }
      end.reached()
    }
    thread.name = "heartbeat"
    thread.start()
  }

  /// Ends the beats once all ranks have called this, and waits for that.
  func stop() { end.request() }
}
