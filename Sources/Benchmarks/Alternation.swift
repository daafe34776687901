/// One thing to measure beside others.
struct Variant {
  /// What distinguishes it, in the order of a table's columns.
  let parameters: [BenchmarkReport.Parameter]
  /// The threads that find something to do, which processor time is divided by.
  let threadsAtWork: Int
  /// The milliseconds that a move should take, if there is a budget.
  var moveBudget: Double?
  /// Prepares, warms up and measures.
  let measure: () throws -> Measurement
}

/// Measures variants in turn, so that a noisy machine hits all of them alike.
enum Alternation {
  /// Measures every variant once in each of the plan's rounds.
  ///
  /// - Parameter progress: told after each measurement how many of how many are done.
  static func run(
    _ variants: [Variant], plan: BenchmarkPlan, progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> [BenchmarkReport.Row] {
    var measurements = [[Measurement]](repeating: [], count: variants.count)
    let rounds = plan.warmUps + plan.repeats
    for round in 0..<rounds {
      for (place, variant) in variants.enumerated() {
        let measurement = try variant.measure()
        if round >= plan.warmUps {
          measurements[place].append(measurement)
        }
        progress(round * variants.count + place + 1, rounds * variants.count)
      }
    }
    let rates = zip(variants, measurements).map { variant, samples in
      samples.map { $0.rate(by: plan.clock, threads: variant.threadsAtWork) }
    }
    return variants.indices.map { place in
      // Pair by pair, so that what slows a whole round down cancels out.
      BenchmarkReport.Row(
        parameters: variants[place].parameters, samples: rates[place],
        ratios: zip(rates[place], rates[0]).map { $0 / $1 },
        meanScores: measurements[place].compactMap(\.meanScore),
        moveMilliseconds: MoveTimes(
          of: measurements[place].flatMap(\.moveMilliseconds),
          budget: variants[place].moveBudget),
        movesPlayed: measurements[place].compactMap(\.movesPlayed))
    }
  }
}
