import Testing

@testable import Training

@Suite struct EpisodeLedgerTests {
  @Test func oneEpisodeIsPlayedAfterALimitOnlyIfAskedFor() {
    let ledger = EpisodeLedger(episodes: 5, moves: 70)
    ledger.open(until: 8, deadline: nil, moveLimit: 70)
    #expect(ledger.claim() == 5 && ledger.claim() == nil)
    ledger.open(until: 8, deadline: nil, moveLimit: 70, playsOne: false)
    #expect(ledger.claim() == nil)
    ledger.open(until: 8, deadline: RunClock.now, playsOne: false)
    #expect(ledger.claim() == nil)
    ledger.open(until: 8, deadline: RunClock.now)
    #expect(ledger.claim() == 5 && ledger.claim() == nil)
  }

  @Test func aClosedLedgerHandsOutNoFurtherEpisode() {
    let ledger = EpisodeLedger(episodes: 5, moves: 70)
    ledger.open(until: 8, deadline: nil)
    #expect(ledger.claim() == 5)
    ledger.close()
    #expect(ledger.claim() == nil)
    ledger.record(EpisodeResult(score: 100, moves: 30, largestExponent: 4))
    let snapshot = ledger.snapshot
    #expect(snapshot.episodes == 6 && snapshot.moves == 100)
    #expect(snapshot.sinceOpening.episodes == 1)
    // The next barrier is not affected.
    ledger.open(until: 7, deadline: nil)
    #expect(ledger.claim() == 6 && ledger.claim() == nil)
  }
}
