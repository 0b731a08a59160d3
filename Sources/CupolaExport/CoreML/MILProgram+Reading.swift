extension MILProgram {
  /// Operations that a program may have, and axes that a tensor may have.
  static let maximumOperations = 1 << 14
  static let maximumAxes = 5

  /// Reads the message `MILSpec.Program`, and refuses all that exports do not have.
  ///
  /// - Throws: ``CoreMLFault``.
  init(_ program: CoreMLMessage) throws(CoreMLFault) {
    try program.allow([1, 2])
    guard try program.integer(1) == 1 else { throw program.fault("it is not of version 1") }
    let functions = try program.entries(2)
    guard let function = functions.first?.value, functions.map(\.key) == ["main"] else {
      throw program.fault("its functions are \(functions.map(\.key)) and not main")
    }
    try function.allow([1, 2, 3])
    let opset = try function.string(2) ?? ""
    guard opset == CoreMLPackage.opset else {
      throw function.fault("its operations are of \"\(opset)\", not of \(CoreMLPackage.opset)")
    }
    side = try Self.side(function)
    let blocks = try function.entries(3)
    guard let block = blocks.first?.value, blocks.map(\.key) == [opset] else {
      throw function.fault("its blocks are \(blocks.map(\.key)) and not \(opset)")
    }
    try block.allow([2, 3])
    let outputs = try block.strings(2)
    guard outputs == [CoreMLPackage.Name.label, CoreMLPackage.Name.probabilities] else {
      throw block.fault("its outputs are \(outputs)")
    }
    let messages = try block.messages(3)
    guard messages.count <= Self.maximumOperations else {
      throw block.fault("it has more than \(Self.maximumOperations) operations")
    }
    operations = []
    for message in messages { operations.append(try Operation(message)) }
  }

  /// The side of the function's only input.
  private static func side(_ function: CoreMLMessage) throws(CoreMLFault) -> Int {
    let inputs = try function.messages(1)
    guard let first = inputs.first, inputs.count == 1 else {
      throw function.fault("it has \(inputs.count) inputs and not 1")
    }
    let input = try Value(first)
    guard input.name == CoreMLPackage.Name.image, case .tensor(let tensor) = input.kind,
      tensor.element == Element.float32, tensor.shape.count == 4, let side = tensor.shape.last,
      tensor.shape == [1, 3, side, side]
    else { throw function.fault("its input is no picture") }
    return side
  }
}

extension MILProgram.Operation {
  fileprivate init(_ message: CoreMLMessage) throws(CoreMLFault) {
    var message = message
    type = try message.string(1) ?? ""
    message.place = "operation \"\(type)\""
    try message.allow([1, 2, 3, 5])
    var attributes: [String: MILProgram.Constant] = [:]
    for (key, value) in try message.entries(5) {
      attributes[key] = try MILProgram.Constant(value)
    }
    guard case .string(let name)? = attributes.removeValue(forKey: "name")?.contents else {
      throw message.fault("it has no name")
    }
    self.name = name
    message.place = name
    constant = attributes.removeValue(forKey: "val")
    guard attributes.isEmpty else { throw message.fault("it has unknown attributes") }
    outputs = []
    for output in try message.messages(3) { outputs.append(try MILProgram.Value(output)) }
    for (parameter, argument) in try message.entries(2) {
      try argument.allow([1])
      try read(parameter, try argument.messages(1), of: message)
    }
  }

  /// Reads the values of one parameter.
  private mutating func read(
    _ parameter: String, _ bindings: [CoreMLMessage], of message: CoreMLMessage
  ) throws(CoreMLFault) {
    if parameter == "classes" {
      guard bindings.count == 1, let value = try bindings[0].message(2) else {
        throw message.fault("it has no labels")
      }
      classes = try Self.labels(value)
      return
    }
    var names: [String] = []
    for binding in bindings {
      guard let name = try binding.string(1), binding.numbers == [1] else {
        throw message.fault("its parameter \(parameter) is no name of a value")
      }
      names.append(name)
    }
    inputs.append(.init(parameter: parameter, names: names))
  }

  /// Reads a `MILSpec.Value` that is a list of texts.
  private static func labels(_ value: CoreMLMessage) throws(CoreMLFault) -> [String] {
    guard let list = try value.message(3)?.message(3), value.numbers == [2, 3],
      let type = try value.message(2)?.message(2), list.numbers == [1] || list.numbers.isEmpty
    else { throw value.fault("its labels are no list") }
    var labels: [String] = []
    for message in try list.messages(1) {
      guard case .string(let label) = try MILProgram.Constant(message).contents else {
        throw value.fault("a label is no text")
      }
      labels.append(label)
    }
    guard try type.message(2)?.message(1)?.integer(1) == labels.count else {
      throw value.fault("its list of labels has another length than is declared")
    }
    return labels
  }
}

extension MILProgram.Value {
  fileprivate init(_ message: CoreMLMessage) throws(CoreMLFault) {
    try message.allow([1, 2])
    guard let name = try message.string(1), let type = try message.message(2) else {
      throw message.fault("a value has no name or no type")
    }
    self.name = name
    guard type.numbers == [4] else {
      kind = .tensor(try MILProgram.Tensor(type))
      return
    }
    guard let dictionary = try type.message(4), let key = try dictionary.message(1),
      let value = try dictionary.message(2),
      try MILProgram.Tensor(key) == .init(element: .string, shape: []),
      try MILProgram.Tensor(value) == .init(element: .float64, shape: [])
    else { throw message.fault("\(name) is no dictionary of numbers by text") }
    kind = .probabilities
  }
}

extension MILProgram.Tensor {
  fileprivate init(_ type: CoreMLMessage) throws(CoreMLFault) {
    guard let tensor = try type.message(1), type.numbers == [1] else {
      throw type.fault("a value is no tensor")
    }
    try tensor.allow([1, 2, 3])
    let code = try tensor.integer(1) ?? 0
    guard let element = MILProgram.Element(rawValue: code) else {
      throw type.fault("a tensor has elements of the unknown type \(code)")
    }
    self.element = element
    shape = []
    for dimension in try tensor.messages(3) {
      guard let side = try dimension.message(1)?.integer(1), side > 0 else {
        throw type.fault("a tensor has an axis of unknown length")
      }
      shape.append(side)
    }
    let rank = try tensor.integer(2) ?? 0
    guard rank == shape.count, rank <= MILProgram.maximumAxes else {
      throw type.fault("a tensor has \(shape.count) axes where \(rank) are declared")
    }
  }
}

extension MILProgram.Constant {
  fileprivate init(_ value: CoreMLMessage) throws(CoreMLFault) {
    try value.allow([2, 3, 5])
    guard let type = try value.message(2) else { throw value.fault("a value has no type") }
    self.type = try MILProgram.Tensor(type)
    if let file = try value.message(5) {
      guard let offset = try file.integer(2), value.numbers == [2, 5],
        try file.string(1) == MILProgram.weightsName
      else { throw value.fault("a value stands in an unknown file") }
      contents = .blob(offset: offset)
      return
    }
    guard let tensor = try value.message(3)?.message(1),
      let contents = try Self.contents(tensor, self.type)
    else { throw value.fault("a value does not fit its type") }
    self.contents = contents
  }

  /// Values that stand in the program; `nil` when they do not fit the type.
  private static func contents(
    _ tensor: CoreMLMessage, _ type: MILProgram.Tensor
  ) throws(CoreMLFault) -> Contents? {
    let fields: [MILProgram.Element: Int] = [.float32: 1, .int32: 2, .boolean: 3, .string: 4]
    guard let field = fields[type.element], tensor.numbers == [field],
      let values = try tensor.message(field), values.numbers == [1]
    else { return nil }
    let contents: Contents
    let count: Int
    switch type.element {
    case .float32:
      let floats = try values.floats(1)
      (contents, count) = (.floats(floats), floats.count)
    case .int32:
      let integers = try values.integers(1)
      (contents, count) = (.integers(integers), integers.count)
    case .boolean:
      let integers = try values.integers(1)
      (contents, count) = (.booleans(integers.map { $0 != 0 }), integers.count)
    default:
      let strings = try values.strings(1)
      guard strings.count == 1, type.shape.isEmpty else { return nil }
      return .string(strings[0])
    }
    return count == GraphOperation.count(type.shape) ? contents : nil
  }
}
