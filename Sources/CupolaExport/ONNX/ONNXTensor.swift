import Cupola

/// A constant of an ONNX graph, as it is stored.
struct ONNXTensor: Equatable {
  var name: String
  var type: ONNXModel.ElementType
  var shape: [Int]
  /// Little-endian, the last axis running fastest.
  var bytes: [UInt8]

  init(_ name: String, _ type: ONNXModel.ElementType, shape: [Int], bytes: [UInt8]) {
    self.name = name
    self.type = type
    self.shape = shape
    self.bytes = bytes
  }

  init(_ name: String, floats: [Float], shape: [Int]) {
    self.init(
      name, .float, shape: shape, bytes: SafeTensors.Tensor(floats: floats, shape: shape).bytes)
  }

  init(_ name: String, halves: [Float], shape: [Int]) {
    self.init(
      name, .float16, shape: shape, bytes: SafeTensors.Tensor(halves: halves, shape: shape).bytes)
  }

  init(_ name: String, integers: [Int]) {
    let bytes = integers.flatMap { integer in
      (0..<8).map { UInt8(truncatingIfNeeded: integer >> (8 * $0)) }
    }
    self.init(name, .int64, shape: [integers.count], bytes: bytes)
  }

  func write(to writer: inout ProtobufWriter) {
    typealias Field = ONNXModel.Field.Tensor
    for side in shape { writer.integer(Field.shape, side) }
    writer.integer(Field.type, type.rawValue)
    writer.string(Field.name, name)
    if let integers {
      // Most are small: a byte or two instead of eight.
      writer.packed(Field.integers, integers: integers)
    } else {
      writer.bytes(Field.bytes, bytes)
    }
  }
}
