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
  /// The change of ``weighted``, times 1 + κ² min(n - 1, 3) with κ = |Σ e_i| / Σ l_i and n = (Σ l_i)² / Σ l_i²,
  /// where e_i is the sum of the errors of rank i. Without temporal coherence, or if its sums fade, κ is 0.
  ///
  /// If the errors agree, no rank has corrected them yet, and the changes add up. If they cancel out, each rank has
  /// learned the value, and the changes are averaged. n is the number of ranks, or less if they have learned
  /// unequally. Factors above 4 let 8 ranks diverge.
  case coherent

  /// The largest n - 1 of ``coherent``.
  static let mostOthers: Float = 3
}
