import NTupleNetwork

/// Rows of afterstates with errors, and the update of a network by them.
///
/// Every feature of row `i` moves by at most `α · e_i / m`, with the error `e_i` and the number `m` of features. A feature
/// that occurs several times moves once for each occurrence.
package struct ErrorRows: ~Copyable {
  /// The afterstates, with exponents up to 15, and their images once an update has computed them.
  package let images: BoardImages
  /// The errors, in points.
  package let errors: FloatBuffer
  private let steps: FloatBuffer

  /// Allocates room for `capacity` rows.
  package init(capacity: Int) {
    self.init(images: BoardImages(capacity: capacity), errors: FloatBuffer(count: capacity))
  }

  /// Creates rows on existing buffers of the same capacity.
  init(images: BoardImages, errors: FloatBuffer) {
    (self.images, self.errors) = (images, errors)
    steps = FloatBuffer(count: errors.count)
  }

  /// Updates a network by the first `count` rows.
  ///
  /// - Precondition: The rule fits the shape of the network, and these rows have been stored since the last update.
  package func update(_ network: NTupleNetwork, by rule: any UpdateRule, count: Int) {
    DenseKernels.scale(
      errors, by: rule.largestShare / Float(network.featureCount), count: count, into: steps)
    images.completeImages(rows: count, for: network)
    unsafe rule.apply(
      to: network, FeatureRows(images, count: count, steps: steps.base, errors: errors.base))
  }
}
