internal import Cupola

/// The values of a constant as files store them.
struct StoredConstant {
  /// Little-endian, the last axis running fastest.
  let bytes: [UInt8]
  /// What the whole numbers of each row are multiplied by: one a row for int8, else none.
  let scales: [Float]

  init(_ tensor: GraphTensor, as format: WeightFormat) {
    let (values, shape) = (tensor.values, tensor.shape)
    switch format {
    case .float32: (bytes, scales) = (SafeTensors.Tensor(floats: values, shape: shape).bytes, [])
    case .float16: (bytes, scales) = (SafeTensors.Tensor(halves: values, shape: shape).bytes, [])
    case .int8:
      precondition(shape.count == 2, "int8 weights are a matrix")
      let weights = Int8Weights(Matrix(rows: shape[0], columns: shape[1], values: values))
      bytes = SafeTensors.Tensor(int8s: weights.values, shape: shape).bytes
      scales = weights.scales
    }
  }
}
