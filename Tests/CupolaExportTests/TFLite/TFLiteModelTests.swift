import Cupola
import Testing

@testable import CupolaExport

@Suite("TFLiteModel")
struct TFLiteModelTests {
  static let labels = [Graph.notACampusBuilding, "hall", "tower"]

  static func model(
    labels: [String] = labels, weights: WeightFormat = .float32
  ) throws(ExportError) -> TFLiteModel {
    try TFLiteModel(
      graph: SmallTFLiteGraph.graph(labels: labels, weights: weights),
      notes: ExportNotes(SampleModels.hog(), source: [1]))
  }

  /// The only graph in a file.
  private static func graph(_ bytes: [UInt8]) throws -> FlatBufferLook {
    try #require(FlatBufferLook(bytes).tables(TFLiteSchema.Model.subgraphs).first)
  }

  private static func tensors(_ graph: FlatBufferLook) -> [FlatBufferLook] {
    graph.tables(TFLiteSchema.Subgraph.tensors)
  }

  // MARK: - Structure

  @Test("the operators are those that delegates know, each with its version")
  func operators() throws {
    let codes = FlatBufferLook(try Self.model(weights: .int8).bytes())
      .tables(TFLiteSchema.Model.operatorCodes).map { table in
        let code = table.integer(TFLiteSchema.OperatorCode.code, bytes: 4) ?? 0
        let version = table.integer(TFLiteSchema.OperatorCode.version, bytes: 4) ?? 1
        return "\(TFLiteOperator(rawValue: code).map { "\($0)" } ?? "?") \(version)"
      }
    #expect(
      codes == [
        "cast 1", "multiply 1", "mirrorPad 1", "convolution 1", "averagePool 1", "concatenation 1",
        "stridedSlice 1", "slice 1", "transpose 1", "reshape 1", "pad 1", "absolute 1",
        "squareRoot 1", "relu 1", "minimum 1", "maximum 1", "subtract 1", "power 1", "sum 1",
        "largest 1", "add 1", "divide 1", "fullyConnected 6", "batchMatrixProduct 1",
        "dequantize 5",
        "softmax 1",
      ])
  }

  @Test("input and output have the names and types that readers look for")
  func interface() throws {
    typealias Slot = TFLiteSchema.Tensor
    let graph = try Self.graph(try Self.model().bytes())
    let tensors = Self.tensors(graph)
    let input = tensors[graph.integers(TFLiteSchema.Subgraph.inputs, bytes: 4)[0]]
    let output = tensors[graph.integers(TFLiteSchema.Subgraph.outputs, bytes: 4)[0]]
    #expect(input.text(Slot.name) == "image")
    #expect(input.integers(Slot.shape, bytes: 4) == [1, 8, 8, 3])
    #expect(input.integer(Slot.type, bytes: 1) == TFLiteSchema.Element.uint8.rawValue)
    #expect(output.text(Slot.name) == "probabilities")
    #expect(output.integers(Slot.shape, bytes: 4) == [1, 3])
    // No others have names.
    #expect(tensors.compactMap { $0.text(Slot.name) } == ["image", "probabilities"])
  }

  @Test("values stand at multiples of 16, as runtimes want to use them where they lie")
  func alignment() throws {
    for weights in WeightFormat.allCases {
      let bytes = try Self.model(weights: weights).bytes()
      let buffers = FlatBufferLook(bytes).tables(TFLiteSchema.Model.buffers)
      let places = buffers.map { $0.vector(TFLiteSchema.Buffer.data) }
      #expect(places.count > 10)
      #expect(places.allSatisfy { $0.start % 16 == 0 })
    }
  }

  @Test("narrow weights take less room")
  func sizes() throws {
    let labels = ["not_a_campus_building"] + (0..<999).map { "hall \($0)" }
    let sizes = try WeightFormat.allCases.map {
      try Self.model(labels: labels, weights: $0).bytes().count
    }
    #expect(sizes[0] - sizes[1] > 48_000)
    // A scale of 4 bytes and a zero point of 8 bytes for each label.
    #expect(sizes[1] - sizes[2] > 12_000)
  }

  // MARK: - Labels

  static let hostile = [
    "Old Library", " leading and trailing ", "a/b\\c", "🏛️👩‍🏫", "مكتبة الجامعة", "\u{202E}reversed",
    "tab\there",
    "line\u{2028}separator\u{85}", "quote\"'`", "{\"a\":1}", "%s %n", "e\u{301}", "\u{E9}", "null",
    "-1", "0",
    String(repeating: "塔", count: 200),
  ]

  @Test("labels stand behind the model in lines, whatever is in them")
  func hostileLabels() throws {
    let labels = [Graph.notACampusBuilding] + Self.hostile
    let bytes = try Self.model(labels: labels).bytes()
    let lines = Array(("labels.txt" + labels.map { $0 + "\n" }.joined()).utf8)
    let behind = bytes.suffix(2 * lines.count + 20_000)
    #expect(behind.indices.contains { behind[$0...].starts(with: lines) })
  }

  @Test(
    "a label that is no line is refused",
    arguments: ["two\nlines", "carriage\rreturn", "", "nul\0"])
  func noLines(label: String) {
    #expect(throws: ExportError.textForTFLite(label)) {
      try Self.model(labels: [Graph.notACampusBuilding, label])
    }
  }
}
