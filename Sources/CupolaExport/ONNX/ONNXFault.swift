/// What is wrong with bytes that should be an ONNX file of Cupola.
enum ONNXFault: Error, Equatable {
  /// They are no protocol buffer, or not of this schema.
  case encoding(ProtobufFault)
  /// Something is not there.
  case missing(String)
  /// Something has another value than it must have.
  case wrong(String, found: String, needed: String)
  /// A node cannot be what it claims.
  case badNode(String, String)
  /// A constant's bytes do not fit its shape and type.
  case badTensor(String)
  /// The graph cannot be computed.
  case badGraph(String)
  /// It can be read, but differs from how Cupola writes the same.
  case notCanonical

  /// One line for people.
  var message: String {
    switch self {
    case .encoding(let fault): "no ONNX: \(fault.message)"
    case .missing(let what): "it has no \(what)"
    case .wrong(let what, let found, let needed): "\(what) is \(found) and not \(needed)"
    case .badNode(let name, let what): "node \(name): \(what)"
    case .badTensor(let name): "constant \(name): its bytes do not fit its shape and type"
    case .badGraph(let what): what
    case .notCanonical: "it was changed after it was written"
    }
  }
}
