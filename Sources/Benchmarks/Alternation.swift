/// Measures variants in turn, so that disturbances on the machine affect all of them alike.
enum Alternation {
  /// Measures every variant once in each of the plan's rounds.
  ///
  /// - Parameters:
  ///   - variants: The variants; the first one is the reference of all ratios.
  ///   - plan: The number of measurements.
  ///   - progress: Called after every measurement with the number done and the total.
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
      // Ratios are taken within each round, so that disturbances of a round cancel out.
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
