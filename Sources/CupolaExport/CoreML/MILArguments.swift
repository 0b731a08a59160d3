/// The parameters of one operation, taken one after the other; none may be left.
struct MILArguments {
  /// Constants by their names.
  typealias Constants = [String: MILProgram.Constant]

  /// The operation's name.
  let operation: String
  private var rest: [String: [String]]

  init(_ operation: MILProgram.Operation) {
    self.operation = operation.name
    rest = [:]
    for input in operation.inputs { rest[input.parameter] = input.names }
  }

  /// Whether a parameter is there; others have their defaults.
  func has(_ parameter: String) -> Bool { rest[parameter] != nil }

  /// The names of the values of a parameter.
  mutating func names(_ parameter: String) throws(CoreMLFault) -> [String] {
    guard let names = rest.removeValue(forKey: parameter), !names.isEmpty else {
      throw CoreMLFault.badOperation(operation, "its parameter \(parameter) is missing")
    }
    return names
  }

  /// The name of the value of a parameter that is no list.
  mutating func name(_ parameter: String) throws(CoreMLFault) -> String {
    let names = try names(parameter)
    guard names.count == 1 else {
      throw CoreMLFault.badOperation(operation, "its parameter \(parameter) is a list")
    }
    return names[0]
  }

  /// Refuses parameters that were not asked for.
  func end() throws(CoreMLFault) {
    guard let left = rest.keys.min() else { return }
    throw CoreMLFault.badOperation(operation, "it has the unknown parameter \(left)")
  }

  // MARK: - Constants

  /// A constant parameter.
  private mutating func constant(
    _ parameter: String, _ constants: Constants, _ element: MILProgram.Element
  ) throws(CoreMLFault) -> MILProgram.Constant {
    let name = try name(parameter)
    guard let constant = constants[name], constant.type.element == element else {
      throw CoreMLFault.badOperation(
        operation, "its parameter \(parameter), \"\(name)\", is no constant of \(element)")
    }
    return constant
  }

  mutating func integers(
    _ parameter: String, _ constants: Constants
  ) throws(CoreMLFault) -> [Int] {
    guard case .integers(let values) = try constant(parameter, constants, .int32).contents,
      values.allSatisfy({ Int32(exactly: $0) != nil })
    else { throw CoreMLFault.badOperation(operation, "its \(parameter) are no 32-bit numbers") }
    return values
  }

  mutating func integer(
    _ parameter: String, _ constants: Constants
  ) throws(CoreMLFault) -> Int {
    let values = try integers(parameter, constants)
    guard values.count == 1 else {
      throw CoreMLFault.badOperation(operation, "its \(parameter) is not one number")
    }
    return values[0]
  }

  mutating func boolean(
    _ parameter: String, _ constants: Constants
  ) throws(CoreMLFault) -> Bool {
    guard case .booleans(let values) = try constant(parameter, constants, .boolean).contents,
      values.count == 1
    else { throw CoreMLFault.badOperation(operation, "its \(parameter) is neither true nor false") }
    return values[0]
  }

  /// What is false where it is not told.
  mutating func flag(_ parameter: String, _ constants: Constants) throws(CoreMLFault) -> Bool {
    has(parameter) ? try boolean(parameter, constants) : false
  }

  mutating func string(
    _ parameter: String, _ constants: Constants
  ) throws(CoreMLFault) -> String {
    guard case .string(let value) = try constant(parameter, constants, .string).contents else {
      throw CoreMLFault.badOperation(operation, "its \(parameter) is no text")
    }
    return value
  }

  mutating func float(
    _ parameter: String, _ constants: Constants
  ) throws(CoreMLFault) -> Float {
    guard case .floats(let values) = try constant(parameter, constants, .float32).contents,
      values.count == 1, values[0].isFinite
    else { throw CoreMLFault.badOperation(operation, "its \(parameter) is not one number") }
    return values[0]
  }
}
