import Cupola
import Testing

@testable import CupolaExport

@Suite("ONNX files") struct ONNXModelTests {
  private static func file(
    _ model: Model, _ weights: WeightFormat = .float32
  ) throws -> ProtobufMessage {
    let graph = try Graph(model: model, layout: .channelsFirst, weights: weights)
    let notes = ["a": "b", "labels": "[]"]
    return ProtobufMessage(
      ONNXModel(graph: graph, geometry: model.recipe.geometry, notes: notes).bytes())
  }

  private static func operations(_ file: ProtobufMessage) -> Set<String> {
    Set(file.first(7).messages(1).flatMap { $0.texts(4) })
  }

  @Test("Have IR version 7, operation set 13 and metadata")
  func header() throws {
    let file = try Self.file(SampleModels.hog())
    #expect(file.integers[1] == [7])
    #expect(file.texts(2) == ["cupola"])
    #expect(file.messages(8).map { $0.texts(1) } == [[""], ["ai.onnx.ml"]])
    #expect(file.messages(8).map { $0.integers[2] } == [[13], [2]])
    #expect(file.entries(14) == ["a": "b", "labels": "[]"])
  }

  @Test("Have a picture as input, and a label and probabilities as outputs")
  func interface() throws {
    let graph = try Self.file(SampleModels.hog()).first(7)
    func shape(_ value: ProtobufMessage) -> [Int?] {
      value.first(2, 1, 2).messages(1).map { $0.integers[1]?.first }
    }
    #expect(graph.messages(11).map { $0.texts(1) } == [["image"]])
    #expect(shape(graph.first(11)) == [1, 64, 64, 3])
    #expect(graph.messages(12).map { $0.texts(1) } == [["label"], ["probabilities"]])
    #expect(graph.messages(12).map(shape) == [[1], [1, 3]])
  }

  @Test("Preserve labels of all kinds")
  func labels() throws {
    let labels = ModelExportTests.labels
    let file = try Self.file(SampleModels.hog(labels: labels))
    let encoder = try #require(file.first(7).messages(1).last)
    #expect(encoder.texts(4) == ["LabelEncoder"])
    let names = encoder.messages(5).first { $0.texts(1) == ["values_strings"] }
    #expect(
      names?.texts(9) == [Graph.notACampusBuilding] + labels.filter { !$0.hasPrefix("_") })
  }

  @Test("Name nodes like their outputs, after the stages of the pipeline")
  func names() throws {
    let nodes = try Self.file(SampleModels.fisher()).first(7).messages(1)
    #expect(nodes.map { $0.texts(3) } == nodes.map { $0.texts(2) })
    let stages = Set(nodes.flatMap { $0.texts(3) }.map { String($0.prefix { $0 != "_" }) })
    #expect(stages.isSuperset(of: ["resize", "gradient", "descriptors", "fisher", "classifier"]))
  }

  @Test("Convert narrow weights to floats")
  func weights() throws {
    let model = SampleModels.hog()
    #expect(try Self.operations(Self.file(model)).isDisjoint(with: ["DequantizeLinear"]))
    #expect(try Self.operations(Self.file(model, .int8)).contains("DequantizeLinear"))
    let types = try Self.file(model, .float16).first(7).messages(5).compactMap { $0.integers[2] }
    // Type 10 is half precision.
    #expect(types.contains([10]))
  }
}

@Suite("Protobuf") struct ProtobufTests {
  @Test("Agrees with the encoding guide")
  func knownBytes() {
    // Examples from https://protobuf.dev/programming-guides/encoding: 150, "testing", a message,
    // packed numbers.
    #expect(ProtobufWriter { $0.integer(1, 150) }.bytes == [0x08, 0x96, 0x01])
    #expect(
      ProtobufWriter { $0.string(2, "testing") }.bytes
        == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
    #expect(
      ProtobufWriter { $0.message(3) { $0.integer(1, 150) } }.bytes
        == [0x1A, 0x03, 0x08, 0x96, 0x01])
    #expect(
      ProtobufWriter { $0.packed(6, integers: [3, 270, 86_942]) }.bytes
        == [0x32, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05])
    #expect(
      ProtobufWriter { $0.integer(1, -2) }.bytes
        == [0x08, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
    #expect(
      ProtobufWriter { $0.packed(1, floats: [1, -2]) }.bytes
        == [0x0A, 0x08, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
    #expect(
      ProtobufWriter { $0.entry(7, "a") { $0.string(2, "b") } }.bytes
        == [0x3A, 0x06, 0x0A, 0x01, 0x61, 0x12, 0x01, 0x62])
    #expect(
      ProtobufWriter { $0.bytes(536_870_911, [1]) }.bytes == [
        0xFA, 0xFF, 0xFF, 0xFF, 0x0F, 0x01, 1,
      ]
    )
  }
}
