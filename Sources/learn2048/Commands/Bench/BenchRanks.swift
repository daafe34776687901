import ArgumentParser
import Basics
import Benchmarks
import Foundation

struct BenchRanks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ranks",
    abstract: "Measure the exchange of messages between the ranks of a job.",
    discussion: """
      Every rank sends messages of growing size to all others, and rank 0 reports how long they take. Start \
      it with mpirun, on the machines of the job:

        mpirun -n 2 learn2048 bench ranks
      """)

  @Option("n", "Number of exchanges to measure for each size (default: 20).", read: positiveCount)
  var repeats: Int = 20

  @OptionGroup var output: OutputOptions

  func run() throws {
    let ranks = try Job.join()
    guard ranks.size > 1 else {
      throw Failure(
        .usage, "there is no other rank. Start several, such as mpirun -n 2 learn2048 bench ranks.")
    }
    let report = ExchangeReport(ranks, repeats: repeats)
    Job.end()
    if ranks.isLeader { try output.show(report, text: report.table) }
  }
}

extension ExchangeReport {
  /// The table of the sizes.
  fileprivate var table: String {
    var lines = ["\(ranks) ranks"]
    lines.append("bytes per rank  median ms   [smallest, largest]      MB/s received")
    for row in rows {
      lines.append(
        String(
          format: "%14d  %9.3f   [%8.3f, %8.3f]  %17.1f", row.bytes, 1e3 * row.seconds.median,
          1e3 * row.seconds.min, 1e3 * row.seconds.max, row.bytesPerSecond / 1e6))
    }
    return lines.joined(separator: "\n")
  }
}
