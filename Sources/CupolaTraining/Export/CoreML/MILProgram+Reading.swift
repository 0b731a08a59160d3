extension MILProgram {
  /// Operations that a program may have, and axes that a tensor may have.
  static let maximumOperations = 1 << 14
  static let maximumAxes = 5

  /// Reads the message `MILSpec.Program`, and refuses all that exports do not have.
  ///
  /// - Throws: ``CoreMLFault``.
  init(_ program: ProtobufReader) throws(CoreMLFault) {
    try program.allow([1, 2], "the program")
    let version = try CoreMLFault.model(in: "the program") { try program.integer(1) }
    guard version == 1 else { throw CoreMLFault.badModel("the program is not of version 1") }
    let functions = try CoreMLFault.model(in: "the program") { try program.entries(2) }
    guard let entry = functions["main"], functions.count == 1 else {
      throw CoreMLFault.badModel("the program has not one function, main")
    }
    let function = try entry.value("main")
    try function.allow([1, 2, 3], "main")
    let opset = try CoreMLFault.model(in: "main") { try function.string(2) } ?? ""
    guard opset == CoreMLPackage.opset else {
      throw CoreMLFault.badModel(
        "its operations are of \"\(opset)\" and not of \(CoreMLPackage.opset)")
    }
    side = try Self.side(function)
    let blocks = try CoreMLFault.model(in: "main") { try function.entries(3) }
    guard let block = try blocks[opset]?.value(opset), blocks.count == 1 else {
      throw CoreMLFault.badModel("main has not one block, \(opset)")
    }
    try block.allow([2, 3], "main")
    let outputs = try CoreMLFault.model(in: "main") { try block.strings(2) }
    guard outputs == [CoreMLPackage.Name.label, CoreMLPackage.Name.probabilities] else {
      throw CoreMLFault.badModel("main gives \(outputs)")
    }
    let messages = try CoreMLFault.model(in: "main") { try block.messages(3) }
    guard messages.count <= Self.maximumOperations else {
      throw CoreMLFault.badModel("more than \(Self.maximumOperations) operations")
    }
    operations = []
    for message in messages { operations.append(try Operation(message)) }
  }

  /// The side of the function's only input.
  private static func side(_ function: ProtobufReader) throws(CoreMLFault) -> Int {
    let inputs = try CoreMLFault.model(in: "main") { try function.messages(1) }
    guard let first = inputs.first, inputs.count == 1 else {
      throw CoreMLFault.badModel("main has \(inputs.count) inputs and not 1")
    }
    let input = try Value(first, "main")
    guard input.name == CoreMLPackage.Name.image, case .tensor(let tensor) = input.kind,
      tensor.element == .float32, tensor.shape.count == 4, let side = tensor.shape.last,
      tensor.shape == [1, 3, side, side]
    else { throw CoreMLFault.badModel("main's input is no picture") }
    return side
  }
}

extension ProtobufReader {
  /// The value of an entry of a map, which is a message.
  fileprivate func value(_ place: String) throws(CoreMLFault) -> ProtobufReader {
    try allow([1, 2], place)
    guard let value = try CoreMLFault.model(in: place, { try message(2) }) else {
      throw CoreMLFault.badModel("\(place) is empty")
    }
    return value
  }
}

extension MILProgram.Operation {
  fileprivate init(_ operation: ProtobufReader) throws(CoreMLFault) {
    let type = try CoreMLFault.model(in: "an operation") { try operation.string(1) } ?? ""
    self.type = type
    try operation.allow([1, 2, 3, 5], type)
    outputs = []
    for output in try CoreMLFault.model(in: type, { try operation.messages(3) }) {
      outputs.append(try MILProgram.Value(output, type))
    }
    var attributes: [String: MILProgram.Constant] = [:]
    for (key, entry) in try CoreMLFault.model(in: type, { try operation.entries(5) }) {
      attributes[key] = try MILProgram.Constant(try entry.value(type), type)
    }
    guard case .string(let name)? = attributes.removeValue(forKey: "name")?.contents else {
      throw CoreMLFault.badModel("\(type) has no name")
    }
    self.name = name
    constant = attributes.removeValue(forKey: "val")
    guard attributes.isEmpty else {
      throw CoreMLFault.badOperation(name, "it has unknown attributes")
    }
    let entries = try CoreMLFault.model(in: name) { try operation.entries(2) }
    for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
      try read(key, try entry.value(name))
    }
  }

  /// Reads the argument of one parameter.
  private mutating func read(
    _ parameter: String, _ argument: ProtobufReader
  ) throws(CoreMLFault) {
    try argument.allow([1], name)
    let bindings = try CoreMLFault.model(in: name) { try argument.messages(1) }
    if parameter == "classes" {
      guard let binding = bindings.first, bindings.count == 1, binding.numbers == [2],
        let value = try CoreMLFault.model(in: name, { try binding.message(2) })
      else { throw CoreMLFault.badOperation(name, "it has no labels") }
      classes = try Self.labels(value, name)
      return
    }
    var names: [String] = []
    for binding in bindings {
      guard binding.numbers == [1],
        let value = try CoreMLFault.model(in: name, { try binding.string(1) })
      else { throw CoreMLFault.badOperation(name, "\(parameter) is no name of a value") }
      names.append(value)
    }
    inputs.append(.init(parameter: parameter, names: names))
  }

  /// Reads a `MILSpec.Value` that is a list of texts.
  private static func labels(
    _ value: ProtobufReader, _ name: String
  ) throws(CoreMLFault) -> [String] {
    let list = try CoreMLFault.model(in: name) { try value.message(3)?.message(3) }
    let type = try CoreMLFault.model(in: name) { try value.message(2)?.message(2) }
    guard let list, let type, value.numbers == [2, 3], list.numbers == [1] else {
      throw CoreMLFault.badOperation(name, "its labels are no list")
    }
    var labels: [String] = []
    for message in try CoreMLFault.model(in: name, { try list.messages(1) }) {
      guard case .string(let label) = try MILProgram.Constant(message, name).contents else {
        throw CoreMLFault.badOperation(name, "a label is no text")
      }
      labels.append(label)
    }
    let length = try CoreMLFault.model(in: name) { try type.message(2)?.message(1)?.integer(1) }
    guard length == labels.count else {
      throw CoreMLFault.badOperation(name, "its list of labels has a wrong length")
    }
    return labels
  }
}

extension MILProgram.Value {
  fileprivate init(_ value: ProtobufReader, _ place: String) throws(CoreMLFault) {
    try value.allow([1, 2], place)
    guard let name = try CoreMLFault.model(in: place, { try value.string(1) }),
      let type = try CoreMLFault.model(in: place, { try value.message(2) })
    else { throw CoreMLFault.badModel("\(place) has a value without name or type") }
    self.name = name
    guard type.numbers == [4] else {
      kind = .tensor(try MILProgram.Tensor(type, name))
      return
    }
    let entry = try CoreMLFault.model(in: name) { try type.message(4) }
    let key = try CoreMLFault.model(in: name) { try entry?.message(1) }
    let number = try CoreMLFault.model(in: name) { try entry?.message(2) }
    guard let key, let number, try MILProgram.Tensor(key, name).element == .string,
      try MILProgram.Tensor(number, name).element == .float64
    else { throw CoreMLFault.badModel("\(name) is no dictionary of numbers by text") }
    kind = .probabilities
  }
}

extension MILProgram.Tensor {
  fileprivate init(_ type: ProtobufReader, _ place: String) throws(CoreMLFault) {
    guard type.numbers == [1], let tensor = try CoreMLFault.model(in: place, { try type.message(1) })
    else { throw CoreMLFault.badModel("\(place) is no tensor") }
    try tensor.allow([1, 2, 3], place)
    let code = try CoreMLFault.model(in: place) { try tensor.integer(1) } ?? 0
    guard let element = MILProgram.Element(rawValue: code) else {
      throw CoreMLFault.badModel("\(place) has elements of the unknown type \(code)")
    }
    self.element = element
    shape = []
    let dimensions = try CoreMLFault.model(in: place) { try tensor.messages(3) }
    for dimension in dimensions {
      let side = try CoreMLFault.model(in: place) { try dimension.message(1)?.integer(1) }
      guard let side, side > 0, dimension.numbers == [1] else {
        throw CoreMLFault.badModel("\(place) has an axis of unknown length")
      }
      shape.append(side)
    }
    let rank = try CoreMLFault.model(in: place) { try tensor.integer(2) } ?? 0
    guard rank == shape.count, rank <= MILProgram.maximumAxes else {
      throw CoreMLFault.badModel("\(place) has \(shape.count) axes where \(rank) are declared")
    }
  }
}

extension MILProgram.Constant {
  fileprivate init(_ value: ProtobufReader, _ place: String) throws(CoreMLFault) {
    try value.allow([2, 3, 5], place)
    guard let type = try CoreMLFault.model(in: place, { try value.message(2) }) else {
      throw CoreMLFault.badModel("\(place) has a constant without a type")
    }
    self.type = try MILProgram.Tensor(type, place)
    if let file = try CoreMLFault.model(in: place, { try value.message(5) }) {
      let name = try CoreMLFault.model(in: place) { try file.string(1) }
      let offset = try CoreMLFault.model(in: place) { try file.integer(2) }
      guard let offset, name == MILProgram.weightsName, value.numbers == [2, 5] else {
        throw CoreMLFault.badModel("\(place) has a constant in an unknown file")
      }
      contents = .blob(offset: offset)
      return
    }
    guard let tensor = try CoreMLFault.model(in: place, { try value.message(3)?.message(1) }),
      let contents = try Self.contents(tensor, self.type, place)
    else { throw CoreMLFault.badModel("\(place) has a constant that does not fit its type") }
    self.contents = contents
  }

  /// Values that stand in the program; `nil` when they do not fit the type.
  private static func contents(
    _ tensor: ProtobufReader, _ type: MILProgram.Tensor, _ place: String
  ) throws(CoreMLFault) -> Contents? {
    let field: Int
    switch type.element {
    case .float32: field = 1
    case .int32: field = 2
    case .boolean: field = 3
    case .string: field = 4
    case .float16, .float64: return nil
    }
    guard tensor.numbers == [field],
      let values = try CoreMLFault.model(in: place, { try tensor.message(field) })
    else { return nil }
    try values.allow([1], place)
    return try CoreMLFault.model(in: place) { () throws(ProtobufFault) -> Contents? in
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
        (contents, count) = (.string(strings.first ?? ""), strings.count)
      }
      return count == GraphOperation.count(type.shape) ? contents : nil
    }
  }
}
