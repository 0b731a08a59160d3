import Cupola
import Testing

@testable import CupolaExport

@Suite("ONNX files") struct ONNXModelTests {
  static let labels = [
    "hall / annex", "_street", "tower 🗼", "مكتبة", "קמפוס", String(repeating: "long ", count: 40),
  ]

  static func file(_ model: Model, _ weights: WeightFormat = .float32) throws -> ONNXModel {
    let graph = try Graph(model: model, layout: .channelsFirst, weights: weights)
    return ONNXModel(graph: graph, notes: ["a": "b", "labels": "[]"], version: "1.2.3")
  }

  @Test("come back as they were written", arguments: WeightFormat.allCases)
  func roundTrip(format: WeightFormat) throws {
    for model in [SampleModels.hog(labels: Self.labels), SampleModels.fisher(labels: Self.labels)] {
      let file = try Self.file(model, format)
      let read = try ONNXModel(bytes: file.bytes())
      #expect(read == file)
      #expect(read.graph.labels.dropFirst() == Self.labels.filter { !$0.hasPrefix("_") }[...])
    }
  }

  @Test("are the same bytes every time")
  func deterministic() throws {
    let bytes = try (0..<2).map { _ in try Self.file(SampleModels.fisher(), .int8).bytes() }
    #expect(bytes[0] == bytes[1])
  }

  @Test("cut anywhere are refused")
  func truncated() throws {
    let bytes = try Self.file(SampleModels.hog(labels: ["hall", "tower"]), .int8).bytes()
    for count in stride(from: 0, to: bytes.count, by: 997) {
      #expect(throws: ONNXFault.self) { try ONNXModel(bytes: Array(bytes.prefix(count))) }
    }
  }

  @Test("with changed bytes trap nowhere, and are refused or differ")
  func damaged() throws {
    let file = try Self.file(SampleModels.hog(labels: ["hall", "tower"]), .int8)
    let bytes = file.bytes()
    var generator = SplitMix64(seed: 5)
    for round in 0..<400 {
      var damaged = bytes
      // Most of the file is weights; half of the rounds aim at what stands before and behind them.
      let at =
        round % 2 == 0
        ? Int.random(in: 0..<bytes.count, using: &generator)
        : Int.random(in: 0..<min(4000, bytes.count), using: &generator)
      damaged[at] = damaged[at] ^ UInt8.random(in: 1...255, using: &generator)
      #expect((try? ONNXModel(bytes: damaged)) != file)
    }
  }

  @Test("claims of huge shapes take no memory")
  func huge() throws {
    var file = try Self.file(SampleModels.hog())
    let huge = GraphTensor(shape: [1], values: [1])
    var nodes = file.graph.nodes
    nodes.insert(
      Graph.Node(
        name: "huge", operation: .constant(huge, format: .float32), inputs: [],
        shape: [1 << 40, 1 << 40]), at: nodes.count - 1)
    file.graph = Graph(nodes: nodes, labels: file.graph.labels, layout: .channelsFirst)
    #expect(file.graph.fault() != nil)
  }
}
