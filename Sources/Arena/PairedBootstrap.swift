import Foundation
import RandomSources

/// Percentile bootstrap of means, and of differences and ratios of means of paired samples.
///
/// Every resample draws games with replacement, the same ones for all samples, so that what the
/// samples of one game have in common cancels in their difference. An interval reaches from one
/// quantile of the resampled statistic to the opposite one, interpolated linearly. For many games these
/// are the 2.5 % and 97.5 % quantiles. Of n games, resampled means vary less than means of games do, by
/// √((n − 1) / n), and how much is an estimate; so the share left out at either end is
/// Φ(−√(n / (n − 1)) · t), where t is the 97.5 % quantile of Student's distribution of n − 1 degrees.
///
/// Source: Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapter 13; Hesterberg, "What
/// teachers should know about the bootstrap", 2015, for the expanded percentiles.
public struct PairedBootstrap: Sendable {
  /// The resampled means, `[sample][resample]`.
  private let means: [[Double]]
  /// The share of resamples below an interval, and that above it.
  private let tail: Double

  public static let defaultResamples = 2_000

  /// Resamples.
  ///
  /// - Parameters:
  ///   - samples: `[sample][game]`.
  ///   - seed: the same seed and samples give the same intervals.
  /// - Precondition: the samples are of one length, at least 1.
  /// - Complexity: O(resamples · games · samples), about 2 ns each.
  public init(
    _ samples: [[Double]], resamples: Int = PairedBootstrap.defaultResamples, seed: UInt64 = 2048
  ) {
    let games = samples.first?.count ?? 0
    precondition(games >= 1 && samples.allSatisfy { $0.count == games }, "samples are not paired")
    // Drawing which games are in takes the time: draw once, add up for every sample.
    var source = Xoshiro256(seed: seed)
    var drawn = [UInt32](repeating: 0, count: games)
    var means = samples.map { _ in [Double]() }
    for _ in 0..<resamples {
      PairedBootstrap.draw(&drawn, using: &source)
      for (place, sample) in samples.enumerated() {
        means[place].append(PairedBootstrap.sum(of: sample, at: drawn) / Double(games))
      }
    }
    self.means = means
    tail = PairedBootstrap.tail(games: games)
  }

  /// The interval of the mean of a sample.
  public func intervalOfMean(_ sample: Int) -> ConfidenceInterval {
    interval(of: means[sample])
  }

  /// The interval of mean(a) − mean(b).
  public func intervalOfDifference(_ a: Int, _ b: Int) -> ConfidenceInterval {
    interval(of: zip(means[a], means[b]).map { $0 - $1 })
  }

  /// The interval of mean(a) / mean(b), or nil if mean(b) may be 0.
  public func intervalOfRatio(_ a: Int, _ b: Int) -> ConfidenceInterval? {
    means[b].contains(0)
      ? nil : interval(of: zip(means[a], means[b]).map { $0 / $1 })
  }

  /// Fills `drawn` with places from `0..<drawn.count`, each uniform but for 1 part in 2^32 / count.
  private static func draw(_ drawn: inout [UInt32], using source: inout Xoshiro256) {
    let count = UInt64(drawn.count)
    for place in stride(from: 0, to: drawn.count, by: 2) {
      let bits = source.next()
      drawn[place] = UInt32(truncatingIfNeeded: ((bits & 0xFFFF_FFFF) &* count) >> 32)
      if place + 1 < drawn.count {
        drawn[place + 1] = UInt32(truncatingIfNeeded: ((bits >> 32) &* count) >> 32)
      }
    }
  }

  private static func sum(of sample: [Double], at places: [UInt32]) -> Double {
    // Four partial sums, so that additions do not wait for one another.
    var sums = SIMD4<Double>.zero
    let whole = places.count & ~3
    for first in stride(from: 0, to: whole, by: 4) {
      sums += SIMD4(
        sample[Int(places[first])], sample[Int(places[first + 1])],
        sample[Int(places[first + 2])], sample[Int(places[first + 3])])
    }
    for place in whole..<places.count { sums[0] += sample[Int(places[place])] }
    return sums.sum()
  }

  private static func tail(games: Int) -> Double {
    // All resamples of a single game are the same.
    if games == 1 { return 0 }
    let freedom = Double(games - 1)
    let errors =
      StudentDistribution(freedom: freedom).quantile(0.975)
      * (Double(games) / freedom).squareRoot()
    return erfc(errors / 2.0.squareRoot()) / 2
  }

  private func interval(of statistics: [Double]) -> ConfidenceInterval {
    let sorted = statistics.sorted()
    func quantile(_ share: Double) -> Double {
      let position = share * Double(sorted.count - 1)
      let below = Int(position)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
    }
    return ConfidenceInterval(low: quantile(tail), high: quantile(1 - tail))
  }
}
