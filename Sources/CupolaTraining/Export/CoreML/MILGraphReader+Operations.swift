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
      let axis = try arguments.integer("axis", known)
      try expect(try !arguments.boolean("interleave", known), arguments, "it interleaves")
      return (.concatenate(axis: axis), inputs)
    case "matmul":
      let inputs = [try value("x", &arguments), try value("y", &arguments)]
      let kind = GraphOperation.product(
        transposeA: try arguments.boolean("transpose_x", known),
        transposeB: try arguments.boolean("transpose_y", known))
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
      return .slice(
        starts: try arguments.integers("begin", known), ends: try arguments.integers("end", known),
        steps: try arguments.integers("stride", known))
    case "pad": return try padding(rank, &arguments)
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
    let strides = try arguments.integers("strides", known)
    let pad = try arguments.integers("pad", known)
    let groups = try arguments.integer("groups", known)
    let isPlain = try arguments.integers("dilations", known) == [1, 1]
    let isCustom = try arguments.string("pad_type", known) == "custom"
    let (picture, kernel) = (shape(of: inputs[0]), shape(of: inputs[1]))
    try expect(
      isPlain && isCustom && strides.count == 2 && strides[0] == strides[1] && pad.count == 4
        && picture.count == 4 && kernel.count == 4, arguments, "its parameters do not fit")
    let padding = [pad[0], pad[2], pad[1], pad[3]]
    if groups == 1 {
      let kind = GraphOperation.convolution(
        layout: .channelsFirst, stride: strides[0], padding: padding)
      return (kind, inputs)
    }
    try expect(groups == picture[1], arguments, "it has \(groups) groups")
    let kind = GraphOperation.depthwiseConvolution(
      layout: .channelsFirst, stride: strides[0], padding: padding)
    return (kind, inputs)
  }

  private func expect(
    _ isTrue: Bool, _ arguments: MILArguments, _ problem: String
  ) throws(CoreMLFault) {
    if !isTrue { throw CoreMLFault.badOperation(arguments.operation, problem) }
  }
}
