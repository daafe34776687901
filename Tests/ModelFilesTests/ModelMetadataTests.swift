import Testing

@testable import ModelFiles

@Suite struct ModelMetadataTests {
  private func segment(_ episodes: Int, seed: UInt64 = 7) -> TrainingSegment {
    TrainingSegment(
      episodes: episodes, moves: 200 * episodes, seed: seed, wallSeconds: Double(episodes) / 10,
      version: "1.0")
  }

  private func jointHistory(
    _ models: (config: String, history: [TrainingSegment])...
  ) -> [TrainingSegment] {
    ModelMetadata.jointHistory(
      of: models.map { ModelMetadata(config: $0.config, history: $0.history, version: "1.0") })
  }

  @Test func statesOfOneRunAreCountedOnce() {
    #expect(jointHistory(("a", [segment(8)]), ("a", [segment(9)])) == [segment(9)])
    #expect(jointHistory(("a", [segment(9)]), ("a", [segment(8)])) == [segment(9)])
    #expect(jointHistory(("a", [segment(9)]), ("a", [segment(9)])) == [segment(9)])
    // A resumed run: before, at and after the resumption.
    let resumed = [segment(9), segment(5)]
    #expect(
      jointHistory(
        ("a", [segment(4)]), ("a", [segment(9), segment(2)]), ("a", resumed), ("a", [segment(9)]))
        == resumed)
    // Weights from which another run was started.
    #expect(jointHistory(("a", [segment(9)]), ("b", resumed)) == resumed)
  }

  @Test func differentTrainingsAddUp() {
    let (nine, eight, seed6) = (segment(9), segment(8), segment(8, seed: 6))
    #expect(jointHistory(("a", [nine]), ("a", [seed6])) == [nine, seed6])
    #expect(jointHistory(("a", [nine]), ("b", [eight])) == [nine, eight])
    // This is not a state of the other run before it was resumed.
    #expect(jointHistory(("a", [nine]), ("a", [eight, eight])) == [nine, eight, eight])
    #expect(
      jointHistory(("a", [nine, nine]), ("a", [eight, eight])) == [nine, nine, eight, eight])
    var longer = eight
    longer.wallSeconds = 1
    #expect(jointHistory(("a", [nine]), ("a", [longer])) == [nine, longer])
    // An imported network has no history.
    #expect(jointHistory(("{}", []), ("a", [nine]), ("{}", [])) == [nine])
  }
}
