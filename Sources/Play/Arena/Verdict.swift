import Basics
import Foundation

/// What a difference of means decides, if several are compared with one reference.
///
/// The probability that any of *m* comparisons is decided wrongly is at most 5 %: the interval of each is widened from
/// the 97.5 % to the 1 − 2.5 %/m quantile of Student's distribution (Bonferroni).
package enum Verdict: Equatable, Sendable {
  case better
  case worse
  /// Not decided. The difference would be if it stayed as it is over about so many further samples; nil if it is 0,
  /// or for a single sample.
  case open(more: Int?)

  /// Judges a difference.
  ///
  /// - Parameters:
  ///   - difference: The difference of two means.
  ///   - interval: Its 95 % interval.
  ///   - comparisons: The number of comparisons, at least 1.
  ///   - samples: The number of samples, such as games or seeds.
  package init(
    _ difference: Double, _ interval: ConfidenceInterval, comparisons: Int, samples: Int
  ) {
    guard samples > 1, difference != 0 else {
      self = .open(more: nil)
      return
    }
    let student = StudentDistribution(freedom: Double(samples - 1))
    let factor = student.quantile(1 - 0.025 / Double(comparisons)) / student.quantile(0.975)
    // The distance to the end on the side of 0.
    let margin = factor * (difference > 0 ? difference - interval.low : interval.high - difference)
    if margin < abs(difference) {
      self = difference > 0 ? .better : .worse
    } else {
      let ratio = margin / abs(difference)
      let more = Double(samples) * (ratio * ratio - 1)
      self = .open(more: Verdict.rounded(more))
    }
  }

  /// Returns a number of samples, rounded up to two digits.
  private static func rounded(_ samples: Double) -> Int? {
    guard samples < 1e9 else { return nil }
    let count = max(1, samples)
    let unit = max(1, pow(10, floor(log10(count)) - 1))
    return Int((count / unit).rounded(.up) * unit)
  }

  /// The verdict in words; `sample` is the word for a sample, such as `game`.
  package func text(_ sample: String) -> String {
    switch self {
    case .better: "better"
    case .worse: "worse"
    case .open(nil): "open"
    case .open(let more?): "open: about \(NumberText.count(more, "more \(sample)"))"
    }
  }
}
