internal import Cupola

/// The tensors of a TFLite model under construction, with their buffers.
struct TFLiteTensors {
  private(set) var tables: [FlatBufferTable] = []
  /// The first buffer is empty by convention: it is that of all tensors without values.
  private(set) var buffers: [FlatBufferTable] = [[:]]
  /// Small tensors that operators take as arguments, by their values.
  private var arguments: [[Int32]: Int] = [:]
  /// Biases of zero, by their number.
  private var zeros: [Int: Int] = [:]

  typealias Schema = TFLiteSchema

  /// Adds a tensor that some operator computes, or the input; returns its index.
  mutating func add(_ name: String?, _ type: Schema.Element, shape: [Int]) -> Int {
    append(name, type, shape: shape, buffer: 0)
  }

  /// Adds a tensor whose values are known; returns its index.
  mutating func add(
    _ name: String?, _ type: Schema.Element, shape: [Int], bytes: [UInt8],
    quantization: FlatBufferTable? = nil
  ) -> Int {
    append(name, type, shape: shape, buffer: addBuffer(bytes), quantization: quantization)
  }

  /// The index of a vector of whole numbers, or of pairs of them, that operators take as arguments.
  mutating func argument(_ values: [Int], pairs: Bool = false) -> Int {
    let numbers = values.map { Int32($0) }
    // Vectors and pairs of the same numbers are different tensors.
    let key = numbers + [pairs ? 1 : 0]
    if let known = arguments[key] { return known }
    let bytes = numbers.flatMap { UInt32(bitPattern: $0).littleEndianBytes }
    let index = add(
      nil, .int32,
      shape: pairs ? [values.count / 2, 2] : [values.count], bytes: bytes)
    arguments[key] = index
    return index
  }

  /// The index of a vector of zeros, for operators that want biases.
  mutating func zeroBiases(_ count: Int) -> Int {
    if let known = zeros[count] { return known }
    let index = add(
      nil, .float32, shape: [count], bytes: [UInt8](repeating: 0, count: 4 * count))
    zeros[count] = index
    return index
  }

  /// Adds bytes that some tensor or metadata entry refers to by the index returned.
  mutating func addBuffer(_ bytes: [UInt8]) -> Int {
    buffers.append([Schema.Buffer.data: .bytes(bytes)])
    return buffers.count - 1
  }

  private mutating func append(
    _ name: String?, _ type: Schema.Element, shape: [Int], buffer: Int,
    quantization: FlatBufferTable? = nil
  ) -> Int {
    tables.append([
      Schema.Tensor.shape: .int32s(shape.map { Int32($0) }),
      Schema.Tensor.type: type == .float32 ? nil : .int8(Int8(type.rawValue)),
      Schema.Tensor.buffer: buffer == 0 ? nil : .uint32(UInt32(buffer)),
      Schema.Tensor.name: name.map { .text($0) },
      Schema.Tensor.quantization: quantization.map { .table($0) },
    ])
    return tables.count - 1
  }
}

// MARK: - Weights

extension TFLiteTensors {
  /// Adds values known when the model is exported, as they are stored; returns the index.
  mutating func add(_ tensor: GraphTensor, format: WeightFormat) -> Int {
    let stored = StoredConstant(tensor, as: format)
    let type: Schema.Element =
      switch format {
      case .float32: .float32
      case .float16: .float16
      case .int8: .int8
      }
    let quantization: FlatBufferTable = [
      Schema.Quantization.scale: .float32s(stored.scales),
      Schema.Quantization.zeroPoint: .int64s(stored.scales.map { _ in 0 }),
      Schema.Quantization.axis: .int32(0),
    ]
    return add(
      nil, type, shape: tensor.shape, bytes: stored.bytes,
      quantization: format == .int8 ? quantization : nil)
  }
}

extension GraphTensor {
  /// The columns of a matrix as rows.
  var transposed: GraphTensor {
    precondition(shape.count == 2, "a matrix of shape \(shape)")
    let columns = (0..<shape[1]).flatMap { column in
      (0..<shape[0]).map { row in values[row * shape[1] + column] }
    }
    return GraphTensor(shape: shape.reversed(), values: columns)
  }
}
