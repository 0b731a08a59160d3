/// Vectors as a few bytes: each part of a vector is replaced by the nearest of its centroids (Jégou, Douze & Schmid,
/// "Product quantization for nearest neighbor search", TPAMI 2011).
package struct ProductQuantizer: Equatable, Sendable {
  /// Bytes of a code.
  package let parts: Int
  /// Centroids of each part, at most 256.
  package let centroids: Int
  /// Parts x centroids, one centroid a row.
  let values: Matrix

  /// Values of a vector.
  package var dimensions: Int { parts * values.columns }
  /// Values of each part.
  private var width: Int { values.columns }

  /// - Parameter values: `parts * centroids` rows, at most 256 centroids a part.
  package init(parts: Int, values: Matrix) {
    precondition(
      parts > 0 && values.rows.isMultiple(of: parts), "\(values.rows) rows, \(parts) parts")
    self.parts = parts
    self.values = values
    centroids = values.rows / parts
    precondition((1...Self.mostCentroids).contains(centroids), "\(centroids) centroids")
  }

  /// As many as a byte can tell apart.
  package static let mostCentroids = 256

  /// The nearest centroid of each part, as bytes; of equally near ones the first.
  package func code(of vector: [Float]) -> [UInt8] {
    precondition(vector.count == dimensions, "\(vector.count) values, \(dimensions) needed")
    return (0..<parts).map { part in
      let own = vector.span.extracting(part * width..<(part + 1) * width)
      var (best, least) = (0, Float.infinity)
      for centroid in 0..<centroids {
        let row = values.values.span.extracting(values.range(ofRow: part * centroids + centroid))
        let distance = VectorMath.squaredDistance(row, own)
        if distance < least { (best, least) = (centroid, distance) }
      }
      return UInt8(best)
    }
  }

  /// The vector that a code stands for.
  package func vector(of code: ArraySlice<UInt8>) -> [Float] {
    precondition(code.count == parts, "a code of \(code.count) bytes, \(parts) needed")
    return code.enumerated().flatMap { part, byte in
      values.row(part * centroids + Int(byte))
    }
  }

  /// The inner products of each part of a vector with all its centroids, times a factor: 256 places a part.
  ///
  /// The inner product of the vector with that of a code is the sum over the parts of what the code's bytes point to.
  func products(with vector: [Float], times factor: Float = 1) -> [Float] {
    var table: [Float] = []
    write(products: &table, with: vector, times: factor)
    return table
  }

  /// The same, written over what was there.
  func write(products table: inout [Float], with vector: [Float], times factor: Float) {
    precondition(vector.count == dimensions, "\(vector.count) values, \(dimensions) needed")
    table.resize(to: parts * Self.mostCentroids, filledWith: 0)
    for part in 0..<parts {
      let own = vector.span.extracting(part * width..<(part + 1) * width)
      for centroid in 0..<centroids {
        let row = values.values.span.extracting(values.range(ofRow: part * centroids + centroid))
        table[part * Self.mostCentroids + centroid] = factor * VectorMath.dot(row, own)
      }
    }
  }

  /// Adds for each of some codes its sum over a table.
  ///
  /// - Parameters:
  ///   - codes: one code after the other.
  ///   - table: what ``products(with:times:)`` gave.
  static func append(
    sumsOf codes: Span<UInt8>, parts: Int, over table: Span<Float>, to output: inout [Float]
  ) {
    precondition(table.count == parts * mostCentroids, "a table of \(table.count) values")
    var start = 0
    while start < codes.count {
      let code = codes.extracting(start..<start + parts)
      // Two sums, so that additions need not wait for each other.
      var (even, odd) = (Float(0), Float(0))
      var part = 0
      while part + 1 < parts {
        even += table[part << 8 | Int(code[part])]
        odd += table[(part + 1) << 8 | Int(code[part + 1])]
        part += 2
      }
      if part < parts { even += table[part << 8 | Int(code[part])] }
      output.append(even + odd)
      start += parts
    }
  }
}
