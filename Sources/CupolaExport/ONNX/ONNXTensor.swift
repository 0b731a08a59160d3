/// A constant of an ONNX graph, as it is stored.
struct ONNXTensor {
  private let name: String
  private let shape: [Int]
  private let contents: Contents

  private enum Contents {
    case bytes([UInt8], ONNXModel.ElementType)
    case integers([Int])
  }

  /// Little-endian bytes of elements, the last axis running fastest.
  init(_ name: String, _ type: ONNXModel.ElementType, shape: [Int], bytes: [UInt8]) {
    (self.name, self.shape, contents) = (name, shape, .bytes(bytes, type))
  }

  /// A list of 64-bit whole numbers.
  init(_ name: String, integers: [Int]) {
    (self.name, shape, contents) = (name, [integers.count], .integers(integers))
  }

  func write(to writer: inout ProtobufWriter) {
    typealias Field = ONNXModel.Field.Tensor
    for side in shape { writer.integer(Field.shape, side) }
    switch contents {
    case .bytes(let bytes, let type):
      writer.integer(Field.type, type.rawValue)
      writer.string(Field.name, name)
      writer.bytes(Field.bytes, bytes)
    case .integers(let integers):
      writer.integer(Field.type, ONNXModel.ElementType.int64.rawValue)
      writer.string(Field.name, name)
      // Most are small: a byte or two instead of eight.
      writer.packed(Field.integers, integers: integers)
    }
  }
}
