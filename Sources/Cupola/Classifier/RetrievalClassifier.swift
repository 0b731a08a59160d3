#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. A linear front projects the features, and the result is scaled to length 1.
// 2. Remembered views are codes of a product quantizer, compared through a table of inner products.
// 3. The logit of a label is the logarithm of the mean vote of its views.

/// Names what the remembered views of training photos resemble most.
///
/// Features are whitened and projected to some directions and brought to length 1; remembered views are such
/// vectors as ``ProductQuantizer`` codes. The logit of a label is the logarithm of a kernel density estimate with von
/// Mises-Fisher kernels over its views (Hall, Watson & Cabrera, Biometrika 1987), of which a softmax makes
/// probabilities: every view votes by its cosine.
package struct RetrievalClassifier: Equatable, Sendable {
  /// From features to the space of the codes; what it gives is divided by its length.
  let projection: LinearClassifier
  package let quantizer: ProductQuantizer
  /// A code a view, label after label.
  package let codes: [UInt8]
  /// Where the views of each label begin, and behind the last one the number of all.
  let starts: [Int]
  /// How many views are of one photo; they stand one after the other.
  package let viewsPerPhoto: Int
  /// How much nearer views count: the concentration of the kernels.
  let concentration: Float
  /// Added to the logits; all there is of labels without views.
  package let biases: [Float]

  package init(
    projection: LinearClassifier, quantizer: ProductQuantizer, codes: [UInt8], starts: [Int],
    viewsPerPhoto: Int, concentration: Float, biases: [Float]
  ) {
    precondition(
      quantizer.dimensions == projection.biases.count,
      "codes of \(quantizer.dimensions) values, projected to \(projection.biases.count)")
    precondition(
      starts.count == biases.count + 1 && starts.last.map { $0 * quantizer.parts } == codes.count,
      "\(starts.count) labels' codes, \(biases.count) biases, \(codes.count) bytes")
    self.projection = projection
    self.quantizer = quantizer
    self.codes = codes
    self.starts = starts
    self.viewsPerPhoto = viewsPerPhoto
    self.concentration = concentration
    self.biases = biases
  }

  var views: Int { starts.last ?? 0 }

  package func views(of label: Int) -> Range<Int> { starts[label]..<starts[label + 1] }

  // MARK: - Logits

  struct Workspace: Sendable {
    fileprivate var query: [Float] = []
    fileprivate var table: [Float] = []
    fileprivate var scores: [Float] = []
  }

  package func logits(_ features: [Float], among: [Bool]? = nil) -> [Float] {
    var (workspace, logits) = (Workspace(), [Float]())
    write(logits: &logits, of: features, among: among, in: &workspace)
    return logits
  }

  func write(
    logits: inout [Float], of features: [Float], among: [Bool]?, in workspace: inout Workspace
  ) {
    projection.write(logits: &workspace.query, of: features)
    var query = workspace.query.mutableSpan
    VectorMath.normalize(&query)
    write(logits: &logits, among: among, in: &workspace)
  }

  package func logits(ofRows features: Matrix) -> Matrix {
    let projected = projection.logits(ofRows: features)
    var workspace = Workspace()
    var (all, logits): ([Float], [Float]) = ([], [])
    for row in 0..<features.rows {
      workspace.query = VectorMath.unit(projected.row(row))
      write(logits: &logits, among: nil, in: &workspace)
      all += logits
    }
    return Matrix(rows: features.rows, columns: biases.count, values: all)
  }

  /// The vector of length 1 that is compared with those of the codes.
  package func query(_ features: [Float]) -> [Float] {
    VectorMath.unit(projection.logits(features))
  }

  private func write(
    logits: inout [Float], among: [Bool]?, in workspace: inout Workspace
  ) {
    quantizer.write(
      products: &workspace.table, with: workspace.query, times: concentration)
    logits.resize(to: biases.count, filledWith: 0)
    for label in biases.indices {
      if let among, !among[label] {
        logits[label] = -.infinity
      } else if views(of: label).isEmpty {
        logits[label] = biases[label]
      } else {
        workspace.scores.removeAll(keepingCapacity: true)
        append(scoresOf: views(of: label), over: workspace.table, to: &workspace.scores)
        logits[label] = Self.logarithmOfMeanPower(workspace.scores) + biases[label]
      }
    }
  }

  private func append(
    scoresOf views: Range<Int>, over table: [Float], to scores: inout [Float]
  ) {
    let bytes = views.lowerBound * quantizer.parts..<views.upperBound * quantizer.parts
    ProductQuantizer.append(
      sumsOf: codes.span.extracting(bytes), parts: quantizer.parts, over: table.span, to: &scores)
  }

  private static func logarithmOfMeanPower(_ scores: [Float]) -> Float {
    let largest = scores.max() ?? 0
    var sum: Float = 0
    for score in scores { sum += FastMath.exponential(score - largest) }
    return largest + logf(sum / Float(scores.count))
  }

  // MARK: - Explanation

  /// The view of a label that is nearest to a feature vector, and its cosine; `nil` without views.
  func nearest(to features: [Float], of label: Int) -> (view: Int, cosine: Double)? {
    var scores: [Float] = []
    append(scoresOf: views(of: label), over: quantizer.products(with: query(features)), to: &scores)
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
    return (views(of: label).lowerBound + best, Double(scores[best]))
  }

  /// See ``Classifier/linear(at:labels:)``: each view counts as it votes.
  func linear(at features: [Float], labels: [Int]) -> LinearClassifier {
    let projected = projection.logits(features)
    let length = VectorMath.dot(projected.span, projected.span).squareRoot()
    let factor = length > 0 ? concentration / length : 0
    let query = VectorMath.unit(projected)
    let logits = self.logits(features)
    let table = quantizer.products(with: query, times: concentration)
    var weights = Matrix(rows: 0, columns: projection.weights.columns)
    var biases: [Float] = []
    for label in labels {
      var row = [Float](repeating: 0, count: weights.columns)
      for (dimension, part) in voted(label, over: table).enumerated() {
        VectorMath.add(projection.weights.row(dimension), times: part * factor, to: &row)
      }
      let part = zip(row, features).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      biases.append(Float(Double(logits[label]) - part))
      weights = Matrix(
        rows: weights.rows + 1, columns: weights.columns, values: weights.values + row)
    }
    return LinearClassifier(weights: weights, biases: biases)
  }

  /// The mean of a label's vectors, each as much as it counts in the label's logit.
  private func voted(_ label: Int, over table: [Float]) -> [Float] {
    var scores: [Float] = []
    append(scoresOf: views(of: label), over: table, to: &scores)
    var mean = [Float](repeating: 0, count: quantizer.dimensions)
    guard !scores.isEmpty else { return mean }
    for (index, share) in Softmax.probabilities(scores).enumerated() {
      VectorMath.add(
        vector(of: views(of: label).lowerBound + index), times: Float(share), to: &mean)
    }
    return mean
  }

  func vector(of view: Int) -> [Float] {
    quantizer.vector(of: codes[view * quantizer.parts..<(view + 1) * quantizer.parts])
  }

  // MARK: - Changes

  /// The same codes, reached from other features.
  func projecting(by projection: LinearClassifier) -> RetrievalClassifier {
    with(projection: projection, codes: codes, starts: starts, biases: biases)
  }

  /// The same codes with other biases, of which there may be more than before: labels without views.
  package func biased(by biases: [Float]) -> RetrievalClassifier {
    let added = [Int](repeating: views, count: biases.count - self.biases.count)
    return with(projection: projection, codes: codes, starts: starts + added, biases: biases)
  }

  func selecting(labels: [Int]) -> RetrievalClassifier {
    remembering(
      labels.map { label in
        Array(codes[starts[label] * quantizer.parts..<starts[label + 1] * quantizer.parts])
      }, biases: labels.map { biases[$0] })
  }

  /// Other views.
  ///
  /// - Parameter codes: one code after the other, for each label.
  package func remembering(_ codes: [[UInt8]], biases: [Float]) -> RetrievalClassifier {
    var starts = [0]
    for own in codes { starts.append(starts[starts.count - 1] + own.count / quantizer.parts) }
    return with(
      projection: projection, codes: codes.flatMap(\.self), starts: starts, biases: biases)
  }

  private func with(
    projection: LinearClassifier, codes: [UInt8], starts: [Int], biases: [Float]
  ) -> RetrievalClassifier {
    RetrievalClassifier(
      projection: projection, quantizer: quantizer, codes: codes, starts: starts,
      viewsPerPhoto: viewsPerPhoto, concentration: concentration, biases: biases)
  }
}

/// Vectors as a few bytes: each part of a vector is replaced by the nearest of its centroids (Jégou, Douze & Schmid,
/// "Product quantization for nearest neighbor search", TPAMI 2011).
package struct ProductQuantizer: Equatable, Sendable {
  package let parts: Int
  package let centroids: Int
  /// Parts x centroids, one centroid a row.
  let values: Matrix

  package var dimensions: Int { parts * values.columns }
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
