import Cupola
import Foundation
import Testing

@testable import CupolaExport

@Suite("Core ML package") struct CoreMLPackageTests {
  static let metadata = CoreMLMetadata(
    description: "A test.", version: "1", author: "Cupola", license: "none",
    userDefined: ["labels": "[]", "orientation": "upright"])

  static func package(
    labels: [String] = SmallGraph.labels, weights: WeightFormat = .float32
  ) -> CoreMLPackage {
    CoreMLPackage(graph: SmallGraph.make(labels: labels, weights: weights), metadata: metadata)
  }

  @Test(
    "What is written is read: the same graph, the same texts",
    arguments: [
      WeightFormat.float32, .float16,
    ])
  func roundTrip(weights: WeightFormat) throws {
    let package = Self.package(weights: weights)
    let read = try CoreMLPackage(files: package.files())
    #expect(read.metadata == package.metadata)
    #expect(read.graph.labels == package.graph.labels)
    #expect(read.graph.nodes.count == package.graph.nodes.count)
    for (found, expected) in zip(read.graph.nodes, package.graph.nodes) {
      guard case .constant(let tensor, let wanted) = expected.operation else {
        #expect(found == expected)
        continue
      }
      guard case .constant(tensor, let format) = found.operation else {
        Issue.record("\(expected.name) is another constant")
        continue
      }
      #expect(found.name == expected.name)
      // Small constants stand in the program, in single precision.
      #expect(format == (tensor.values.count >= 512 ? wanted : .float32))
    }
  }

  @Test("Equal graphs are equal bytes, and read again and written they stay so")
  func determinism() throws {
    let files = try Self.package().files()
    #expect(try Self.package().files() == files)
    #expect(try CoreMLPackage(files: files).files() == files)
    #expect(Set(files.keys) == Set(CoreMLPackage.Path.all))
  }

  @Test("The interface is a picture in, a label and probabilities out")
  func interface() throws {
    let model = try ProtobufReader(
      try #require(Self.package().files()[CoreMLPackage.Path.model]))
    #expect(try model.integer(1) == 6)
    let description = try #require(try model.message(2))
    #expect(try description.string(11) == "classLabel")
    #expect(try description.string(12) == "classLabel_probs")
    let inputs = try description.messages(1)
    let image = try #require(try inputs[0].message(3)?.message(4))
    #expect(try inputs.count == 1 && inputs[0].string(1) == "image")
    #expect(try [1, 2, 3].map { try image.integer($0) } == [8, 8, 20])
    let userDefined = try #require(try description.message(100)?.entries(100))
    #expect(
      try userDefined["com.apple.coreml.model.preview.type"]?.string(2) == "imageClassifier")
    #expect(userDefined.count == 3)
  }

  @Test("weight.bin has a header, records and values where the format wants them")
  func weights() throws {
    let bytes = try #require(Self.package(weights: .float16).files()[CoreMLPackage.Path.weights])
    let weights = try CoreMLWeights(bytes: bytes)
    #expect(weights.offsets.contains(64))
    #expect(weights.offsets.allSatisfy { $0.isMultiple(of: 64) })
    #expect(Array(bytes[0..<8]) == [UInt8(weights.offsets.count), 0, 0, 0, 2, 0, 0, 0])
    #expect(Array(bytes[64..<68]) == [0xEF, 0xBE, 0xAD, 0xDE])
    #expect(Array(bytes[80..<88]) == [128, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test(
    "Labels of every kind survive",
    arguments: [
      "Main Hall", "a/b\\c", "🏛️ library", "المكتبة الرئيسية", "\u{202E}evil\u{202C}",
      "\"quoted\"\n",
      String(repeating: "é", count: 200), "classLabel",
    ])
  func labels(label: String) throws {
    let labels = [Graph.notACampusBuilding, label, "other"]
    let read = try CoreMLPackage(files: Self.package(labels: labels).files())
    #expect(read.graph.labels == labels)
  }

  @Test("Int8 weights are refused with the formats that there are")
  func int8() {
    let package = Self.package(weights: .int8)
    #expect(throws: CoreMLFault.int8Weights) { try package.files() }
    #expect(CoreMLFault.int8Weights.message.contains("float16 or float32"))
  }

  @Test("Names of packages are names of Swift classes")
  func names() throws {
    for name in ["Campus", "campus_2", "a"] { try CoreMLPackage.check(name: name) }
    for name in ["", "my-model", "2nd", "Größe", "class", "a b", "_a"] {
      #expect(throws: CoreMLFault.badName(name)) { try CoreMLPackage.check(name: name) }
    }
  }

  @Test("Nodes with names that the language keeps get others")
  func reservedNames() throws {
    let graph = SmallGraph.make()
    let names = ["string", "classLabel", "main"]
    let first = graph.nodes.count - 1 - names.count
    let nodes = graph.nodes.enumerated().map { index, node in
      let name = index >= first && index < first + names.count ? names[index - first] : node.name
      return Graph.Node(
        name: name, operation: node.operation, inputs: node.inputs, shape: node.shape)
    }
    let renamed = Graph(nodes: nodes, labels: graph.labels, layout: graph.layout)
    let files = try CoreMLPackage(graph: renamed, metadata: Self.metadata).files()
    #expect(
      try CoreMLPackage(files: files).graph.nodes.map(\.operation) == graph.nodes.map(\.operation))
  }

  @Test("The picture with its channels last is made where it is used")
  func channelsLast() throws {
    var builder = GraphBuilder(layout: .channelsFirst)
    let floats = builder.apply(.toFloat, [builder.input(side: 4)])
    let sums = builder.sum(builder.sum(floats, axis: 1), axis: 2)
    _ = builder.apply(.softmax, [builder.reshape(sums, [1, 3])])
    let graph = Graph(nodes: builder.nodes, labels: ["a", "b", "c"], layout: .channelsFirst)
    let files = try CoreMLPackage(graph: graph, metadata: Self.metadata).files()
    let read = try CoreMLPackage(files: files).graph
    #expect(
      read.nodes.map(\.operation.name) == [
        "input", "toFloat", "transpose", "transpose", "sum", "sum", "reshape", "softmax",
      ])
    #expect(read.nodes[3].operation == .transpose([0, 2, 3, 1]))
  }
}
