internal import Cupola

/// One tensor of a TFLite file that is being read, with the bytes of its values if they are in the file.
struct TFLiteTensor {
  typealias Schema = TFLiteSchema

  let name: String
  let shape: [Int]
  let type: Schema.Element
  /// Empty for what is computed.
  let bytes: ArraySlice<UInt8>
  private let quantization: FlatBufferReader.Table?

  /// Values in a tensor: more than the largest recipe makes.
  static let maximumCount = 1 << 29

  /// - Parameter index: its place, which those without a name are called by.
  init(_ table: FlatBufferReader.Table, _ index: Int, buffers: [FlatBufferReader.Table]) throws {
    name = try table.text(Schema.Tensor.name) ?? "tensor_\(index)"
    shape = try table.int32s(Schema.Tensor.shape)
    guard shape.count <= 4, let count = GraphOperation.count(shape), count <= Self.maximumCount
    else { throw TFLiteFault.badModel("tensor \(name) is of the shape \(shape)") }
    guard let type = Schema.Element(rawValue: try table.int8(Schema.Tensor.type)) else {
      throw TFLiteFault.badModel("tensor \(name) is of an unknown type")
    }
    self.type = type
    let buffer = try table.uint32(Schema.Tensor.buffer)
    guard buffers.indices.contains(buffer) else {
      throw TFLiteFault.badModel("tensor \(name) has no buffer")
    }
    bytes = try buffers[buffer].bytes(Schema.Buffer.data)
    guard bytes.isEmpty || bytes.count == count * type.size else {
      throw TFLiteFault.badModel(
        "tensor \(name) has \(bytes.count) bytes, \(count * type.size) needed")
    }
    guard bytes.startIndex % 16 == 0 else {
      throw TFLiteFault.badModel("tensor \(name) does not stand at a multiple of 16")
    }
    quantization = try table.table(Schema.Tensor.quantization)
    guard (quantization != nil) == (type == .int8) else {
      throw TFLiteFault.badModel("tensor \(name) has scales but is not of int8")
    }
  }

  /// The values as 32-bit floats, and how they are stored.
  func constant() throws -> (tensor: GraphTensor, format: WeightFormat) {
    let count = shape.reduce(1, *)
    guard bytes.count == count * type.size else {
      throw TFLiteFault.badModel("tensor \(name) is used before it is computed")
    }
    let values: [Float]
    let format: WeightFormat
    switch type {
    case .float32: (values, format) = (words.map { Float(bitPattern: $0) }, .float32)
    case .float16:
      let halves = SafeTensors.Tensor(type: "F16", shape: shape, bytes: Array(bytes)).halves
      (values, format) = (halves ?? [], .float16)
    case .int8: (values, format) = (try scaled(), .int8)
    case .int32, .uint8: throw TFLiteFault.badModel("tensor \(name) holds no weights")
    }
    guard values.allSatisfy(\.isFinite) else {
      throw TFLiteFault.badModel("tensor \(name) holds values that are infinite or no numbers")
    }
    return (GraphTensor(shape: shape, values: values), format)
  }

  /// The whole numbers that an operator takes as an argument.
  func arguments() throws -> [Int] {
    guard type == .int32, bytes.count == 4 * shape.reduce(1, *), bytes.count <= 64 else {
      throw TFLiteFault.badModel("tensor \(name) is no argument of an operator")
    }
    return words.map { Int(Int32(bitPattern: $0)) }
  }

  private var words: [UInt32] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { place in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
    }
  }

  /// Whole numbers times the scales of their rows.
  private func scaled() throws -> [Float] {
    let rows = shape.first ?? 1
    guard let quantization, try quantization.int32(Schema.Quantization.axis) == 0,
      case let scales = try quantization.float32s(Schema.Quantization.scale, limit: rows),
      scales.count == rows, scales.allSatisfy({ $0 > 0 && $0.isFinite }),
      try quantization.int64s(Schema.Quantization.zeroPoint, limit: rows)
        == [Int64](repeating: 0, count: rows)
    else { throw TFLiteFault.badModel("tensor \(name) has no sound scale for each of its rows") }
    let values = bytes.map { Int8(bitPattern: $0) }
    let columns = values.count / rows
    return Int8Weights(rows: rows, columns: columns, values: values, scales: scales).matrix.values
  }
}
