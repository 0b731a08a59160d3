/// Core ML's model intermediate language, as far as exports use it: one function, one block, one
/// operation after the other.
struct MILProgram {
  /// Side of the square picture that the function is given as 1 x 3 x side x side floats.
  var side: Int
  /// In order of computation; the last makes the outputs.
  var operations: [Operation]

  /// The types of elements, with the format's numbers for them.
  enum Element: Int {
    case boolean = 1
    case string = 2
    case float16 = 10
    case float32 = 11
    case float64 = 12
    case int32 = 23
  }

  /// A tensor's type; no axes for a single value.
  struct Tensor: Hashable {
    var element: Element
    var shape: [Int]
  }

  /// One operation.
  struct Operation {
    /// What it does, as the language calls it.
    var type: String
    /// Its own name.
    var name: String
    /// Names of values by the names of parameters, in the order of writing.
    var inputs: [Input] = []
    /// The labels, which `classify` alone has.
    var classes: [String]?
    /// The value, which `const` alone has.
    var constant: Constant?
    /// What its value is, which is called as the operation; `nil` for `classify`, which makes the
    /// label and the probabilities by label.
    var output: Tensor?
  }

  /// Values for one parameter.
  struct Input {
    var parameter: String
    var names: [String]
  }

  /// What `const` says.
  struct Constant: Hashable {
    var type: Tensor
    var contents: Contents

    enum Contents: Hashable {
      case floats([Float])
      case integers([Int])
      case booleans([Bool])
      case string(String)
      /// A record of weight.bin.
      case blob(offset: Int)
    }
  }

  /// The name of weight.bin in the program.
  static let weightsName = "@model_path/weights/weight.bin"

  // MARK: - Names

  /// Names that the language, or Swift, keeps for itself.
  static let reservedNames: Set<String> = {
    let words = """
      any bool program func tensor list dict tuple true false string bf16 fp16 fp32 fp64 int8 \
      int16 int32 int64 uint8 uint16 uint32 uint64 state main class struct enum protocol import \
      let var self Self init in is as if else for while do return switch case default break \
      continue public internal private static super throw throws try catch guard defer where nil \
      extension operator repeat
      """
    return Set(words.split(separator: " ").map(String.init)).union([
      CoreMLPackage.Name.image, CoreMLPackage.Name.label, CoreMLPackage.Name.probabilities,
    ])
  }()
}

extension MILProgram.Constant {
  static func integer(_ value: Int) -> Self {
    Self(type: .init(element: .int32, shape: []), contents: .integers([value]))
  }

  static func integers(_ values: [Int]) -> Self {
    Self(type: .init(element: .int32, shape: [values.count]), contents: .integers(values))
  }

  static func boolean(_ value: Bool) -> Self {
    Self(type: .init(element: .boolean, shape: []), contents: .booleans([value]))
  }

  static func string(_ value: String) -> Self {
    Self(type: .init(element: .string, shape: []), contents: .string(value))
  }

  static func float(_ value: Float) -> Self {
    Self(type: .init(element: .float32, shape: []), contents: .floats([value]))
  }
}
