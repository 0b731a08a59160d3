import Cupola
import Foundation
import Testing

@testable import CupolaExport

@Suite("TFLiteModel")
struct TFLiteModelTests {
  static let labels = ["not_a_campus_building", "hall", "tower"]

  static func model(
    labels: [String] = labels, weights: WeightFormat = .float32
  ) -> TFLiteModel {
    TFLiteModel(
      graph: SmallTFLiteGraph.graph(labels: labels, weights: weights),
      card: TFLiteModel.Card(
        name: "Campus", description: "Names buildings.", version: "1", author: "Nobody",
        licence: "Apache-2.0"),
      properties: ["thresholds": .object(["least_odds": .number(0.5)])],
      campus: Array(#"{"type":"FeatureCollection","features":[]}"#.utf8))
  }

  static let pictures = SampleSquares.allCases.map { $0.image(side: SmallTFLiteGraph.side) }

  // MARK: - Round trips

  @Test("what is written is read, and gives the same answers", arguments: WeightFormat.allCases)
  func roundTrip(weights: WeightFormat) throws {
    let model = Self.model(weights: weights)
    let read = try TFLiteModel(bytes: try model.bytes())
    #expect(read.card == model.card)
    #expect(read.properties == model.properties)
    #expect(read.campus == model.campus)
    #expect(read.graph.labels == model.graph.labels)
    for picture in Self.pictures {
      #expect(
        GraphInterpreter(read.graph).probabilities(of: picture)
          == GraphInterpreter(model.graph).probabilities(of: picture))
    }
  }

  @Test("what was read is written as the same bytes", arguments: WeightFormat.allCases)
  func stable(weights: WeightFormat) throws {
    let bytes = try Self.model(weights: weights).bytes()
    #expect(try Self.model(weights: weights).bytes() == bytes)
    #expect(try TFLiteModel(bytes: bytes).bytes() == bytes)
  }

  @Test("whole pipelines survive", arguments: WeightFormat.allCases, [true, false])
  func pipelines(weights: WeightFormat, isFisher: Bool) throws {
    let model = isFisher ? SampleModels.fisher() : SampleModels.hog()
    let graph = try Graph(model: model, layout: .channelsLast, weights: weights)
    let export = TFLiteModel(graph: graph, card: Self.model().card)
    let bytes = try export.bytes()
    let read = try TFLiteModel(bytes: bytes)
    let side = model.recipe.inputSide
    for picture in [SampleSquares.noise, .corner].map({ $0.image(side: side) }) {
      #expect(
        GraphInterpreter(read.graph).probabilities(of: picture)
          == GraphInterpreter(graph).probabilities(of: picture))
    }
    #expect(try read.bytes() == bytes)
  }

  // MARK: - Structure

  @Test("the operators are those that delegates know, each with its version")
  func operators() throws {
    let root = try FlatBufferReader(try Self.model(weights: .int8).bytes())
      .root(identifier: "TFL3")
    let codes = try root.tables(TFLiteSchema.Model.operatorCodes).map { table in
      let kind = TFLiteOperator(rawValue: try table.int32(TFLiteSchema.OperatorCode.code))
      let version = try table.int32(TFLiteSchema.OperatorCode.version, default: 1)
      return "\(kind?.name ?? "?") \(version)"
    }
    #expect(
      codes == [
        "CAST 1", "MUL 1", "MIRROR_PAD 1", "CONV_2D 1", "AVERAGE_POOL_2D 1", "CONCATENATION 1",
        "STRIDED_SLICE 1", "SLICE 1", "TRANSPOSE 1", "RESHAPE 1", "PAD 1", "ABS 1",
        "SQRT 1", "RELU 1", "MINIMUM 1", "MAXIMUM 1", "SUB 1", "POW 1", "SUM 1", "ADD 1", "DIV 1",
        "FULLY_CONNECTED 6", "BATCH_MATMUL 1", "DEQUANTIZE 5", "SOFTMAX 1",
      ])
  }

  @Test("input and output have the names and types that readers look for")
  func interface() throws {
    let root = try FlatBufferReader(try Self.model().bytes()).root(identifier: "TFL3")
    let subgraph = try #require(try root.tables(TFLiteSchema.Model.subgraphs).first)
    let tensors = try subgraph.tables(TFLiteSchema.Subgraph.tensors)
    let input = tensors[try subgraph.int32s(TFLiteSchema.Subgraph.inputs)[0]]
    let output = tensors[try subgraph.int32s(TFLiteSchema.Subgraph.outputs)[0]]
    #expect(try input.text(TFLiteSchema.Tensor.name) == "image")
    #expect(try input.int32s(TFLiteSchema.Tensor.shape) == [1, 8, 8, 3])
    #expect(try input.int8(TFLiteSchema.Tensor.type) == TFLiteSchema.Element.uint8.rawValue)
    #expect(try output.text(TFLiteSchema.Tensor.name) == "probabilities")
    #expect(try output.int32s(TFLiteSchema.Tensor.shape) == [1, 3])
  }

  @Test("only the input and the output have names")
  func names() throws {
    let root = try FlatBufferReader(try Self.model().bytes()).root(identifier: "TFL3")
    let tensors = try root.tables(TFLiteSchema.Model.subgraphs)[0]
      .tables(TFLiteSchema.Subgraph.tensors)
    #expect(try tensors.compactMap { try $0.text(3) } == ["image", "probabilities"])
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

  @Test("labels survive, whatever is in them")
  func hostileLabels() throws {
    let model = Self.model(labels: ["not_a_campus_building"] + Self.hostile)
    let read = try TFLiteModel(bytes: try model.bytes())
    #expect(read.graph.labels.map { Array($0.utf8) } == model.graph.labels.map { Array($0.utf8) })
  }

  @Test(
    "a label that is no line is refused",
    arguments: ["two\nlines", "carriage\rreturn", "", "nul\0"])
  func noLines(label: String) {
    let model = Self.model(labels: ["not_a_campus_building", label])
    #expect(throws: TFLiteFault.badLabel(label)) { try model.bytes() }
  }
}
