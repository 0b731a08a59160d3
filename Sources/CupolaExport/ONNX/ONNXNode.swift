/// One node of an ONNX graph.
struct ONNXNode {
  private let operation: String
  private let domain: String
  private let inputs: [String]
  /// The name of its only output; nodes have no names of their own.
  private let output: String
  private let attributes: [String: Attribute]

  /// The value of an attribute, of the types that are used here.
  enum Attribute {
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

  /// The value, then the number of its type.
  private static func write(_ value: Attribute, to attribute: inout ProtobufWriter) {
    switch value {
    case .integer(let number):
      attribute.integer(Field.Attribute.integer, number)
      attribute.integer(Field.Attribute.type, 2)
    case .text(let text):
      attribute.string(Field.Attribute.text, text)
      attribute.integer(Field.Attribute.type, 3)
    case .integers(let numbers):
      for number in numbers { attribute.integer(Field.Attribute.integers, number) }
      attribute.integer(Field.Attribute.type, 7)
    case .texts(let texts):
      for text in texts { attribute.string(Field.Attribute.texts, text) }
      attribute.integer(Field.Attribute.type, 8)
    }
  }

  init(
    _ operation: String, domain: String = "", inputs: [String], output: String,
    attributes: [String: Attribute] = [:]
  ) {
    self.operation = operation
    self.domain = domain
    self.inputs = inputs
    self.output = output
    self.attributes = attributes
  }
}
