extension MILProgram {
  /// Writes the message `MILSpec.Program`.
  func write(to writer: inout ProtobufWriter) {
    writer.integer(1, 1)
    writer.entry(2, "main") { entry in
      entry.message(2) { function in
        let picture = Tensor(element: .float32, shape: [1, 3, side, side])
        function.message(1) { picture.write(to: &$0, named: CoreMLPackage.Name.image) }
        function.string(2, CoreMLPackage.opset)
        function.entry(3, CoreMLPackage.opset) { entry in
          entry.message(2) { block in
            block.string(2, CoreMLPackage.Name.label)
            block.string(2, CoreMLPackage.Name.probabilities)
            for operation in operations { block.message(3) { operation.write(to: &$0) } }
          }
        }
      }
    }
  }
}

extension MILProgram.Operation {
  /// Writes the message `MILSpec.Operation`.
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.string(1, type)
    for input in inputs {
      writer.entry(2, input.parameter) { entry in
        entry.message(2) { argument in
          for name in input.names { argument.message(1) { $0.string(1, name) } }
        }
      }
    }
    if let classes {
      writer.entry(2, "classes") { entry in
        entry.message(2) { argument in
          argument.message(1) { $0.message(2) { Self.write(classes, to: &$0) } }
        }
      }
    }
    if let output {
      writer.message(3) { output.write(to: &$0, named: name) }
    } else {
      writer.message(3) { Self.text.write(to: &$0, named: CoreMLPackage.Name.label) }
      writer.message(3) { Self.writeProbabilities(to: &$0) }
    }
    writer.entry(5, "name") { entry in
      entry.message(2) { MILProgram.Constant.string(name).write(to: &$0) }
    }
    if let constant {
      writer.entry(5, "val") { entry in entry.message(2) { constant.write(to: &$0) } }
    }
  }

  private static let text = MILProgram.Tensor(element: .string, shape: [])

  /// Writes the `MILSpec.NamedValueType` of numbers by text.
  private static func writeProbabilities(to writer: inout ProtobufWriter) {
    writer.string(1, CoreMLPackage.Name.probabilities)
    writer.message(2) { type in
      type.message(4) { dictionary in
        dictionary.message(1) { text.write(to: &$0) }
        dictionary.message(2) { MILProgram.Tensor(element: .float64, shape: []).write(to: &$0) }
      }
    }
  }

  /// Writes a `MILSpec.Value` that is a list of texts.
  private static func write(_ classes: [String], to writer: inout ProtobufWriter) {
    writer.message(2) { type in
      type.message(2) { list in
        list.message(1) { text.write(to: &$0) }
        list.message(2) { $0.message(1) { $0.integer(1, classes.count) } }
      }
    }
    writer.message(3) { value in
      value.message(3) { list in
        for label in classes {
          list.message(1) { MILProgram.Constant.string(label).write(to: &$0) }
        }
      }
    }
  }
}

extension MILProgram.Tensor {
  /// Writes the message `MILSpec.NamedValueType`.
  fileprivate func write(to writer: inout ProtobufWriter, named name: String) {
    writer.string(1, name)
    writer.message(2) { write(to: &$0) }
  }

  /// Writes the message `MILSpec.ValueType`.
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.message(1) { tensor in
      tensor.integer(1, element.rawValue)
      if !shape.isEmpty { tensor.integer(2, shape.count) }
      for side in shape { tensor.message(3) { $0.message(1) { $0.integer(1, side) } } }
    }
  }
}

extension MILProgram.Constant {
  /// Writes the message `MILSpec.Value`.
  fileprivate func write(to writer: inout ProtobufWriter) {
    writer.message(2) { type.write(to: &$0) }
    if case .blob(let offset) = contents {
      writer.message(5) { file in
        file.string(1, MILProgram.weightsName)
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
