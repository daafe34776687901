import Synchronization
import TestSupport
import Testing

@testable import Experiments

@Test func exchangesOfEverySizeAreMeasured() {
  let reports = Mutex<[ExchangeReport]>([])
  ThreadCommunicator.run(ranks: 3) { ranks in
    let report = ExchangeReport(ranks, sizes: [8, 1000], repeats: 3)
    if ranks.isLeader { reports.withLock { $0.append(report) } }
  }
  let report = reports.withLock { $0[0] }
  #expect(report.ranks == 3)
  #expect(accepts(.object(ExchangeReport.schema), report.json), "\(report.json.text)")
  #expect(report.rows.map(\.bytes) == [8, 1000])
  for row in report.rows {
    #expect(row.seconds.min > 0 && row.seconds.min <= row.seconds.median)
    // Two other ranks send.
    #expect(row.bytesPerSecond == Double(2 * row.bytes) / row.seconds.median)
  }
}
