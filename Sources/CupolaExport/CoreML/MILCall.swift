/// One operation of a graph as one of Core ML's language: its name there, and its parameters.
struct MILCall {
  /// What it is called.
  let type: String
  /// What is constant.
  let parameters: [(name: String, value: MILProgram.Constant)]
  /// The parameters that the node's inputs are; a single name for a list of them.
  private let operands: [String]

  /// The node's inputs under their parameters' names.
  func values(_ names: [String]) -> [MILProgram.Input] {
    operands == ["values"]
      ? [.init(parameter: "values", names: names)]
      : zip(operands, names).map { .init(parameter: $0, names: [$1]) }
  }

  private init(
    _ type: String, _ operands: [String] = ["x"],
    _ parameters: [(name: String, value: MILProgram.Constant)] = []
  ) {
    (self.type, self.operands, self.parameters) = (type, operands, parameters)
  }

  /// The call of a node that computes something; parameters with their defaults are left out.
  init(_ node: Graph.Node) {
    switch node.operation {
    case .input, .constant, .toFloat: preconditionFailure("\(node.name) computes nothing")
    case .reshape(let shape): self.init("reshape", ["x"], [("shape", .integers(shape))])
    case .transpose(let axes): self.init("transpose", ["x"], [("perm", .integers(axes))])
    case .slice(let starts, let ends, let steps):
      self.init(
        "slice_by_index", ["x"],
        [("begin", .integers(starts)), ("end", .integers(ends))]
          + (steps.allSatisfy { $0 == 1 } ? [] : [("stride", .integers(steps))]))
    case .concatenate(let axis):
      self.init("concat", ["values"], [("axis", .integer(axis))])
    case .pad(let before, let after, let mode):
      self.init("pad", ["x"], Self.padding(before, after, mode))
    case .elementwise(let kind): self.init(Self.name(of: kind), ["x", "y"])
    case .unary(let kind): self.init(Self.name(of: kind))
    case .power(let exponent): self.init("pow", ["x"], [("y", .float(exponent))])
    case .reduce(let reduction, let axis):
      self.init(
        reduction == .sum ? "reduce_sum" : "reduce_max", ["x"],
        [("axes", .integers([axis])), ("keep_dims", .boolean(true))])
    case .product(let transposeA, let transposeB):
      self.init(
        "matmul", ["x", "y"],
        (transposeA ? [("transpose_x", .boolean(true))] : [])
          + (transposeB ? [("transpose_y", .boolean(true))] : []))
    case .convolution(let layout):
      precondition(layout == .channelsFirst, "Core ML has its channels first")
      self.init("conv", ["x", "weight"], [("pad_type", .string("valid"))])
    case .averagePool(let layout, let side, let stride):
      precondition(layout == .channelsFirst, "Core ML has its channels first")
      self.init(
        "avg_pool", ["x"],
        [
          ("kernel_sizes", .integers([side, side])), ("strides", .integers([stride, stride])),
          ("pad_type", .string("valid")),
        ])
    case .softmax: self.init("softmax", ["x"], [("axis", .integer(-1))])
    }
  }

  /// Padding of the last axes only, from the first that has any: Core ML reflects no others.
  private static func padding(
    _ before: [Int], _ after: [Int], _ mode: GraphOperation.Padding
  ) -> [(name: String, value: MILProgram.Constant)] {
    let first = before.indices.first { before[$0] > 0 || after[$0] > 0 } ?? before.count - 1
    let pairs = (first..<before.count).flatMap { [before[$0], after[$0]] }
    return [
      ("pad", .integers(pairs)), ("mode", .string(mode == .reflect ? "reflect" : "constant")),
      ("constant_val", .float(0)),
    ]
  }

  /// What operations on pairs of values are called.
  private static func name(of kind: GraphOperation.Elementwise) -> String {
    switch kind {
    case .add: "add"
    case .subtract: "sub"
    case .multiply: "mul"
    case .divide: "real_div"
    case .minimum: "minimum"
    case .maximum: "maximum"
    }
  }

  /// What operations on single values are called.
  private static func name(of kind: GraphOperation.Unary) -> String {
    switch kind {
    case .squareRoot: "sqrt"
    case .absolute: "abs"
    case .relu: "relu"
    }
  }
}
