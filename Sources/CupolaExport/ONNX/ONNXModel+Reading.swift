import Cupola

extension ONNXModel {
  /// Reads a file as ``bytes()`` writes it, and no other; no bytes can make it trap.
  ///
  /// - Throws: ``ONNXFault``.
  init(bytes: [UInt8]) throws(ONNXFault) {
    do {
      try self.init(reading: bytes)
    } catch let fault as ProtobufFault {
      throw .encoding(fault)
    } catch let fault as ONNXFault {
      throw fault
    } catch {
      throw .badGraph("\(error)")
    }
    guard self.bytes() == bytes else { throw .notCanonical }
  }

  private init(reading bytes: [UInt8]) throws {
    let model = try ProtobufReader(bytes)
    try Self.check("the IR version", try model.integer(Field.Model.irVersion), Self.irVersion)
    try Self.check("the producer", try model.string(Field.Model.producer), Name.producer)
    var sets: [String: Int] = [:]
    for set in try model.messages(Field.Model.operationSets) {
      sets[try set.string(1) ?? ""] = try set.integer(2) ?? 0
    }
    try Self.check(
      "the operation sets", sets,
      ["": Self.operationSet, Self.labelDomain: Self.labelOperationSet])
    var notes: [String: String] = [:]
    for note in try model.messages(Field.Model.notes) {
      notes[try note.string(1) ?? ""] = try note.string(2) ?? ""
    }
    guard let version = try model.string(Field.Model.producerVersion) else {
      throw ONNXFault.missing("version")
    }
    guard let contents = try model.message(Field.Model.graph) else {
      throw ONNXFault.missing("graph")
    }
    let graph = try ONNXGraphReader(contents).graph()
    try Self.check("the last node", graph.nodes.last?.name, Name.probabilities)
    self.init(graph: graph, notes: notes, version: version)
  }

  /// Compares something with what it must be.
  static func check<Value: Equatable>(_ what: String, _ found: Value?, _ needed: Value) throws {
    guard found != needed else { return }
    throw ONNXFault.wrong(
      what, found: found.map { "\($0)" } ?? "missing", needed: "\(needed)")
  }
}

extension ONNXTensor {
  init(_ reader: ProtobufReader) throws {
    typealias Field = ONNXModel.Field.Tensor
    guard let name = try reader.string(Field.name) else { throw ONNXFault.missing("name") }
    let shape = try reader.integers(Field.shape)
    guard let number = try reader.integer(Field.type),
      let type = ONNXModel.ElementType(rawValue: number), let count = GraphOperation.count(shape)
    else { throw ONNXFault.badTensor(name) }
    if type == .int64 {
      let integers = try reader.integers(Field.integers)
      guard shape == [integers.count] else { throw ONNXFault.badTensor(name) }
      self.init(name, integers: integers)
      return
    }
    guard let bytes = try reader.bytes(Field.bytes), count <= bytes.count,
      count * type.size == bytes.count
    else { throw ONNXFault.badTensor(name) }
    self.init(name, type, shape: shape, bytes: Array(bytes))
  }

  /// The numbers of a constant of floats.
  var floats: [Float]? {
    let kind = type == .float ? "F32" : "F16"
    let tensor = SafeTensors.Tensor(type: kind, shape: shape, bytes: bytes)
    return type == .float ? tensor.floats : type == .float16 ? tensor.halves : nil
  }

  /// The numbers of a constant of 64-bit whole numbers.
  var integers: [Int]? {
    guard type == .int64 else { return nil }
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
      return Int(truncatingIfNeeded: bits)
    }
  }
}

extension ONNXNode {
  init(_ reader: ProtobufReader) throws {
    typealias Field = ONNXModel.Field
    let outputs = try reader.strings(Field.Node.outputs)
    guard outputs.count == 1, let operation = try reader.string(Field.Node.operation) else {
      throw ONNXFault.missing("node with one output")
    }
    var attributes: [String: Attribute] = [:]
    for attribute in try reader.messages(Field.Node.attributes) {
      let name = try attribute.string(Field.Attribute.name) ?? ""
      attributes[name] = try Self.attribute(attribute, name)
    }
    self.init(
      operation, domain: try reader.string(Field.Node.domain) ?? "",
      try reader.strings(Field.Node.inputs), outputs[0], attributes)
  }

  private static func attribute(_ reader: ProtobufReader, _ name: String) throws -> Attribute {
    typealias Field = ONNXModel.Field.Attribute
    switch try reader.integer(Field.type) {
    case Attribute.integer(0).type:
      if let integer = try reader.integer(Field.integer) { return .integer(integer) }
    case Attribute.text("").type:
      if let text = try reader.string(Field.text) { return .text(text) }
    case Attribute.integers([]).type: return .integers(try reader.integers(Field.integers))
    case Attribute.texts([]).type: return .texts(try reader.strings(Field.texts))
    default: break
    }
    throw ONNXFault.wrong("attribute \(name)", found: "of another type", needed: "a number or text")
  }
}
