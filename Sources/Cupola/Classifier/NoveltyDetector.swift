#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Tell photos of unknown buildings from photos of trained ones:
// 1. Project the features onto random directions of a space in which photos of the same building are close together.
// 2. Compare the result with the stored training views.
// 3. The score is the cosine to the nearest view of a building minus the cosine to the nearest background view.
// 4. A logistic function of the score is the probability that the building is known. It sets the logit of
//    `Labels.unfamiliar`.

/// Detects buildings without training photos by comparing an image with the views of the training photos.
///
/// The space is whitened with the within-class covariance, as in linear discriminant analysis. Random projections keep
/// its angles (Johnson & Lindenstrauss 1984). The matrix has 4 bits per value, the views 8 bits.
package struct NoveltyDetector: Equatable, Sendable {
  /// One row per dimension, one column per feature.
  package let projection: NibbleMatrix
  /// Added to the projected features, one value per dimension.
  package let offsets: [Float]
  /// The views, one row per view, grouped by label. Each row is a direction of any length.
  package let views: [Int8]
  /// The index of the first view of each label, followed by the number of views.
  package let starts: [Int]
  /// The log odds that the building is known: `intercept + slope * score`.
  package let intercept: Double
  package let slope: Double
  private let lengths: [Float]

  package init(
    projection: NibbleMatrix, offsets: [Float], views: [Int8], starts: [Int], intercept: Double,
    slope: Double
  ) {
    precondition(offsets.count == projection.rows, "\(offsets.count) offsets")
    precondition(
      views.count == (starts.last ?? 0) * offsets.count, "\(views.count) values of views")
    (self.projection, self.offsets, self.views) = (projection, offsets, views)
    (self.starts, self.intercept, self.slope) = (starts, intercept, slope)
    lengths = (0..<(starts.last ?? 0)).map { view in
      Self.length(of: views[view * offsets.count..<(view + 1) * offsets.count].map(Int16.init))
    }
  }

  var dimensions: Int { offsets.count }

  package func inverseLength(of view: Int) -> Float { lengths[view] }

  struct Workspace: Sendable {
    fileprivate var query: [Int16] = []
    fileprivate var high: [Int8] = []
    fileprivate var low: [Int8] = []
    fileprivate var sums: [Int32] = []
    fileprivate var projected: [Float] = []
    fileprivate var code: [Int16] = []
    fileprivate var products: [Int32] = []
  }

  /// Returns the cosine to the nearest building view minus the cosine to the nearest background view, -2...2.
  package func score(_ features: [Float], labels: Labels) -> Float {
    var workspace = Workspace()
    return score(features, labels: labels, in: &workspace)
  }

  private func score(
    _ features: [Float], labels: Labels, in workspace: inout Workspace
  ) -> Float {
    compare(features, in: &workspace)
    let length = Self.length(of: workspace.code)
    func nearest(_ own: [Int]) -> Float? {
      var best: Float?
      for label in own {
        for view in starts[label]..<starts[label + 1] {
          let cosine = Float(workspace.products[view]) * lengths[view] * length
          best = max(best ?? cosine, cosine)
        }
      }
      return best
    }
    return (nearest(labels.buildings) ?? -1) - (nearest(labels.backgrounds) ?? 0)
  }

  /// Sets the logit of ``Labels/unfamiliar`` so that its probability is that of an unknown building.
  ///
  /// - Parameters:
  ///   - logits: The logits of all labels; labels out of reach are excluded afterwards.
  ///   - temperature: The divisor of the logits.
  package func complete(
    _ logits: inout [Float], of features: [Float], labels: Labels, temperature: Double
  ) {
    var workspace = Workspace()
    complete(&logits, of: features, labels: labels, temperature: temperature, in: &workspace)
  }

  func complete(
    _ logits: inout [Float], of features: [Float], labels: Labels, temperature: Double,
    in workspace: inout Workspace
  ) {
    guard let unfamiliar = labels.unfamiliar else { return }
    let score = score(features, labels: labels, in: &workspace)
    logits[unfamiliar] = Self.logit(
      logOdds: intercept + slope * Double(score), logits, except: unfamiliar,
      temperature: temperature)
  }

  /// Returns the logit that gives a label the probability `1 / (1 + exp(logOdds))`.
  package static func logit(
    logOdds: Double, _ logits: [Float], except unfamiliar: Int, temperature: Double
  ) -> Float {
    var largest = -Float.infinity
    for label in logits.indices where label != unfamiliar { largest = max(largest, logits[label]) }
    guard largest.isFinite else { return 0 }
    var sum = 0.0
    for label in logits.indices where label != unfamiliar {
      sum += exp(Double(logits[label] - largest) / temperature)
    }
    return Float(Double(largest) + temperature * (log(sum) - logOdds))
  }

  /// Computes the inner products of an image's direction with all views.
  private func compare(_ features: [Float], in workspace: inout Workspace) {
    projection.multiply(features, in: &workspace)
    for index in offsets.indices { workspace.projected[index] += offsets[index] }
    workspace.code.resize(to: dimensions, filledWith: 0)
    _ = Rounding.write(workspace.projected, to: &workspace.code)
    workspace.products.resize(to: lengths.count, filledWith: 0)
    WideRows.multiply(rows: views, workspace.code, into: &workspace.products)
  }

  /// Returns the inverse length of a row of integers; 0 for a row of zeros.
  private static func length(of row: [Int16]) -> Float {
    var squares: Int64 = 0
    for value in row { squares += Int64(value) * Int64(value) }
    return squares > 0 ? 1 / Float(squares).squareRoot() : 0
  }
}

/// A matrix with 4 bits per value: an integer from -7 to 7, multiplied by the scale of its row.
package struct NibbleMatrix: Equatable, Sendable {
  package let columns: Int
  package let scales: [Float]
  /// Two values per byte, each plus 8. In each block of 64 values, the first 32 are in the low halves of the bytes. Rows
  /// are padded with zeros to a multiple of 64 values.
  package let bytes: [UInt8]

  package var rows: Int { scales.count }
  package static let block = 64
  private static let zero: UInt8 = 8
  /// The largest value in standard deviations of its row; larger values are clipped.
  private static let reach: Float = 2.8

  package static func paddedColumns(_ columns: Int) -> Int {
    (columns + block - 1) / block * block
  }

  package init(columns: Int, scales: [Float], bytes: [UInt8]) {
    precondition(
      bytes.count == scales.count * Self.paddedColumns(columns) / 2,
      "\(bytes.count) bytes for \(scales.count)x\(columns) values")
    (self.columns, self.scales, self.bytes) = (columns, scales, bytes)
  }

  /// Rounds the values of a matrix.
  package init(_ matrix: Matrix) {
    let padded = Self.paddedColumns(matrix.columns)
    var bytes = [UInt8](
      repeating: Self.zero << 4 | Self.zero, count: matrix.rows * padded / 2)
    var scales: [Float] = []
    for row in 0..<matrix.rows {
      let values = matrix.values.span.extracting(matrix.range(ofRow: row))
      var squares = 0.0
      for index in values.indices { squares += Double(values[index]) * Double(values[index]) }
      let deviation = Float((squares / Double(max(1, matrix.columns))).squareRoot())
      let scale = deviation > 0 ? deviation * Self.reach / 7 : 1
      scales.append(scale)
      for index in values.indices {
        let value = max(-7, min(7, (values[index] / scale).rounded(.toNearestOrEven)))
        let nibble = UInt8(Int(value) + Int(Self.zero))
        let (byte, isHigh) = Self.place(of: index)
        let at = row * padded / 2 + byte
        bytes[at] = isHigh ? bytes[at] & 15 | nibble << 4 : bytes[at] & 0xF0 | nibble
      }
    }
    self.init(columns: matrix.columns, scales: scales, bytes: bytes)
  }

  private static func place(of column: Int) -> (byte: Int, isHigh: Bool) {
    let (number, within) = column.quotientAndRemainder(dividingBy: block)
    return (number * block / 2 + within % (block / 2), within >= block / 2)
  }

  /// The rounded values.
  package var matrix: Matrix {
    var matrix = integers
    for row in 0..<rows {
      for column in 0..<columns { matrix[row, column] *= scales[row] }
    }
    return matrix
  }

  /// The values without their scales, -7...7.
  package var integers: Matrix {
    var values: [Float] = []
    values.reserveCapacity(rows * columns)
    for row in 0..<rows {
      let start = row * Self.paddedColumns(columns) / 2
      for column in 0..<columns {
        let (byte, isHigh) = Self.place(of: column)
        let nibble = isHigh ? bytes[start + byte] >> 4 : bytes[start + byte] & 15
        values.append(Float(Int(nibble) - Int(Self.zero)))
      }
    }
    return Matrix(rows: rows, columns: columns, values: values)
  }

  /// Writes the product with a vector, whose values are first rounded to 14 bits.
  fileprivate func multiply(_ vector: [Float], in workspace: inout NoveltyDetector.Workspace) {
    precondition(vector.count == columns, "\(vector.count) values, expected \(columns)")
    let padded = Self.paddedColumns(columns)
    workspace.query.resize(to: padded, filledWith: 0)
    let scale = Rounding.write(vector, to: &workspace.query)
    let total = Rounding.split(workspace.query, into: &workspace.high, &workspace.low)
    workspace.sums.resize(to: 2 * rows, filledWith: 0)
    WideRows.multiply(
      nibbles: bytes, (workspace.high, workspace.low), into: &workspace.sums)
    workspace.projected.resize(to: rows, filledWith: 0)
    for row in 0..<rows {
      let sum = Rounding.joined(workspace.sums[2 * row], workspace.sums[2 * row + 1])
      workspace.projected[row] = Float(sum - Int(Self.zero) * total) * (scales[row] * scale)
    }
  }
}

/// Rounds vectors to integers of 14 bits, which can be split into two halves of 8 bits.
enum Rounding {
  static let largest: Float = 8_127
  private static let base = 128

  /// Writes the values divided by a scale, so that the largest magnitude becomes ``largest``. Returns the scale.
  static func write(_ values: [Float], to integers: inout [Int16]) -> Float {
    precondition(integers.count >= values.count, "\(integers.count) integers")
    var most: Float = 0
    for value in values { most = max(most, value.magnitude) }
    let factor = most >= .leastNormalMagnitude * 8192 ? largest / most : 0
    let input = values.span
    var output = integers.mutableSpan
    for index in input.indices {
      // Adding 1.5 * 2^23 rounds to an integer, ties to even, and leaves it in the lowest bits.
      let shifted = (input[index] * factor + 12_582_912).bitPattern
      output[index] = Int16(truncatingIfNeeded: shifted)
    }
    return most / largest
  }

  /// Splits integers into `high * 128 + low`. Returns their sum.
  static func split(
    _ integers: [Int16], into high: inout [Int8], _ low: inout [Int8]
  ) -> Int {
    high.resize(to: integers.count, filledWith: 0)
    low.resize(to: integers.count, filledWith: 0)
    let input = integers.span
    var upper = high.mutableSpan
    var lower = low.mutableSpan
    var sum = 0
    for index in input.indices {
      let value = input[index]
      let first = (value &+ 64) >> 7
      upper[index] = Int8(truncatingIfNeeded: first)
      lower[index] = Int8(truncatingIfNeeded: value &- first << 7)
      sum &+= Int(value)
    }
    return sum
  }

  static func joined(_ high: Int32, _ low: Int32) -> Int { base * Int(high) + Int(low) }
}
