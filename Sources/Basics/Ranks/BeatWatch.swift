import Dispatch
import Synchronization

/// What rank 0 and another rank send each other to show that they are there.
package enum Beat: UInt8, Sendable {
  /// The rank is there.
  case present = 1
  /// The rank is about to leave the job.
  case farewell
}

/// The beats that a rank exchanges with its partners: rank 0 with all others, and these with rank 0.
///
/// Silence is counted in the beats of the receiver. A process that was stopped or had no processor does not
/// count the time, and reads what has arrived meanwhile before it counts on.
package struct BeatWatch: Sendable {
  /// The time between two beats, in seconds.
  package static let interval = 0.25
  /// The number of own beats without one of a partner after which the partner is lost: 7 s.
  package static let limit = 28
  /// The number of own beats after which a message names the silent partner: 3 s.
  ///
  /// The launcher may notice the failure, and end the job, before the partner is lost.
  package static let warningLimit = 12

  /// What a rank knows of a partner.
  private struct Partner: Sendable {
    let rank: Int
    /// The own beats since the last one of the partner; nil once it has taken leave.
    var silence: Int? = 0
    /// Whether this rank has taken leave of it.
    var isLeft = false
  }

  private var all: [Partner]

  /// Starts to watch the partners of a rank.
  package init(rank: Int, size: Int) {
    all = (rank == 0 ? Array(1..<size) : [0]).map { Partner(rank: $0) }
  }

  /// The ranks that have not taken leave.
  package var partners: [Int] { all.filter { $0.silence != nil }.map(\.rank) }

  /// Whether this rank and all its partners have taken leave of each other.
  package var isOver: Bool { all.allSatisfy { $0.silence == nil && $0.isLeft } }

  /// Sends the next beats, and counts the silence of the partners.
  ///
  /// - Parameters:
  ///   - isEnding: Whether this rank takes leave.
  ///   - send: Sends a beat; returns false if one that was sent before has not left yet.
  package mutating func beat(isEnding: Bool, send: (Beat, _ rank: Int) -> Bool) {
    for place in all.indices {
      all[place].silence? += 1
      if all[place].isLeft { continue }
      all[place].isLeft = send(isEnding ? .farewell : .present, all[place].rank) && isEnding
    }
  }

  /// Notes a beat of a partner.
  package mutating func hear(_ beat: Beat, from rank: Int) {
    guard let place = all.firstIndex(where: { $0.rank == rank }) else { return }
    all[place].silence = beat == .farewell ? nil : 0
  }

  /// The partners that have just become silent for long enough to be named.
  package var overdue: [Int] {
    all.filter { $0.silence == BeatWatch.warningLimit }.map(\.rank)
  }

  /// The first partner that has been silent for too long; nil if there is none.
  package var lost: Int? { all.first { $0.silence ?? 0 > BeatWatch.limit }?.rank }
}

/// The end of the beats, which one thread requests and another reaches.
package final class EndOfBeats: Sendable {
  private let requested = Atomic<Bool>(false)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  /// Whether the end is requested.
  package var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Requests the end, and waits until it is reached.
  package func request() {
    requested.store(true, ordering: .relaxed)
    semaphore.wait()
  }

  /// Notes that there are no further beats.
  package func reached() { semaphore.signal() }
}
