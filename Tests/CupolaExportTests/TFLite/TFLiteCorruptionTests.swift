import Cupola
import Testing

@testable import CupolaExport

/// Files that are wrong in one thing; most have a right digest, so that the rule is what finds it.
@Suite("TFLite corruption")
struct TFLiteCorruptionTests {
  typealias Schema = TFLiteSchema

  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: TFLiteFault
    let bytes: @Sendable () throws -> [UInt8]

    init(
      _ description: String, _ fault: TFLiteFault, _ bytes: @escaping @Sendable () throws -> [UInt8]
    ) {
      (testDescription, self.fault, self.bytes) = (description, fault, bytes)
    }
  }

  private static let model = TFLiteModelTests.model()

  /// A file after changes of its tables, of its files or of what its metadata are made of.
  private static func file(
    labels: [String] = TFLiteModelTests.labels, side: Int = SmallTFLiteGraph.side,
    weights: WeightFormat = .float32,
    root change: (inout FlatBufferTable) -> Void = { _ in },
    files changeFiles: (inout [StoredZip.Entry]) -> Void = { _ in }
  ) throws -> [UInt8] {
    let files = TFLiteFiles(labels: labels, properties: model.properties, campus: model.campus)
    let metadata = TFLiteMetadata(
      name: "Campus", description: "", version: "1", author: "", licence: "", side: side,
      files: files.descriptions)
    var root = TFLiteEmitter.model(
      of: SmallTFLiteGraph.graph(weights: weights), description: "", metadata: metadata.bytes,
      named: true)
    change(&root)
    var bytes = FlatBufferWriter.bytes(root: root, identifier: "TFL3")
    var entries = try files.entries(model: bytes[...])
    changeFiles(&entries)
    StoredZip.append(entries, to: &bytes)
    return bytes
  }

  /// The same with one operator changed.
  private static func file(
    operator kind: TFLiteOperator, _ change: (inout FlatBufferTable) -> Void
  ) throws -> [UInt8] {
    try file(root: { root in
      let codes = root[tables: Schema.Model.operatorCodes].map {
        $0.values[Schema.OperatorCode.code]
      }
      let place = codes.firstIndex(of: .int32(Int32(kind.rawValue))) ?? 0
      let operators = root[tables: Schema.Model.subgraphs][0][tables: Schema.Subgraph.operators]
      let index =
        operators.firstIndex { $0.values[Schema.Operator.code] == .uint32(UInt32(place)) } ?? 0
      change(&root[tables: Schema.Model.subgraphs][0][tables: Schema.Subgraph.operators][index])
    })
  }

  /// The same with the tensor of a name changed.
  private static func file(
    tensor name: String, weights: WeightFormat = .float32,
    _ change: (inout FlatBufferTable) -> Void
  ) throws -> [UInt8] {
    try file(
      weights: weights,
      root: { root in
        let tensors = root[tables: Schema.Model.subgraphs][0][tables: Schema.Subgraph.tensors]
        let index = tensors.firstIndex { $0.values[Schema.Tensor.name] == .text(name) } ?? 0
        change(&root[tables: Schema.Model.subgraphs][0][tables: Schema.Subgraph.tensors][index])
      })
  }

  /// The same with the bytes of a tensor's values changed.
  private static func file(
    valuesOf name: String, _ change: (inout [UInt8]) -> Void
  ) throws -> [UInt8] {
    try file(root: { root in
      let tensors = root[tables: Schema.Model.subgraphs][0][tables: Schema.Subgraph.tensors]
      let tensor = tensors.first { $0.values[Schema.Tensor.name] == .text(name) }
      guard case .uint32(let index) = tensor?.values[Schema.Tensor.buffer],
        case .bytes(var bytes) = root[tables: Schema.Model.buffers][Int(index)].values[0]
      else { return }
      change(&bytes)
      root[tables: Schema.Model.buffers][Int(index)].values[0] = .bytes(bytes)
    })
  }

  // MARK: - Damages

  static let outside: [Damage] = [
    Damage("no archive", .badFiles("there are none")) {
      let bytes = try file()
      return Array(bytes[..<(try StoredZip.entries(in: bytes).start)])
    },
    Damage("cut", .badFiles("there are none")) { try file().dropLast(100) },
    Damage("another kind of file", .notTFLite) { Array("GIF89a".utf8) + (try file()) },
    Damage("labels changed", .badFiles("labels.txt is damaged")) {
      var bytes = try file()
      bytes[try StoredZip.entries(in: bytes).start + 45] ^= 1
      return bytes
    },
    Damage(
      "labels in another order",
      .badFiles("labels.txt and cupola.json have different labels, or another order")
    ) {
      try file(files: { files in
        let text = Array("not_a_campus_building\ntower\nhall\n".utf8)
        files[0] = StoredZip.Entry(name: "labels.txt", contents: text)
      })
    },
    Damage("a file lost", .badFiles("labels.txt, cupola.json are not there")) {
      try file(files: { $0.remove(at: 1) })
    },
    Damage("the map lost", .badMetadata("it names other files than those behind the model")) {
      try file(files: { $0.removeLast() })
    },
    Damage("the first label another", .badFiles("the first label is not not_a_campus_building")) {
      try file(labels: ["hall", "not_a_campus_building", "tower"])
    },
    Damage("a label lost", .badModel("it has [1, 3] probabilities for 2 labels")) {
      try file(labels: ["not_a_campus_building", "hall"])
    },
    Damage("one bit of the weights", .changed) {
      var bytes = try file()
      bytes[try place(of: "weights", in: bytes) + 2] ^= 1
      return bytes
    },
  ]

  static let tables: [Damage] = [
    Damage("schema version", .badModel("it is of version 4")) {
      try file(root: { $0.values[Schema.Model.version] = .uint32(4) })
    },
    Damage("operator version", .badModel("it uses version 2 of CAST")) {
      try file(root: {
        $0[tables: Schema.Model.operatorCodes][0].values[Schema.OperatorCode.version] = .int32(2)
      })
    },
    Damage("unknown operator", .badModel("it uses operator code 61, which no export has")) {
      try file(root: {
        $0[tables: Schema.Model.operatorCodes][0].values[Schema.OperatorCode.code] = .int32(61)
      })
    },
    Damage("an activation", .badOperator(20, "ADD has options that no export has")) {
      try file(operator: .add) { $0[table: Schema.Operator.options].values[0] = .int8(1) }
    },
    Damage(
      "a softmax of another base", .badOperator(28, "SOFTMAX has arguments that no export has")
    ) {
      try file(operator: .softmax) { $0[table: Schema.Operator.options].values[0] = .float32(2) }
    },
    Damage("an input lost", .badOperator(20, "ADD has options that no export has")) {
      try file(operator: .add) { $0.values[Schema.Operator.inputs] = .int32s([0]) }
    },
    Damage(
      "an output before it is computed", .badModel("tensor root is used before it is computed")
    ) {
      try file(operator: .squareRoot) {
        $0.values[Schema.Operator.inputs] = $0.values[Schema.Operator.outputs]
      }
    },
    Damage("a shape", .badModel("joined is not of the shape [1, 4, 4, 5]")) {
      try file(tensor: "joined") { $0.values[Schema.Tensor.shape] = .int32s([1, 4, 4, 5]) }
    },
    Damage(
      "the output's name",
      .badModel("its output is not the last tensor computed, named probabilities")
    ) {
      try file(tensor: "probabilities") { $0.values[Schema.Tensor.name] = .text("output") }
    },
    Damage("the input's type", .badModel("its input is no picture named image")) {
      try file(tensor: "image") { $0.values[Schema.Tensor.type] = .int8(0) }
    },
    Damage("a buffer too short", .badModel("tensor weights has 296 bytes, 300 needed")) {
      try file(valuesOf: "weights") { $0.removeLast(4) }
    },
    Damage(
      "a weight that is no number",
      .badModel("tensor weights holds values that are infinite or no numbers")
    ) {
      try file(valuesOf: "weights") { $0.replaceSubrange(4..<8, with: [0, 0, 0xC0, 0x7F]) }
    },
    Damage(
      "a scale of zero", .badModel("tensor weights_stored has no sound scale for each of its rows")
    ) {
      try file(tensor: "weights_stored", weights: .int8) {
        $0[table: Schema.Tensor.quantization].values[Schema.Quantization.scale] = .float32s([
          0.1, 0, 0.1,
        ])
      }
    },
    Damage("no metadata", .badMetadata("there is no entry TFLITE_METADATA")) {
      try file(root: { $0.values[Schema.Model.metadata] = nil })
    },
    Damage(
      "another size of the picture", .badMetadata("its picture is of another size than the model's")
    ) {
      try file(side: 9)
    },
  ]

  /// Where the values of a tensor stand in a file.
  private static func place(of name: String, in bytes: [UInt8]) throws -> Int {
    let root = try FlatBufferReader(bytes).root(identifier: "TFL3")
    let tensors = try root.tables(Schema.Model.subgraphs)[0].tables(Schema.Subgraph.tensors)
    let tensor = try #require(try tensors.first { try $0.text(Schema.Tensor.name) == name })
    let buffer = try tensor.uint32(Schema.Tensor.buffer)
    return try root.tables(Schema.Model.buffers)[buffer].bytes(Schema.Buffer.data).startIndex
  }

  // MARK: - Tests

  @Test("without damage the file is read")
  func sound() throws {
    #expect(try TFLiteModel(bytes: Self.file()).graph.labels == TFLiteModelTests.labels)
    #expect(try TFLiteModel(bytes: Self.file(weights: .int8)).graph.labels.count == 3)
  }

  @Test("what is wrong is told", arguments: outside + tables)
  func told(damage: Damage) throws {
    let bytes = try damage.bytes()
    #expect(throws: damage.fault) { try TFLiteModel(bytes: bytes) }
    #expect(!damage.fault.message.contains("\n"))
  }

  @Test("a file cut anywhere is refused")
  func cut() throws {
    let bytes = try Self.file()
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: TFLiteFault.self) { try TFLiteModel(bytes: Array(bytes[..<length])) }
    }
  }

  @Test("whichever byte of the model is changed, the file is refused")
  func anyByte() throws {
    let bytes = try Self.file()
    for place in try 0..<StoredZip.entries(in: bytes).start {
      var changed = bytes
      changed[place] ^= 0x40
      #expect(throws: TFLiteFault.self) { try TFLiteModel(bytes: changed) }
    }
  }

  @Test("changes under a right digest are refused or computed, never crash")
  func sealed() throws {
    let sound = try Self.file(weights: .int8)
    let (entries, end) = try StoredZip.entries(in: sound)
    var generator = SplitMix64(seed: 11)
    var accepted = 0
    for _ in 0..<4000 {
      var bytes = Array(sound[..<end])
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<end, using: &generator)
        bytes[place] =
          [0, 1, 2, 0x7F, 0xFF, bytes[place] ^ 4].randomElement(using: &generator) ?? 0
      }
      let files = TFLiteFiles(
        labels: TFLiteModelTests.labels, properties: Self.model.properties,
        campus: entries[2].contents)
      StoredZip.append(try files.entries(model: bytes[...]), to: &bytes)
      guard let model = try? TFLiteModel(bytes: bytes) else { continue }
      accepted += 1
      guard model.graph.nodes[0].shape == [1, 8, 8, 3] else { continue }
      let answer = GraphInterpreter(model.graph).probabilities(of: TFLiteModelTests.pictures[3])
      #expect(answer.count == 3)
    }
    #expect(accepted > 100)
  }
}

extension FlatBufferTable {
  fileprivate subscript(tables slot: Int) -> [FlatBufferTable] {
    get {
      if case .tables(let tables) = values[slot] { tables } else { [] }
    }
    set { values[slot] = .tables(newValue) }
  }

  fileprivate subscript(table slot: Int) -> FlatBufferTable {
    get {
      if case .table(let table) = values[slot] { table } else { [:] }
    }
    set { values[slot] = .table(newValue) }
  }
}
