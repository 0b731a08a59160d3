// How weights are stored:
// 1. `WeightFormat` names the formats and rounds models to them.
// 2. Half precision is converted by its bits.
// 3. `Int8Weights` are whole numbers with one scale for each row.

/// How a model file stores the classifier's weights.
public enum WeightFormat: String, Codable, CaseIterable, Sendable {
  /// As they were fitted: 4 bytes a weight.
  case float32
  /// IEEE 754 half precision: 2 bytes a weight.
  case float16
  /// Whole numbers with one scale a label: 1 byte a weight.
  case int8
}

extension WeightFormat {
  /// How retrieval classifiers store their projection, always.
  package static let ofRetrieval = WeightFormat.float16
}

extension Classifier {
  /// The classifier that comes back from a file in this format; retrieval has one format.
  func rounded(to format: WeightFormat) -> Classifier {
    switch self {
    case .softmax(let linear): .softmax(linear.rounded(to: format))
    case .retrieval(let retrieval):
      .retrieval(retrieval.projecting(by: retrieval.projection.inHalves))
    }
  }
}

extension LinearClassifier {
  /// A multiple of it whose weights are halves: times a power of two, so that the largest are far from the largest
  /// half, and the smallest far from zero.
  fileprivate var inHalves: LinearClassifier {
    let largest = weights.values.reduce(0) { max($0, $1.magnitude) }
    guard largest > 0, largest.isFinite else { return self }
    let factor = Float(sign: .plus, exponent: 5 - largest.exponent, significand: 1)
    let scaled = Matrix(
      rows: weights.rows, columns: weights.columns, values: weights.values.map { $0 * factor })
    return LinearClassifier(weights: scaled.halved, biases: biases.map { $0 * factor })
  }

  /// The classifier that comes back from a file in this format; rounding twice is rounding once.
  package func rounded(to format: WeightFormat) -> LinearClassifier {
    switch format {
    case .float32: self
    case .float16: LinearClassifier(weights: weights.halved, biases: biases)
    case .int8: LinearClassifier(weights: Int8Weights(weights).matrix, biases: biases)
    }
  }
}

extension Model {
  /// The model with its weights in another format: it answers as its file will.
  ///
  /// Going from fewer bits to more brings nothing back.
  package func rounded(to format: WeightFormat) -> Model {
    var model = self
    model.classifier = classifier.rounded(to: format)
    model.weightFormat = classifier.kind == .retrieval ? .ofRetrieval : format
    return model
  }
}

/// IEEE 754 half precision by its bits: `Float16` is missing on Macs with Intel processors.
enum HalfPrecision {
  static let largest: Float = 65_504

  /// The nearest half, ties to even; beyond 65,504 infinity.
  static func bits(of value: Float) -> UInt16 {
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
    let magnitude = value.magnitude.bitPattern
    if magnitude > Float.infinity.bitPattern { return sign | 0x7E00 }
    // 65,520 is half way from the largest half to the next.
    if magnitude >= Float(65_520).bitPattern { return sign | 0x7C00 }
    if magnitude < Float(0x1p-14).bitPattern {
      // Adding 1/2 leaves as many bits of the fraction as a subnormal half has, and rounds.
      let sum = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(truncatingIfNeeded: sum.bitPattern &- Float(0.5).bitPattern)
    }
    let odd = magnitude >> 13 & 1
    let rounded = magnitude &- (112 << 23) &+ 0xFFF &+ odd
    return sign | UInt16(truncatingIfNeeded: rounded >> 13)
  }

  /// The number that a half stands for, exactly.
  static func value(of bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7FFF)
    guard magnitude < 0x7C00 else {
      return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13)
    }
    let scaled = Float(bitPattern: magnitude << 13) * 0x1p112
    return Float(bitPattern: sign | scaled.bitPattern)
  }
}

extension Matrix {
  /// Each value as the nearest half; what is beyond the halves becomes the largest of them.
  package var halved: Matrix {
    var result = self
    for index in values.indices {
      let value = min(max(values[index], -HalfPrecision.largest), HalfPrecision.largest)
      result.values[index] = HalfPrecision.value(of: HalfPrecision.bits(of: value))
    }
    return result
  }
}

extension SafeTensors.Tensor {
  /// Floats as a tensor of type `F16`, each rounded to the nearest half.
  package init(halves floats: [Float], shape: [Int]) {
    precondition(floats.count == shape.reduce(1, *), "\(floats.count) values of shape \(shape)")
    let bytes = [UInt8](capacity: 2 * floats.count) { output in
      let floats = floats.span
      for index in floats.indices {
        let half = HalfPrecision.bits(of: floats[index])
        output.append(UInt8(truncatingIfNeeded: half))
        output.append(UInt8(truncatingIfNeeded: half >> 8))
      }
    }
    self.init(type: "F16", shape: shape, bytes: bytes)
  }

  /// Floats as a tensor of type `F16` if every one of them is a half, else of type `F32`.
  init(compact floats: [Float], shape: [Int]) {
    let halves = SafeTensors.Tensor(halves: floats, shape: shape)
    self = halves.halves == floats ? halves : SafeTensors.Tensor(floats: floats, shape: shape)
  }

  /// The elements of a tensor of type `F16`, exactly; `nil` for other types.
  var halves: [Float]? {
    guard type == "F16" else { return nil }
    let count = span.count / 2
    return [Float](capacity: count) { appendHalves(0..<count, to: &$0) }
  }

  /// Adds some elements of a tensor of type `F16` or `F32` to others.
  package func append(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    precondition(type == "F16" || type == "F32", "numbers of type \(type)")
    type == "F16" ? appendHalves(elements, to: &output) : appendFloats(elements, to: &output)
  }

  private func appendHalves(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    let bytes = span.extracting(2 * elements.lowerBound..<2 * elements.upperBound)
    for index in 0..<elements.count {
      let half = UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
      output.append(HalfPrecision.value(of: half))
    }
  }
}

/// Weights as whole numbers from -127 to 127 with one scale a row.
///
/// `weight = value * scale`, symmetric about 0. Scales have 17 significant bits, so that these
/// products are exact in single precision: every runtime gets the same weights, and rounding twice
/// is rounding once.
package struct Int8Weights: Equatable, Sendable {
  let rows: Int
  let columns: Int
  package let values: [Int8]
  package let scales: [Float]

  init(rows: Int, columns: Int, values: [Int8], scales: [Float]) {
    precondition(
      values.count == rows * columns, "\(values.count) values given, \(rows)x\(columns) needed")
    precondition(scales.count == rows, "\(scales.count) scales for \(rows) rows")
    self.rows = rows
    self.columns = columns
    self.values = values
    self.scales = scales
  }

  /// Each weight as the nearest multiple of its row's scale, ties to even; weights must be finite.
  package init(_ weights: Matrix) {
    var scales: [Float] = []
    let source = weights.values.span
    let values = [Int8](capacity: weights.values.count) { output in
      for row in 0..<weights.rows {
        let part = source.extracting(weights.range(ofRow: row))
        let scale = Self.scale(of: part)
        scales.append(scale)
        for column in part.indices {
          output.append(Int8((part[column] / scale).rounded(.toNearestOrEven)))
        }
      }
    }
    self.init(rows: weights.rows, columns: weights.columns, values: values, scales: scales)
  }

  package var matrix: Matrix {
    let source = values.span
    let weights = [Float](capacity: values.count) { output in
      for row in 0..<rows {
        let scale = scales[row]
        for index in row * columns..<(row + 1) * columns {
          output.append(Float(source[index]) * scale)
        }
      }
    }
    return Matrix(rows: rows, columns: columns, values: weights)
  }

  /// The row's largest magnitude over 127, less the last 7 bits; 1 for a row of zeros.
  private static func scale(of row: Span<Float>) -> Float {
    var largest: Float = 0
    for index in row.indices { largest = max(largest, row[index].magnitude) }
    guard largest > 0 else { return 1 }
    let share = max(largest / 127, .leastNormalMagnitude)
    return Float(bitPattern: share.bitPattern & ~0x7F)
  }
}

extension SafeTensors.Tensor {
  package init(int8s values: [Int8], shape: [Int]) {
    precondition(values.count == shape.reduce(1, *), "\(values.count) values of shape \(shape)")
    self.init(type: "I8", shape: shape, bytes: values.map { UInt8(bitPattern: $0) })
  }

  var int8s: [Int8]? {
    type == "I8" ? bytes.map { Int8(bitPattern: $0) } : nil
  }
}
