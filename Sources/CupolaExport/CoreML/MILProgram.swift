// 1. Define the types and constants in Core ML's model intermediate language (MIL) that exports use.
// 2. Write these and operations as `MIL.proto` messages (apple/coremltools).
// 3. Write the program, which has one function with one block.

enum MILProgram {
  enum Element: Int {
    case boolean = 1
    case string = 2
    case float16 = 10
    case float32 = 11
    case float64 = 12
    case int32 = 23
  }

  /// A tensor type. A scalar has no axes.
  struct Tensor: Hashable {
    var element: Element
    var shape: [Int] = []

    func write(to writer: inout ProtobufWriter, named name: String) {
      writer.string(1, name)
      writer.message(2) { write(to: &$0) }
    }

    func write(to writer: inout ProtobufWriter) {
      writer.message(1) { tensor in
        tensor.integer(1, element.rawValue)
        if !shape.isEmpty { tensor.integer(2, shape.count) }
        for side in shape { tensor.message(3) { $0.message(1) { $0.integer(1, side) } } }
      }
    }
  }

  /// The value of a `const` operation.
  struct Constant: Hashable {
    var type: Tensor
    var contents: Contents

    enum Contents: Hashable {
      case floats([Float])
      case integers([Int])
      case booleans([Bool])
      case string(String)
      case blob(offset: Int)
    }

    static func integer(_ value: Int) -> Self { single(.int32, .integers([value])) }

    static func integers(_ values: [Int]) -> Self {
      Self(type: Tensor(element: .int32, shape: [values.count]), contents: .integers(values))
    }

    static func boolean(_ value: Bool) -> Self { single(.boolean, .booleans([value])) }

    static func string(_ value: String) -> Self { single(.string, .string(value)) }

    static func float(_ value: Float) -> Self { single(.float32, .floats([value])) }

    private static func single(_ element: Element, _ contents: Contents) -> Self {
      Self(type: Tensor(element: element), contents: contents)
    }

    func write(to writer: inout ProtobufWriter) {
      writer.message(2) { type.write(to: &$0) }
      if case .blob(let offset) = contents {
        writer.message(5) { file in
          file.string(1, "@model_path/weights/weight.bin")
          file.integer(2, offset)
        }
        return
      }
      writer.message(3) { value in
        value.message(1) { tensor in
          switch contents {
          case .floats(let values): tensor.message(1) { $0.packed(1, floats: values) }
          case .integers(let values): tensor.message(2) { $0.packed(1, integers: values) }
          case .booleans(let values):
            tensor.message(3) { $0.packed(1, integers: values.map { $0 ? 1 : 0 }) }
          case .string(let value): tensor.message(4) { $0.string(1, value) }
          case .blob: break
          }
        }
      }
    }
  }

  typealias Input = (parameter: String, names: [String])

  /// Returns a `MILSpec.Program` whose operations process an image of 1 x 3 x side x side floats.
  static func bytes(side: Int, operations: ProtobufWriter) -> [UInt8] {
    let opset = "CoreML5"
    return ProtobufWriter { program in
      program.integer(1, 1)
      program.entry(2, "main") { entry in
        entry.message(2) { function in
          let picture = Tensor(element: .float32, shape: [1, 3, side, side])
          function.message(1) { picture.write(to: &$0, named: CoreMLPackage.Name.image) }
          function.string(2, opset)
          function.entry(3, opset) { entry in
            entry.message(2) { block in
              block.string(2, CoreMLPackage.Name.label)
              block.string(2, CoreMLPackage.Name.probabilities)
              block.append(operations)
            }
          }
        }
      }
    }.bytes
  }

  /// Reserved words in MIL and Swift.
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

extension ProtobufWriter {
  /// Writes a `MILSpec.Operation` to a block. `type` is its MIL name; `outputs` writes its outputs.
  mutating func operation(
    _ type: String, name: String, inputs: [MILProgram.Input] = [],
    constant: MILProgram.Constant? = nil, outputs: (inout ProtobufWriter) -> Void
  ) {
    message(3) { operation in
      operation.string(1, type)
      for input in inputs {
        operation.entry(2, input.parameter) { entry in
          entry.message(2) { argument in
            for name in input.names { argument.message(1) { $0.string(1, name) } }
          }
        }
      }
      outputs(&operation)
      operation.entry(5, "name") { entry in
        entry.message(2) { MILProgram.Constant.string(name).write(to: &$0) }
      }
      if let constant {
        operation.entry(5, "val") { entry in entry.message(2) { constant.write(to: &$0) } }
      }
    }
  }

  /// Writes an operation with one output, named like the operation.
  mutating func operation(
    _ type: String, name: String, inputs: [MILProgram.Input] = [],
    constant: MILProgram.Constant? = nil, output: MILProgram.Tensor
  ) {
    operation(type, name: name, inputs: inputs, constant: constant) { operation in
      operation.message(3) { output.write(to: &$0, named: name) }
    }
  }

  mutating func classify(_ classes: [String], name: String, probabilities: String) {
    let text = MILProgram.Tensor(element: .string)
    operation(
      "classify", name: name, inputs: [(parameter: "probabilities", names: [probabilities])]
    ) { operation in
      operation.entry(2, "classes") { entry in
        entry.message(2) { argument in
          argument.message(1) { $0.message(2) { $0.list(of: classes) } }
        }
      }
      operation.message(3) { text.write(to: &$0, named: CoreMLPackage.Name.label) }
      operation.message(3) { output in
        output.string(1, CoreMLPackage.Name.probabilities)
        output.message(2) { type in
          type.message(4) { dictionary in
            dictionary.message(1) { text.write(to: &$0) }
            dictionary.message(2) { MILProgram.Tensor(element: .float64).write(to: &$0) }
          }
        }
      }
    }
  }

  private mutating func list(of texts: [String]) {
    message(2) { type in
      type.message(2) { list in
        list.message(1) { MILProgram.Tensor(element: .string).write(to: &$0) }
        list.message(2) { $0.message(1) { $0.integer(1, texts.count) } }
      }
    }
    message(3) { value in
      value.message(3) { list in
        for text in texts {
          list.message(1) { MILProgram.Constant.string(text).write(to: &$0) }
        }
      }
    }
  }
}
