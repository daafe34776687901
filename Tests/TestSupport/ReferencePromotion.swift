import NTupleNetwork

/// The promotion of weights by its definition, entry by entry.
public enum ReferencePromotion {
  /// Returns the offset of the entry of the stage before that is read if the entry at `offset` is not
  /// learned, or nil if there is none.
  public static func source(of offset: Int, in shape: NetworkShape) -> Int? {
    offset < shape.stageStride ? nil : offset - shape.stageStride
  }
}
