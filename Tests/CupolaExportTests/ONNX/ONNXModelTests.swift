import Cupola
import Testing

@testable import CupolaExport

@Suite("ONNX files") struct ONNXModelTests {
  private static func file(
    _ model: Model, _ weights: WeightFormat = .float32
  ) throws -> ProtobufLook {
    let graph = try Graph(model: model, layout: .channelsFirst, weights: weights)
    let notes = ["a": "b", "labels": "[]"]
    return ProtobufLook(
      ONNXModel(graph: graph, geometry: model.recipe.geometry, notes: notes).bytes())
  }

  private static func operations(_ file: ProtobufLook) -> Set<String> {
    Set(file.first(7).messages(1).flatMap { $0.texts(4) })
  }

  @Test("are of IR version 7, operation set 13, with their notes")
  func header() throws {
    let file = try Self.file(SampleModels.hog())
    #expect(file.integers[1] == [7])
    #expect(file.texts(2) == ["cupola"])
    #expect(file.messages(8).map { $0.texts(1) } == [[""], ["ai.onnx.ml"]])
    #expect(file.messages(8).map { $0.integers[2] } == [[13], [2]])
    #expect(file.entries(14) == ["a": "b", "labels": "[]"])
  }

  @Test("take a picture, and give a label and probabilities")
  func interface() throws {
    let graph = try Self.file(SampleModels.hog()).first(7)
    func shape(_ value: ProtobufLook) -> [Int?] {
      value.first(2, 1, 2).messages(1).map { $0.integers[1]?.first }
    }
    #expect(graph.messages(11).map { $0.texts(1) } == [["image"]])
    #expect(shape(graph.first(11)) == [1, 64, 64, 3])
    #expect(graph.messages(12).map { $0.texts(1) } == [["label"], ["probabilities"]])
    #expect(graph.messages(12).map(shape) == [[1], [1, 3]])
  }

  @Test("hold labels of every kind")
  func labels() throws {
    let labels = ModelExportTests.labels
    let file = try Self.file(SampleModels.hog(labels: labels))
    let encoder = try #require(file.first(7).messages(1).last)
    #expect(encoder.texts(4) == ["LabelEncoder"])
    let names = encoder.messages(5).first { $0.texts(1) == ["values_strings"] }
    #expect(
      names?.texts(9) == [Graph.notACampusBuilding] + labels.filter { !$0.hasPrefix("_") })
  }

  @Test("widen narrow weights themselves")
  func weights() throws {
    let model = SampleModels.hog()
    #expect(try Self.operations(Self.file(model)).isDisjoint(with: ["DequantizeLinear"]))
    #expect(try Self.operations(Self.file(model, .int8)).contains("DequantizeLinear"))
    let types = try Self.file(model, .float16).first(7).messages(5).compactMap { $0.integers[2] }
    // Number 10 is that of halves.
    #expect(types.contains([10]))
  }
}
