/// One thing to measure beside others.
struct Variant {
  /// What distinguishes it, in the order of a table's columns.
  let parameters: [BenchmarkReport.Parameter]
  let threads: Int
  /// Prepares, warms up and measures.
  let measure: () throws -> Measurement
}

/// Measures variants in turn, so that a noisy machine hits all of them alike.
enum Alternation {
  /// Measures every variant once without counting, then once in each of the plan's repeats.
  ///
  /// - Parameter progress: told after each measurement how many of how many are done.
  static func run(
    _ variants: [Variant], plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> [BenchmarkReport.Row] {
    var rates = [[Double]](repeating: [], count: variants.count)
    let total = (plan.repeats + 1) * variants.count
    for round in 0...plan.repeats {
      for (place, variant) in variants.enumerated() {
        let measurement = try variant.measure()
        if round > 0 {
          rates[place].append(measurement.rate(by: plan.clock, threads: variant.threads))
        }
        progress(round * variants.count + place + 1, total)
      }
    }
    return zip(variants, rates).map { variant, samples in
      // Pair by pair, so that what slows a whole round down cancels out.
      BenchmarkReport.Row(
        parameters: variant.parameters, samples: samples,
        ratios: zip(samples, rates[0]).map { $0 / $1 })
    }
  }
}
