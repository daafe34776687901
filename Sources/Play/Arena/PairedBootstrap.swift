import Foundation
import Game2048

/// The percentile bootstrap of means, and of differences and ratios of means of paired samples.
///
/// Every resample draws games with replacement, the same games for all samples. What the samples of a
/// game have in common therefore cancels in their difference. An interval reaches from one quantile of
/// the resampled statistic to the opposite one, interpolated linearly. For many games these are the
/// 2.5 % and 97.5 % quantiles.
///
/// For few games these quantiles would be too narrow. With n games, resampled means vary less than means
/// of games do, by the factor √((n − 1) / n), and their variance is itself an estimate. The share left out
/// at either end is therefore Φ(−√(n / (n − 1)) · t), where t is the 97.5 % quantile of Student's
/// distribution with n − 1 degrees of freedom. Below 8 games, no quantile is wide enough, and the intervals of a single
/// game are points.
///
/// Source: Efron and Tibshirani, "An introduction to the bootstrap", 1993, chapter 13; Hesterberg, "What
/// teachers should know about the bootstrap", 2015, for the expanded percentiles.
struct PairedBootstrap: Sendable {
  /// The resampled means, `[sample][resample]`.
  private let means: [[Double]]
  /// The share of resamples below an interval, which equals the share above it.
  private let tail: Double

  /// The default number of resamples.
  static let defaultResamples = 2_000

  /// Draws the resamples and computes their means.
  ///
  /// - Parameters:
  ///   - samples: The values, `[sample][game]`.
  ///   - resamples: The number of resamples.
  ///   - seed: The seed of the draws. The same seed and samples give the same intervals.
  /// - Precondition: All samples have the same length, at least 1.
  /// - Complexity: O(resamples · games · samples), about 2 ns each.
  init(
    _ samples: [[Double]], resamples: Int = PairedBootstrap.defaultResamples, seed: UInt64 = 2048
  ) {
    let games = samples.first?.count ?? 0
    precondition(games >= 1 && samples.allSatisfy { $0.count == games }, "samples are not paired")
    // Drawing takes most of the time, so every draw of games is used for all samples.
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

  /// Returns the interval of the mean of a sample.
  func intervalOfMean(_ sample: Int) -> ConfidenceInterval {
    interval(of: means[sample])
  }

  /// Returns the interval of mean(a) − mean(b).
  func intervalOfDifference(_ a: Int, _ b: Int) -> ConfidenceInterval {
    interval(of: zip(means[a], means[b]).map { $0 - $1 })
  }

  /// Returns the interval of mean(a) / mean(b), or nil if mean(b) is 0 in a resample.
  func intervalOfRatio(_ a: Int, _ b: Int) -> ConfidenceInterval? {
    means[b].contains(0)
      ? nil : interval(of: zip(means[a], means[b]).map { $0 / $1 })
  }

  /// Fills `drawn` with indices from `0..<drawn.count`; the relative bias of each is below count / 2^32.
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
    // Four partial sums, so that no addition has to wait for the one before.
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
    // With a single game all resamples are the same.
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
