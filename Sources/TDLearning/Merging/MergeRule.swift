/// A rule for the change of a weight that several ranks have changed on their own since they last agreed.
///
/// Each rank i has changed the weight by c_i. A rank that has not changed it has c_i = 0.
///
/// Source: Liu and Olshevsky, "Distributed TD(0) with almost no communication", 2023, for the mean.
public enum MergeRule: String, CaseIterable, Sendable {
  /// `Σ c_i / n` for n ranks.
  case mean
  /// `Σ c_i`, as if the changes had been made one after the other.
  case sum
  /// `Σ l_i c_i / Σ l_i` over the ranks that have changed the weight, where l_i is the sum of the magnitudes
  /// of their errors, or 1 without temporal coherence.
  case weighted
}
