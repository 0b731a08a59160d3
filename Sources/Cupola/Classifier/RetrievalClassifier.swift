#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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

  /// How many views are remembered.
  var views: Int { starts.last ?? 0 }

  /// Which views are of a label.
  package func views(of label: Int) -> Range<Int> { starts[label]..<starts[label + 1] }

  // MARK: - Logits

  /// The memory in which logits are computed.
  struct Workspace: Sendable {
    fileprivate var query: [Float] = []
    fileprivate var table: [Float] = []
    fileprivate var scores: [Float] = []
  }

  /// One logit a label, for one feature vector; minus infinity where a label does not compete.
  package func logits(_ features: [Float], among: [Bool]? = nil) -> [Float] {
    var (workspace, logits) = (Workspace(), [Float]())
    write(logits: &logits, of: features, among: among, in: &workspace)
    return logits
  }

  /// The same, written over what was there.
  func write(
    logits: inout [Float], of features: [Float], among: [Bool]?, in workspace: inout Workspace
  ) {
    projection.write(logits: &workspace.query, of: features)
    var query = workspace.query.mutableSpan
    VectorMath.normalize(&query)
    write(logits: &logits, among: among, in: &workspace)
  }

  /// Logits of many feature vectors, one a row.
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

  /// For the query that stands in the workspace.
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

  /// The vector that a view's code stands for.
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

  /// Some of its labels, in the order given.
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
