import Testing

@testable import Game2048

@Suite struct SavedStateTests {
  /// Draws from a source of any kind, opened once.
  private func draw(_ count: Int, from source: inout some RandomSource) -> [UInt64] {
    (0..<count).map { _ in source.next() }
  }

  /// Returns a source of this kind that continues from a state.
  private func restored(_ kind: RandomSourceKind, _ state: [UInt64]) -> (any RandomSource)? {
    kind.type.init(state: state)
  }

  @Test(arguments: RandomSourceKind.allCases)
  func aRestoredSourceGoesOnWithTheSequence(kind: RandomSourceKind) throws {
    // 312 and 313 are on either side of the end of a Mersenne Twister block.
    for drawn in [0, 1, 2, 17, 311, 312, 313, 1_000] {
      var source = kind.make(seed: 99)
      _ = draw(drawn, from: &source)
      let state = source.state
      var copy = try #require(restored(kind, state))
      #expect(copy.state == state)
      #expect(draw(700, from: &copy) == draw(700, from: &source))
      #expect(copy.state == source.state)
    }
  }

  @Test(arguments: RandomSourceKind.allCases)
  func seedsDecideTheSequence(kind: RandomSourceKind) {
    var (one, two, other) = (kind.make(seed: 5), kind.make(seed: 5), kind.make(seed: 6))
    let sequence = draw(50, from: &one)
    #expect(draw(50, from: &two) == sequence)
    #expect(draw(50, from: &other) != sequence)
    #expect(Set(sequence).count == 50)
  }

  @Test(arguments: RandomSourceKind.allCases)
  func copiesAreIndependent(kind: RandomSourceKind) {
    var source = kind.make(seed: 1)
    var copy = source
    let drawn = draw(400, from: &source)
    #expect(draw(400, from: &copy) == drawn)
  }

  @Test(arguments: RandomSourceKind.allCases)
  func kindsMakeTheirSources(kind: RandomSourceKind) {
    #expect(type(of: kind.make(seed: 1)) == kind.type)
    #expect(RandomSourceKind.allCases.count { $0.type == kind.type } == 1)
  }

  @Test func namesStay() {
    #expect(
      RandomSourceKind.allCases.map(\.rawValue) == [
        "xoshiro256++", "mt19937-64", "java-lcg48", "arc4",
      ])
    #expect(RandomSourceKind.standard == .xoshiro256)
  }

  @Test(arguments: RandomSourceKind.allCases)
  func statesOfTheWrongLengthAreRefused(kind: RandomSourceKind) {
    let state = kind.make(seed: 1).state
    #expect(restored(kind, []) == nil)
    #expect(restored(kind, Array(state.dropLast())) == nil)
    #expect(restored(kind, state + [0]) == nil)
  }

  @Test func statesThatRepeatThemselvesAreRefused() {
    #expect(Xoshiro256(state: [0, 0, 0, 0]) == nil)
    var words = [UInt64](repeating: 0, count: 313)
    #expect(MersenneTwister64(state: words) == nil)
    // The lower 31 bits of the first word do not affect the sequence.
    words[0] = 0x7FFF_FFFF
    #expect(MersenneTwister64(state: words) == nil)
    words[0] = 0x8000_0000
    #expect(MersenneTwister64(state: words) != nil)
    words[0] = 0
    words[311] = 1
    #expect(MersenneTwister64(state: words) != nil)
  }

  @Test func positionsOutsideTheBlockAreRefused() {
    var state = MersenneTwister64(seed: 1).state
    #expect(state[312] == 312)
    state[312] = 313
    #expect(MersenneTwister64(state: state) == nil)
    state[312] = .max
    #expect(MersenneTwister64(state: state) == nil)
    state[312] = 0
    #expect(MersenneTwister64(state: state) != nil)
  }

  @Test func javaStatesHave48Bits() {
    #expect(JavaLinearCongruential(state: [1 << 48]) == nil)
    #expect(JavaLinearCongruential(state: [(1 << 48) - 1]) != nil)
    #expect(JavaLinearCongruential(state: [0]) != nil)
  }

  @Test func arc4StatesArePermutations() {
    let state = ARC4(seed: 1).state
    var repeated = state
    repeated[3] = repeated[4]
    #expect(ARC4(state: repeated) == nil)
    var counters = state
    counters[32] = 1 << 16
    #expect(ARC4(state: counters) == nil)
    // A Finney state: the second counter is one ahead of the first, and the entry there is 1.
    // The identity permutation: bytes 0 to 7, then each eight larger than those of the word before.
    var identity: [UInt64] = [0x0706_0504_0302_0100]
    for _ in 1..<32 { identity.append(identity.last! + 0x0808_0808_0808_0808) }
    identity.append(1 << 8)
    #expect(ARC4(state: identity) == nil)
    identity[32] = 1 | 1 << 8
    #expect(ARC4(state: identity) != nil)
  }
}
