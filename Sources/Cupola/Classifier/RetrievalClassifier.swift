#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Project the features linearly and scale the result to unit length.
// 2. Compare the result with the product-quantized training views, using a table of inner products.
// 3. Compute each label's logit as the logarithm of the mean kernel value of its views.

/// A kernel density classifier that stores vectors of training photos.
/// Features are whitened, projected, and scaled to unit length. The training views are stored as ``ProductQuantizer``
/// codes. A label's logit is the logarithm of a kernel density estimate over its views, with von Mises-Fisher kernels
/// (Hall, Watson & Cabrera, Biometrika 1987). A softmax turns the logits into probabilities.
package struct RetrievalClassifier: Equatable, Sendable {
  /// Projects features to the space of the codes. The result is then scaled to unit length.
  let projection: LinearClassifier
  package let quantizer: ProductQuantizer
  /// One code per view, grouped by label.
  package let codes: [UInt8]
  /// The index of the first view of each label, followed by the number of views.
  let starts: [Int]
  /// The number of consecutive views that come from one photo.
  package let viewsPerPhoto: Int
  /// The concentration of the kernels; higher values give nearby views more weight.
  let concentration: Float
  /// The value added to each logit; a label without views has only this value.
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

  /// Returns the view of a label that is nearest to `features`, and its cosine; `nil` without views.
  func nearest(to features: [Float], of label: Int) -> (view: Int, cosine: Double)? {
    var scores: [Float] = []
    append(scoresOf: views(of: label), over: quantizer.products(with: query(features)), to: &scores)
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
    return (views(of: label).lowerBound + best, Double(scores[best]))
  }

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

  func projecting(by projection: LinearClassifier) -> RetrievalClassifier {
    with(projection: projection, codes: codes, starts: starts, biases: biases)
  }

  /// Returns the same codes with other biases. Labels beyond the current ones have no views.
  package func biased(by biases: [Float]) -> RetrievalClassifier {
    let added = [Int](repeating: views, count: biases.count - self.biases.count)
    return with(projection: projection, codes: codes, starts: starts + added, biases: biases)
  }

  func selecting(labels: [Int]) -> RetrievalClassifier {
    storing(
      labels.map { label in
        Array(codes[starts[label] * quantizer.parts..<starts[label + 1] * quantizer.parts])
      }, biases: labels.map { biases[$0] })
  }

  /// Returns a classifier with other views, given each label's concatenated codes.
  package func storing(_ codes: [[UInt8]], biases: [Float]) -> RetrievalClassifier {
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

/// Compresses vectors to a few bytes by replacing each part with the index of its nearest centroid (Jégou, Douze &
/// Schmid, "Product quantization for nearest neighbor search", TPAMI 2011).
package struct ProductQuantizer: Equatable, Sendable {
  package let parts: Int
  package let centroids: Int
  /// The centroids, one per row: `parts * centroids` rows.
  let values: Matrix

  package var dimensions: Int { parts * values.columns }
  private var width: Int { values.columns }

  /// - Parameter values: `parts * centroids` rows, with at most 256 centroids per part.
  package init(parts: Int, values: Matrix) {
    precondition(
      parts > 0 && values.rows.isMultiple(of: parts), "\(values.rows) rows, \(parts) parts")
    self.parts = parts
    self.values = values
    centroids = values.rows / parts
    precondition((1...Self.mostCentroids).contains(centroids), "\(centroids) centroids")
  }

  package static let mostCentroids = 256

  /// Returns the index of the nearest centroid for each part; ties go to the lowest index.
  package func code(of vector: [Float]) -> [UInt8] {
    precondition(vector.count == dimensions, "\(vector.count) values, expected \(dimensions)")
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
    precondition(code.count == parts, "code of \(code.count) bytes, expected \(parts)")
    return code.enumerated().flatMap { part, byte in
      values.row(part * centroids + Int(byte))
    }
  }

  /// Returns the inner products of each part of a vector with that part's centroids, multiplied by `factor`.
  /// The table has 256 entries per part. The inner product with an encoded vector is the sum of one entry per part.
  func products(with vector: [Float], times factor: Float = 1) -> [Float] {
    var table: [Float] = []
    write(products: &table, with: vector, times: factor)
    return table
  }

  func write(products table: inout [Float], with vector: [Float], times factor: Float) {
    precondition(vector.count == dimensions, "\(vector.count) values, expected \(dimensions)")
    table.resize(to: parts * Self.mostCentroids, filledWith: 0)
    for part in 0..<parts {
      let own = vector.span.extracting(part * width..<(part + 1) * width)
      for centroid in 0..<centroids {
        let row = values.values.span.extracting(values.range(ofRow: part * centroids + centroid))
        table[part * Self.mostCentroids + centroid] = factor * VectorMath.dot(row, own)
      }
    }
  }

  /// For each of the concatenated codes, appends the sum of its table entries to `output`.
  static func append(
    sumsOf codes: Span<UInt8>, parts: Int, over table: Span<Float>, to output: inout [Float]
  ) {
    precondition(
      table.count == parts * mostCentroids,
      "table of \(table.count) values, expected \(parts * mostCentroids)")
    var start = 0
    while start < codes.count {
      let code = codes.extracting(start..<start + parts)
      // Two independent sums let the processor add in parallel.
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
