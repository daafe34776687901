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
  /// The change of ``weighted``, times 1 + κ² min(n - 1, 3) with κ = |Σ e_i| / Σ l_i and n = (Σ l_i)² / Σ l_i², where e_i is
  /// the sum of the errors of rank i. Without temporal coherence, or if its sums fade, κ is 0.
  ///
  /// Errors that agree show that no rank has corrected them yet, so that the changes add up. Errors that
  /// contradict each other are noise around what all ranks have learned, so that the changes are averaged. n is
  /// the number of ranks that would have learned as much if all had learned equally much. With more than 3 others, the
  /// errors of large changes grow from merge to merge.
  case coherent

  /// The largest n - 1 of ``coherent``.
  static let mostOthers: Float = 3
}
