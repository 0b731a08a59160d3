import Cupola

/// Builds a graph one operation after the other: infers shapes, names nodes, keeps equal constants
/// once.
struct GraphBuilder {
  /// What a node makes.
  struct Value: Equatable {
    fileprivate let node: Int
    let shape: [Int]
  }

  /// Where the channels of pictures stand.
  let layout: GraphLayout

  private(set) var nodes: [Graph.Node] = []
  private var constants: [Int] = []

  init(layout: GraphLayout) { self.layout = layout }

  /// The picture, side x side pixels of 8-bit RGB: the first node.
  mutating func input(side: Int) -> Value {
    precondition(nodes.isEmpty, "the input comes first")
    return append(.input, [], [1, side, side, 3])
  }

  /// Values that are known now.
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

  /// A matrix that is known now.
  mutating func constant(_ matrix: Matrix, format: WeightFormat = .float32) -> Value {
    constant(matrix.values, shape: [matrix.rows, matrix.columns], format: format)
  }

  /// One operation on values of fitting shapes.
  mutating func apply(_ operation: GraphOperation, _ inputs: [Value]) -> Value {
    guard let shape = operation.shape(of: inputs.map(\.shape)) else {
      preconditionFailure("an operation that takes no shapes \(inputs.map(\.shape))")
    }
    precondition(shape.count <= 4, "an operation that makes \(shape.count) axes")
    return append(operation, inputs.map(\.node), shape)
  }

  /// The nodes, each constant just before its first use, with the shortest names that there are: every
  /// format repeats them wherever a value is used. The first one and the last keep theirs.
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
            ? last : index == 0 ? node.name : Self.letters(ordered.count - 1),
          operation: node.operation, inputs: node.inputs.compactMap { places[$0] },
          shape: node.shape))
    }
    for index in nodes.indices where places[index] == nil && !constants.contains(index) {
      place(index)
    }
    return ordered
  }

  /// a to z, aa, ab and so on: no digits, which names made from these have.
  static func letters(_ number: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return number < 26 ? letter : letters(number / 26 - 1) + letter
  }

  private mutating func append(
    _ operation: GraphOperation, _ inputs: [Int], _ shape: [Int]
  ) -> Value {
    // What is exported gets a shorter name.
    let name = nodes.isEmpty ? "image" : "node_" + String(nodes.count)
    nodes.append(Graph.Node(name: name, operation: operation, inputs: inputs, shape: shape))
    return Value(node: nodes.count - 1, shape: shape)
  }
}
