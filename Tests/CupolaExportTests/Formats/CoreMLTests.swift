import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaExport

@Suite("Core ML package") struct CoreMLPackageTests {
  static func package(
    _ graph: Graph = SmallGraph.make(), model: Model = SampleModels.hog(), halves: Bool = false
  ) -> CoreMLPackage {
    CoreMLPackage(
      graph: graph, notes: ExportNotes(model, source: [1]), computesHalves: halves)
  }

  static func file(_ path: String, of package: CoreMLPackage) throws -> [UInt8] {
    try #require(package.files().first { $0.path == path }).bytes
  }

  static func model(_ package: CoreMLPackage) throws -> ProtobufMessage {
    ProtobufMessage(try file(CoreMLPackage.Path.model, of: package))
  }

  /// The operations of the program: type, name and message.
  static func operations(
    _ package: CoreMLPackage
  ) throws -> [(type: String, name: String, message: ProtobufMessage)] {
    try model(package).first(502, 2, 2, 3, 2).messages(3).map {
      ($0.texts(1).first ?? "", $0.first(3).texts(1).first ?? "", $0)
    }
  }

  static func labels(_ package: CoreMLPackage) throws -> [String] {
    let classify = try #require(try operations(package).last { $0.type == "classify" }).message
    let classes = classify.messages(2).first { $0.texts(1) == ["classes"] }
    return (classes?.first(2, 1, 2, 3, 3).messages(1) ?? []).compactMap {
      $0.first(3, 1, 4).texts(1).first
    }
  }

  @Test("Has a picture as input, and a label and probabilities as outputs")
  func interface() throws {
    let model = try Self.model(Self.package())
    #expect(model.integers[1] == [6])
    let description = model.first(2)
    #expect(description.texts(11) == ["classLabel"])
    #expect(description.texts(12) == ["classLabel_probs"])
    #expect(description.messages(1).map { $0.texts(1) } == [["image"]])
    let image = description.first(1, 3, 4)
    #expect([1, 2, 3].map { image.integers[$0] } == [[8], [8], [20]])
    #expect(description.messages(10).map { $0.texts(1) } == [["classLabel"], ["classLabel_probs"]])
  }

  @Test("The metadata has the data that apps need")
  func metadata() throws {
    let metadata = try Self.model(Self.package(model: SampleModels.fisher())).first(2, 100)
    let texts = metadata.entries(100)
    #expect(texts["com.apple.coreml.model.preview.type"] == "imageClassifier")
    #expect(texts["labels"] == #"["not_a_campus_building","hall","tower"]"#)
    #expect(texts["decision"]?.contains("least_share") == true)
    #expect(texts["input"]?.contains("squash") == true)
    #expect(texts["weights"] == "float32")
    #expect(metadata.texts(2).first?.count == 12)
  }

  @Test("weight.bin follows the format")
  func weights() throws {
    // Each constant has a record of 64 bytes with the offset of its values.
    let values = (0..<600).map { Float($0) / 8 }
    var weights = CoreMLWeights()
    for element in [CoreMLWeights.Element.float16, .float32] {
      let format: WeightFormat = element == .float16 ? .float16 : .float32
      let constant = StoredConstant(GraphTensor(shape: [600], values: values), as: format)
      let record = weights.append(constant.bytes, as: element)
      #expect(record == (element == .float16 ? 64 : 1344))
    }
    let bytes = weights.bytes
    func words(_ place: Int) -> [Int] {
      stride(from: place, to: place + 24, by: 4).map { at in
        bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
    }
    #expect(Array(bytes[0..<8]) == [2, 0, 0, 0, 2, 0, 0, 0])
    #expect(words(64) == [0xDEAD_BEEF, 1, 1200, 0, 128, 0])
    #expect(words(1344) == [0xDEAD_BEEF, 2, 2400, 0, 1408, 0])
    #expect(bytes.count == 1408 + 2400)
    // 599 / 8 in half and single precision.
    #expect(Array(bytes[1326..<1328]) == [0xAE, 0x54])
    #expect(Array(bytes.suffix(4)) == [0x00, 0xC0, 0x95, 0x42])
  }

  @Test("Casts large half-precision constants, but not kernels")
  func halves() throws {
    let graph = SmallGraph.make(weights: .float16)
    #expect(try Self.operations(Self.package(graph)).count { $0.type == "cast" } == 1)
    #expect(try !Self.operations(Self.package()).contains { $0.type == "cast" })
  }

  /// The type of an operation's value: 10 in half precision, 11 in single precision.
  private static func type(_ operation: ProtobufMessage) -> Int? {
    operation.first(3, 2, 1).integers[1]?.first
  }

  @Test("Computes products that tolerate it in half precision, if requested")
  func halfProducts() throws {
    let model = SampleModels.detecting().rounded(to: .float16)
    let graph = try Graph(model: model, layout: .channelsFirst, weights: .float16)
    var counts: [Int] = []
    for halves in [false, true] {
      let package = Self.package(graph, model: model, halves: halves)
      let operations = try Self.operations(package)
      let products = operations.filter { $0.type == "matmul" }
      // Projections and scores of HOG patches, classifier and novelty detector.
      #expect(products.count { Self.type($0.message) == 10 } == (halves ? 4 : 0))
      #expect(products.count { Self.type($0.message) == 11 } > 4)
      // All other operations, including the one after a product, get numbers in single precision.
      let others = operations.filter { !["const", "cast", "matmul", "classify"].contains($0.type) }
      #expect(others.allSatisfy { Self.type($0.message) == 11 })
      let names = Set(operations.map(\.name))
      #expect(
        names.count == operations.count && names.isSuperset(of: graph.nodes.suffix(5).map(\.name)))
      counts.append(try Self.file(CoreMLPackage.Path.weights, of: package).count)
    }
    // The same constants are stored in half precision.
    #expect(counts[0] == counts[1])
  }

  @Test("Computes scores in single precision if they could exceed half precision")
  func largeScores() throws {
    for (variances, halves) in [(0.2...1.5, 3), (0.000_01...0.000_02, 2)]
      as [(ClosedRange<Float>, Int)]
    {
      let model = SampleModels.fisher(variances: variances)
      let graph = try Graph(model: model, layout: .channelsFirst, weights: .float16)
      let products = graph.nodes.count {
        $0.operation == .product(transposeA: false, transposeB: true, half: true)
      }
      #expect(products == halves)
    }
  }

  @Test("Uses half-precision weights without casts, unless they exceed its range")
  func halfWeights() throws {
    // Of the features to half precision, and of the logits back; not of the weights.
    let small = Self.package(SmallGraph.make(weights: .float16), halves: true)
    #expect(try Self.operations(small).count { $0.type == "cast" } == 2)
    var builder = GraphBuilder(layout: .channelsFirst)
    let picture = builder.reshape(builder.picture(side: 2), [1, 12])
    let large = builder.constant([Float](repeating: 70_000, count: 24), shape: [2, 12])
    _ = builder.apply(.softmax, [builder.product(picture, large, transposeB: true, half: true)])
    let graph = Graph(nodes: builder.nodes, labels: ["a", "b"], layout: .channelsFirst)
    let operations = try Self.operations(Self.package(graph, halves: true))
    #expect(!operations.contains { $0.type == "cast" })
  }

  @Test(
    "Preserves labels of all kinds",
    arguments: [
      "Main Hall", "a/b\\c", "🏛️ library", "المكتبة الرئيسية", "\u{202E}evil\u{202C}",
      "\"quoted\"\n",
      String(repeating: "é", count: 200), "classLabel",
    ])
  func labels(label: String) throws {
    let labels = [Graph.notACampusBuilding, label, "other"]
    #expect(try Self.labels(Self.package(SmallGraph.make(labels: labels))) == labels)
  }

  @Test("Renames nodes with reserved names")
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
    let operations = try Self.operations(Self.package(renamed))
    #expect(operations.map(\.type) == (try Self.operations(Self.package(graph)).map(\.type)))
    let found = Set(operations.dropLast().map(\.name))
    #expect(found.isDisjoint(with: names))
    #expect(found.isSuperset(of: names.map { $0 + "1" }))
  }

  @Test("Transposes the picture where needed")
  func channelsLast() throws {
    var builder = GraphBuilder(layout: .channelsFirst)
    let floats = builder.apply(.toFloat, [builder.input(side: 4)])
    let sums = builder.sum(builder.sum(floats, axis: 1), axis: 2)
    _ = builder.apply(.softmax, [builder.reshape(sums, [1, 3])])
    let graph = Graph(nodes: builder.nodes, labels: ["a", "b", "c"], layout: .channelsFirst)
    let operations = try Self.operations(Self.package(graph)).map(\.type).filter { $0 != "const" }
    #expect(
      operations == ["transpose", "reduce_sum", "reduce_sum", "reshape", "softmax", "classify"])
  }
}

@Suite("Core ML exports of models") struct CoreMLExportTests {
  @Test("Rejects int8")
  func int8() throws {
    let source = try SampleModels.hog().bytes()
    #expect(throws: ExportError.weights(.int8, [.float32, .float16])) {
      try ModelExport(source: source, format: .coreml, weights: .int8)
    }
  }

  @Test("Half precision has its own tolerance in the test and in the guide")
  func tolerance() throws {
    let source = try SampleModels.hog().bytes()
    for (weights, tolerance, words) in [
      (WeightFormat.float32, 1e-4, "single precision,\n  on CPU and GPU"),
      (.float16, 5e-3, "Probabilities\n  differ from Cupola's by at most 0.005"),
    ] {
      let export = try ModelExport(source: source, format: .coreml, weights: weights)
      func file(_ path: String) throws -> [UInt8] {
        try #require(export.files.first { $0.path == path }).bytes
      }
      let expected = try JSONReader.value(of: try file(GoldenPictures.expectedPath))
      guard case .object(let members) = expected else {
        Issue.record("expected.json is not an object")
        continue
      }
      #expect(members["tolerance"]?.double == tolerance)
      #expect(String(decoding: try file("README.md"), as: UTF8.self).contains(words))
      // The program in half precision has operations of that type.
      let model = ProtobufMessage(
        try file(CoreMLPackage.folder + "/" + CoreMLPackage.Path.model))
      let types = model.first(502, 2, 2, 3, 2).messages(3).filter { $0.texts(1) == ["matmul"] }
        .map { $0.first(3, 2, 1).integers[1]?.first }
      #expect(types.contains(10) == (weights == .float16))
    }
  }

  @Test("Does not include large maps in the package")
  func largeMap() throws {
    for (count, isInside) in [(1, true), (1 << 20, false)] {
      var model = SampleModels.hog()
      let map = """
        {"type":"Feature","properties":{"role":"boundary","name":"\(String(repeating: "x", count: count))"},
         "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}
        """
      model.campus = try Campus(geoJSON: Array(map.utf8))
      let texts = try CoreMLPackageTests.model(CoreMLPackageTests.package(model: model))
        .first(2, 100).entries(100)
      #expect((texts[ExportNotes.campusKey] != nil) == isInside)
    }
  }
}
