extension MILGraphReader {
  /// What an operation of the language computes, and from which nodes.
  func operation(
    _ type: String, _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> (GraphOperation, [Int]) {
    for kind in GraphOperation.Elementwise.allCases where MILCall.name(of: kind) == type {
      let inputs = [try value("x", &arguments), try value("y", &arguments)]
      return (.elementwise(kind), inputs)
    }
    for kind in GraphOperation.Unary.allCases where MILCall.name(of: kind) == type {
      return (.unary(kind), [try value("x", &arguments)])
    }
    switch type {
    case "concat":
      let inputs = try values("values", &arguments)
      return (.concatenate(axis: try arguments.integer("axis", known)), inputs)
    case "matmul":
      let inputs = [try value("x", &arguments), try value("y", &arguments)]
      let kind = GraphOperation.product(
        transposeA: try arguments.flag("transpose_x", known),
        transposeB: try arguments.flag("transpose_y", known))
      return (kind, inputs)
    case "conv": return try convolution(&arguments)
    default:
      let input = try value("x", &arguments)
      return (try ofOneInput(type, rank: shape(of: input).count, &arguments), [input])
    }
  }

  private func ofOneInput(
    _ type: String, rank: Int, _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> GraphOperation {
    switch type {
    case "reshape": return .reshape(try arguments.integers("shape", known))
    case "transpose": return .transpose(try arguments.integers("perm", known))
    case "slice_by_index":
      let starts = try arguments.integers("begin", known)
      return .slice(
        starts: starts, ends: try arguments.integers("end", known),
        steps: arguments.has("stride")
          ? try arguments.integers("stride", known) : starts.map { _ in 1 })
    case "pad": return try padding(rank, &arguments)
    case "avg_pool": return try pooling(&arguments)
    case "pow":
      let exponent = try arguments.float("y", known)
      return .power(exponent)
    case "reduce_sum":
      let axes = try arguments.integers("axes", known)
      try expect(
        try arguments.boolean("keep_dims", known) && axes.count == 1, arguments,
        "it does not sum one axis and keep it")
      return .sum(axis: axes[0])
    case "softmax":
      let axis = try arguments.integer("axis", known)
      try expect(axis == -1 || axis == rank - 1, arguments, "it is not along the last axis")
      return .softmax
    default:
      throw CoreMLFault.badOperation(
        arguments.operation, "\"\(type)\" is no operation of exports")
    }
  }

  private func padding(
    _ rank: Int, _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> GraphOperation {
    let pairs = try arguments.integers("pad", known)
    let mode = try arguments.string("mode", known)
    let value = try arguments.float("constant_val", known)
    try expect(
      (mode == "reflect" || mode == "constant") && value == 0 && pairs.count.isMultiple(of: 2)
        && pairs.count <= 2 * rank, arguments, "its padding is impossible")
    let whole = [Int](repeating: 0, count: 2 * rank - pairs.count) + pairs
    return .pad(
      before: (0..<rank).map { whole[2 * $0] }, after: (0..<rank).map { whole[2 * $0 + 1] },
      mode: mode == "reflect" ? .reflect : .zero)
  }

  private func convolution(
    _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> (GraphOperation, [Int]) {
    let inputs = [try value("x", &arguments), try value("weight", &arguments)]
    let isWhole = try arguments.string("pad_type", known) == "valid"
    try expect(isWhole, arguments, "it adds zeros")
    return (.convolution(layout: .channelsFirst), inputs)
  }

  private func pooling(
    _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> GraphOperation {
    let sides = try arguments.integers("kernel_sizes", known)
    let strides = try arguments.integers("strides", known)
    let isWhole = try arguments.string("pad_type", known) == "valid"
    try expect(
      isWhole && sides.count == 2 && sides[0] == sides[1] && strides.count == 2
        && strides[0] == strides[1], arguments, "its parameters do not fit")
    return .averagePool(layout: .channelsFirst, side: sides[0], stride: strides[0])
  }

  private func expect(
    _ isTrue: Bool, _ arguments: MILArguments, _ problem: String
  ) throws(CoreMLFault) {
    if !isTrue { throw CoreMLFault.badOperation(arguments.operation, problem) }
  }
}
