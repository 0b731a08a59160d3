import Cupola

// 1. Build a graph operation by operation. Infer shapes, and store equal constants only once.
// 2. Provide operations on values: sums, slices, products, norms and linear forms of pixels.
// 3. Sort and name the nodes for files.

struct GraphBuilder {
  struct Value: Equatable {
    fileprivate let node: Int
    let shape: [Int]
  }

  let layout: GraphLayout

  /// The first part of the names of the nodes that are added.
  var stage = "photo"
  private(set) var nodes: [Graph.Node] = []
  private var constants: [Int] = []

  init(layout: GraphLayout) { self.layout = layout }

  /// Adds the input image, side x side pixels of 8-bit RGB, as the first node.
  mutating func input(side: Int) -> Value {
    precondition(nodes.isEmpty, "the input must be the first node")
    return append(.input, [], [1, side, side, 3])
  }

  mutating func constant(
    _ values: [Float], shape: [Int], format: WeightFormat = .float32
  ) -> Value {
    let operation = GraphOperation.constant(
      GraphTensor(shape: shape, values: values), format: format)
    if let known = constants.first(where: { nodes[$0].operation == operation }) {
      return Value(node: known, shape: shape)
    }
    let value = append(operation, [], shape)
    constants.append(value.node)
    return value
  }

  mutating func constant(_ matrix: Matrix, format: WeightFormat = .float32) -> Value {
    constant(matrix.values, shape: [matrix.rows, matrix.columns], format: format)
  }

  mutating func apply(_ operation: GraphOperation, _ inputs: [Value]) -> Value {
    let shape = operation.shape(of: inputs.map(\.shape))
    precondition(shape.count <= 4, "an operation cannot have \(shape.count) axes")
    return append(operation, inputs.map(\.node), shape)
  }

  /// Returns the nodes, named after their stages. Each constant is placed just before its first use.
  func nodes(naming last: String) -> [Graph.Node] {
    var places = [Int?](repeating: nil, count: nodes.count)
    var ordered: [Graph.Node] = []
    func place(_ index: Int) {
      let node = nodes[index]
      for input in node.inputs where places[input] == nil { place(input) }
      places[index] = ordered.count
      ordered.append(
        Graph.Node(
          name: index == nodes.count - 1
            ? last : index == 0 ? node.name : node.name + "_" + Self.letters(ordered.count - 1),
          operation: node.operation, inputs: node.inputs.compactMap { places[$0] },
          shape: node.shape))
    }
    for index in nodes.indices where places[index] == nil && !constants.contains(index) {
      place(index)
    }
    return ordered
  }

  /// Returns a to z, aa, ab and so on. Names have no digits, because derived names use digits as suffixes.
  static func letters(_ number: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return number < 26 ? letter : letters(number / 26 - 1) + letter
  }

  private mutating func append(
    _ operation: GraphOperation, _ inputs: [Int], _ shape: [Int]
  ) -> Value {
    // `nodes(naming:)` makes the names unique.
    let name = nodes.isEmpty ? "image" : stage
    nodes.append(Graph.Node(name: name, operation: operation, inputs: inputs, shape: shape))
    return Value(node: nodes.count - 1, shape: shape)
  }
}

extension GraphBuilder {
  mutating func apply(_ kind: GraphOperation.Elementwise, _ a: Value, _ b: Value) -> Value {
    apply(.elementwise(kind), [a, b])
  }

  mutating func apply(_ kind: GraphOperation.Elementwise, _ a: Value, _ number: Float) -> Value {
    apply(.elementwise(kind), [a, constant([number], shape: [])])
  }

  mutating func apply(_ kind: GraphOperation.Unary, _ value: Value) -> Value {
    apply(.unary(kind), [value])
  }

  mutating func reshape(_ value: Value, _ shape: [Int]) -> Value {
    value.shape == shape ? value : apply(.reshape(shape), [value])
  }

  mutating func transpose(_ value: Value, _ permutation: [Int]) -> Value {
    apply(.transpose(permutation), [value])
  }

  mutating func sum(_ value: Value, axis: Int) -> Value {
    apply(.reduce(.sum, axis: axis), [value])
  }

  /// A row-wise softmax whose values are at least 1e-30 of the largest, because subnormal products are slow on Intel
  /// processors.
  mutating func limitedSoftmax(_ scores: Value) -> Value {
    let largest = apply(.reduce(.maximum, axis: 1), [scores])
    return apply(
      .softmax, [apply(.maximum, apply(.subtract, scores, largest), Self.leastExponent)])
  }

  /// log(1e-30), rounded.
  private static let leastExponent: Float = -69

  mutating func product(
    _ a: Value, _ b: Value, transposeA: Bool = false, transposeB: Bool = false, half: Bool = false
  ) -> Value {
    apply(.product(transposeA: transposeA, transposeB: transposeB, half: half), [a, b])
  }

  mutating func concatenate(_ values: [Value], axis: Int) -> Value {
    values.count == 1 ? values[0] : apply(.concatenate(axis: axis), values)
  }

  mutating func slice(
    _ value: Value, axes: [Int], _ ranges: [Range<Int>], step: Int = 1
  ) -> Value {
    var starts = [Int](repeating: 0, count: value.shape.count)
    var ends = value.shape
    var steps = [Int](repeating: 1, count: value.shape.count)
    for (axis, range) in zip(axes, ranges) {
      (starts[axis], ends[axis], steps[axis]) = (range.lowerBound, range.upperBound, step)
    }
    let isWhole = starts.allSatisfy { $0 == 0 } && ends == value.shape && step == 1
    return isWhole ? value : apply(.slice(starts: starts, ends: ends, steps: steps), [value])
  }

  /// Returns the L2 norm of each row; `plus` is added to the sum of squares.
  mutating func norm(_ rows: Value, plus term: Float = 0) -> Value {
    let sums = sum(apply(.multiply, rows, rows), axis: 1)
    return apply(.squareRoot, term == 0 ? sums : apply(.add, sums, term))
  }

  /// Scales a row to L2 norm 1. A row of zeros is unchanged.
  mutating func unit(_ row: Value) -> Value {
    let norm = norm(row)
    return apply(.divide, row, apply(.maximum, norm, Self.tiny))
  }

  /// A lower bound for divisors, far below all actual values.
  static let tiny: Float = 1e-30

  /// Computes linear forms of every pixel's channels. Returns one image per list of forms.
  mutating func mix(_ picture: Value, _ lists: [[[Float]]]) -> [Value] {
    let inputs = picture.shape[layout.channelAxis]
    guard layout == .channelsFirst else {
      return lists.map { forms in
        let kernels = constant(forms.flatMap(\.self), shape: [forms.count, 1, 1, inputs])
        return apply(.convolution(layout: layout), [picture, kernels])
      }
    }
    // In ONNX Runtime, this product is faster than a 1 x 1 convolution, which would pad 3 channels to blocks of 16.
    let (height, width) = (picture.shape[2], picture.shape[3])
    let planes = reshape(picture, [inputs, height * width])
    return lists.map { forms in
      let weights = constant(forms.flatMap(\.self), shape: [forms.count, inputs])
      return reshape(product(weights, planes), [1, forms.count, height, width])
    }
  }

  mutating func averaged(_ picture: Value, side: Int, stride: Int) -> Value {
    apply(.averagePool(layout: layout, side: side, stride: stride), [picture])
  }

  mutating func padded(
    _ picture: Value, before: Int, after: Int, _ mode: GraphOperation.Padding
  ) -> Value {
    func widths(_ width: Int) -> [Int] {
      (0..<4).map { [layout.rowAxis, layout.columnAxis].contains($0) ? width : 0 }
    }
    return apply(.pad(before: widths(before), after: widths(after), mode: mode), [picture])
  }

  /// Applies linear forms (outputs x side) to every row of a square image, and then to every column.
  mutating func weighted(_ picture: Value, _ weights: Value) -> Value {
    let (outputs, side) = (weights.shape[0], weights.shape[1])
    if layout == .channelsFirst {
      return product(product(weights, picture), weights, transposeB: true)
    }
    let channels = picture.shape[layout.channelAxis]
    let rows = product(weights, reshape(picture, [side, side * channels]))
    let both = product(weights, reshape(rows, [outputs, side, channels]))
    return reshape(both, [1, outputs, outputs, channels])
  }
}
