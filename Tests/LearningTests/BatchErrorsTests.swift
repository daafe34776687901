import NTupleNetwork
import TestSupport
import Testing

@testable import Learning

@Suite struct BatchErrorsTests {
  /// Every product and sum is rounded once, so the errors do not depend on the processor or on the place of a row.
  @Test(arguments: [1, 2, 31, 64, 141], [nil, 3])
  func returnsRoundEveryOperationOnce(count: Int, horizon: Int?) {
    let decay: Float = 0.6
    let returns: ReturnEstimate =
      horizon.map { .delayedLambda(decay, horizon: $0) } ?? .lambda(decay)
    let errors = BatchErrors(
      network: NTupleNetwork(TestNetworks.shape(["0"])), returns: returns, rowCapacity: count)
    var batch = EpisodeBatch(capacity: count)
    var terms = (0..<count).map { Float($0 * $0) * 0.37 }
    // All values are 0, so the reward of row i + 1 is the TD error of row i.
    for row in 0..<count {
      batch.append(planes: 0, reward: row == 0 ? 0 : terms[row - 1], value: 0)
    }
    terms[count - 1] = 0
    #expect(errors.compute(&batch, isTerminal: true) == count)
    var expected = terms
    var weight: Float = 1
    if let horizon {
      for shift in 1..<max(1, min(horizon + 1, count)) {
        weight *= decay
        for row in 0..<(count - shift) { expected[row] += terms[row + shift] * weight }
      }
    } else {
      weight = decay
      var shift = 1
      while shift < count && weight > 1e-9 {
        let before = expected
        for row in 0..<(count - shift) {
          expected[row] = before[row] + before[row + shift] * weight
        }
        (shift, weight) = (2 * shift, weight * weight)
      }
    }
    #expect((0..<count).map { errors.errors[$0] } == expected)
  }
}
