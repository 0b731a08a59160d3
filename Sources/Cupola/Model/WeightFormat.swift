// Define how weights are stored:
// 1. `WeightFormat` lists the formats and rounds models to a format.
// 2. Half precision is converted bit by bit.
// 3. `Int8Weights` are integers with one scale per row.

/// The storage format of the classifier's weights.
public enum WeightFormat: String, Codable, CaseIterable, Sendable {
  /// Unrounded: 4 bytes per weight.
  case float32
  /// IEEE 754 half precision: 2 bytes per weight.
  case float16
  /// Integers with one scale per label: 1 byte per weight.
  case int8
}

extension WeightFormat {
  package static let ofRetrieval = WeightFormat.float16
}

extension Classifier {
  /// Returns the classifier as it would be read from a file in this format. Retrieval classifiers have a fixed format.
  func rounded(to format: WeightFormat) -> Classifier {
    switch self {
    case .softmax(let linear): .softmax(linear.rounded(to: format))
    case .retrieval(let retrieval):
      .retrieval(retrieval.projecting(by: retrieval.projection.inHalves))
    }
  }
}

extension LinearClassifier {
  /// The classifier with half-precision weights, multiplied by a power of two.
  /// The power of two prevents the largest weights from overflowing and the smallest from becoming 0.
  fileprivate var inHalves: LinearClassifier {
    let largest = weights.values.reduce(0) { max($0, $1.magnitude) }
    guard largest > 0, largest.isFinite else { return self }
    let factor = Float(sign: .plus, exponent: 5 - largest.exponent, significand: 1)
    let scaled = Matrix(
      rows: weights.rows, columns: weights.columns, values: weights.values.map { $0 * factor })
    return LinearClassifier(weights: scaled.halved, biases: biases.map { $0 * factor })
  }

  /// Returns the classifier as it would be read from a file in this format. Rounding again has no further effect.
  package func rounded(to format: WeightFormat) -> LinearClassifier {
    switch format {
    case .float32: self
    case .float16: LinearClassifier(weights: weights.halved, biases: biases)
    case .int8: LinearClassifier(weights: Int8Weights(weights).matrix, biases: biases)
    }
  }
}

extension Model {
  /// Returns the model with its weights rounded to another format, as it would be read from a file.
  /// A larger format does not restore lost precision.
  package func rounded(to format: WeightFormat) -> Model {
    var model = self
    model.classifier = classifier.rounded(to: format)
    model.weightFormat = classifier.kind == .retrieval ? .ofRetrieval : format
    return model
  }
}

/// IEEE 754 half precision in integer arithmetic, because `Float16` is missing on Intel Macs.
enum HalfPrecision {
  static let largest: Float = 65_504

  /// Returns the nearest half-precision value, ties to even; infinity from 65,520 up.
  static func bits(of value: Float) -> UInt16 {
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
    let magnitude = value.magnitude.bitPattern
    if magnitude > Float.infinity.bitPattern { return sign | 0x7E00 }
    // 65,520 is halfway between the largest half-precision value and the next power of two.
    if magnitude >= Float(65_520).bitPattern { return sign | 0x7C00 }
    if magnitude < Float(0x1p-14).bitPattern {
      // Adding 1/2 rounds to the precision of a subnormal half-precision value.
      let sum = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(truncatingIfNeeded: sum.bitPattern &- Float(0.5).bitPattern)
    }
    let odd = magnitude >> 13 & 1
    let rounded = magnitude &- (112 << 23) &+ 0xFFF &+ odd
    return sign | UInt16(truncatingIfNeeded: rounded >> 13)
  }

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
  /// Each value rounded to the nearest half-precision value and clipped to the largest finite one.
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

  /// Creates an `F16` tensor if every value is exact in half precision, otherwise an `F32` tensor.
  init(compact floats: [Float], shape: [Int]) {
    let halves = SafeTensors.Tensor(halves: floats, shape: shape)
    self = halves.halves == floats ? halves : SafeTensors.Tensor(floats: floats, shape: shape)
  }

  var halves: [Float]? {
    guard type == "F16" else { return nil }
    let count = span.count / 2
    return [Float](capacity: count) { appendHalves(0..<count, to: &$0) }
  }

  package func append(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    precondition(type == "F16" || type == "F32", "unsupported type \(type)")
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

/// Weights as integers from -127 to 127, with one scale per row.
/// `weight = value * scale`, symmetric about 0. Scales have 17 significant bits, so that the products are exact in
/// single precision. Therefore, all runtimes compute the same weights, and rounding again has no further effect.
package struct Int8Weights: Equatable, Sendable {
  let rows: Int
  let columns: Int
  package let values: [Int8]
  package let scales: [Float]

  init(rows: Int, columns: Int, values: [Int8], scales: [Float]) {
    precondition(
      values.count == rows * columns, "\(values.count) values, expected \(rows)x\(columns)")
    precondition(scales.count == rows, "\(scales.count) scales for \(rows) rows")
    self.rows = rows
    self.columns = columns
    self.values = values
    self.scales = scales
  }

  /// Rounds finite weights to the nearest multiple of the row's scale, ties to even.
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

  /// Returns the row's largest magnitude divided by 127, with the last 7 bits cleared; 1 for a row of integers.
  private static func scale(of row: Span<Float>) -> Float {
    var (largest, areIntegers) = (Float(0), true)
    for index in row.indices {
      largest = max(largest, row[index].magnitude)
      areIntegers = areIntegers && row[index] == row[index].rounded()
    }
    guard largest > 127 || !areIntegers else { return 1 }
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
