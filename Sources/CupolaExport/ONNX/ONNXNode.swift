/// One node of an ONNX graph.
struct ONNXNode: Equatable {
  var operation: String
  var domain = ""
  var inputs: [String]
  /// The name of its only output; nodes have no names of their own.
  var output: String
  var attributes: [String: Attribute] = [:]

  /// The value of an attribute, of the types that are used here.
  enum Attribute: Equatable {
    case integer(Int)
    case integers([Int])
    case text(String)
    case texts([String])
  }

  private typealias Field = ONNXModel.Field

  func write(to writer: inout ProtobufWriter) {
    for input in inputs { writer.string(Field.Node.inputs, input) }
    writer.string(Field.Node.outputs, output)
    writer.string(Field.Node.operation, operation)
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      writer.message(Field.Node.attributes) { attribute in
        attribute.string(Field.Attribute.name, name)
        Self.write(value, to: &attribute)
      }
    }
    if !domain.isEmpty { writer.string(Field.Node.domain, domain) }
  }

  private static func write(_ value: Attribute, to attribute: inout ProtobufWriter) {
    switch value {
    case .integer(let number): attribute.integer(Field.Attribute.integer, number)
    case .integers(let numbers):
      for number in numbers { attribute.integer(Field.Attribute.integers, number) }
    case .text(let text): attribute.string(Field.Attribute.text, text)
    case .texts(let texts):
      for text in texts { attribute.string(Field.Attribute.texts, text) }
    }
    attribute.integer(Field.Attribute.type, value.type)
  }

  init(
    _ operation: String, domain: String = "", _ inputs: [String], _ output: String,
    _ attributes: [String: Attribute] = [:]
  ) {
    self.operation = operation
    self.domain = domain
    self.inputs = inputs
    self.output = output
    self.attributes = attributes
  }
}

extension ONNXNode.Attribute {
  /// The number of the type.
  var type: Int {
    switch self {
    case .integer: 2
    case .text: 3
    case .integers: 7
    case .texts: 8
    }
  }
}
