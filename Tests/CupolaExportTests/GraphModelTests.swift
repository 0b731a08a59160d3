import Cupola
import CupolaTestSupport
import CupolaTraining
import Testing

@testable import CupolaExport

/// Compares model graphs with the recognizer.
@Suite("Model graphs") struct GraphModelTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let model: @Sendable () -> Model
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "hog") { SampleModels.hog() },
    Case(name: "hog without backgrounds") { SampleModels.hog(labels: ["hall", "tower"]) },
    Case(name: "hog of one building") { SampleModels.hog(labels: ["_street", "tower"]) },
    Case(name: "fisher, even and odd sides") { SampleModels.fisher() },
    Case(name: "fisher, one side") { SampleModels.fisher(sides: [40], labels: ["hall", "tower"]) },
    Case(name: "fisher, steps of 6") { SampleModels.fisher(sides: [64, 45, 32], step: 6) },
    Case(name: "fisher, a side smaller than the picture") {
      SampleModels.fisher(sides: [32, 47, 48], step: 8)
    },
    Case(name: "fisher, a side without patches") { SampleModels.fisher(sides: [40, 16]) },
    Case(name: "fisher with a novelty detector") { SampleModels.detecting() },
  ]

  /// The expected probabilities: the sum of the backgrounds, then the buildings.
  static func expected(_ model: Model, _ image: RGBImage) throws -> [Double] {
    let logits = model.logits(try model.extractor.features(of: image))
    let all = Softmax.probabilities(logits, temperature: model.calibration.temperature)
    return model.labels.exported(all)
  }

  static func difference(_ a: [Double], _ b: [Float]) -> Double {
    a.count == b.count ? zip(a, b).map { abs($0 - Double($1)) }.max() ?? 0 : .infinity
  }

  @Test(
    "Agree with the recognizer", arguments: cases,
    [GraphLayout.channelsFirst, .channelsLast])
  func parity(sample: Case, layout: GraphLayout) throws {
    let model = sample.model()
    let graph = try Graph(model: model, layout: layout, weights: .float32)
    #expect(graph.fault == nil)
    let interpreter = GraphInterpreter(graph)
    for square in SampleSquares.tried {
      let image = square.image(side: model.recipe.inputSide)
      let found = interpreter.probabilities(of: image)
      let difference = Self.difference(try Self.expected(model, image), found)
      // Deviations of flat cells are square roots of rounding errors, which differ.
      #expect(difference <= 1e-4, "\(square): \(difference)")
    }
  }

  @Test(
    "Agree with the rounded model", arguments: WeightFormat.allCases,
    [GraphLayout.channelsFirst, .channelsLast])
  func weights(format: WeightFormat, layout: GraphLayout) throws {
    for model in [SampleModels.hog(), SampleModels.fisher()] {
      let graph = try Graph(model: model, layout: layout, weights: format)
      let image = SampleSquares.lines.image(side: model.recipe.inputSide)
      let found = GraphInterpreter(graph).probabilities(of: image)
      let difference = Self.difference(
        try Self.expected(model.rounded(to: format), image), found)
      #expect(difference <= 1e-5)
    }
  }

  @Test("Agree with the recognizer for the sample campus", .enabled(if: Repository.hasSampleModel))
  func sampleCampus() throws {
    let model = try Model(contentsOf: Repository.sampleModel)
    let photos = try PhotoSet(root: Repository.sampleCampus).photos(for: [.test])
    for layout in [GraphLayout.channelsFirst, .channelsLast] {
      let interpreter = GraphInterpreter(
        try Graph(model: model, layout: layout, weights: .float32))
      for photo in photos.prefix(6) {
        let bytes = try FileAccess.read(photo.path)
        let decoded = try model.recipe.decode(PhotoDecoder().open(bytes))
        let image = model.recipe.prepare(decoded, geometry: model.recipe.geometry)
        let found = interpreter.probabilities(of: image)
        let difference = Self.difference(try Self.expected(model, image), found)
        #expect(difference <= 1e-4, "\(photo.path): \(difference)")
      }
    }
  }

  @Test("Have no subnormal shares or products")
  func subnormal() throws {
    let model = SampleModels.fisher(variances: 0.002...0.01)
    let graph = try Graph(model: model, layout: .channelsFirst, weights: .float32)
    let image = SampleSquares.lines.image(side: model.recipe.inputSide)
    var least = Float.infinity
    let found = GraphInterpreter(graph).probabilities(of: image) { node, values in
      let isAnySubnormal = values.contains { $0.isSubnormal }
      #expect(!isAnySubnormal, "\(node.operation)")
      if node.operation == .softmax { least = min(least, values.min() ?? 0) }
    }
    #expect(least < 1e-29)
    #expect(Self.difference(try Self.expected(model, image), found) <= 1e-5)
  }

  @Test("The first label combines all backgrounds")
  func labels() throws {
    let graph = try Graph(
      model: SampleModels.hog(), layout: .channelsFirst, weights: .float32)
    #expect(graph.labels == ["not_a_campus_building", "hall", "tower"])
    #expect(graph.nodes.last?.shape == [1, 3])
  }

  @Test("The last label is the unknown building")
  func unknown() throws {
    let model = SampleModels.hog(labels: ["hall", "_unfamiliar", "_street", "tower"])
    let graph = try Graph(model: model, layout: .channelsFirst, weights: .float32)
    #expect(graph.labels == ["not_a_campus_building", "hall", "tower", "unknown_building"])
    let image = SampleSquares.lines.image(side: model.recipe.inputSide)
    let found = GraphInterpreter(graph).probabilities(of: image)
    #expect(Self.difference(try Self.expected(model, image), found) <= 1e-5)
  }

  @Test("Are deterministic and have unique node names")
  func names() throws {
    let graphs = try (0..<2).map { _ in
      try Graph(model: SampleModels.fisher(), layout: .channelsLast, weights: .int8)
    }
    #expect(graphs[0] == graphs[1])
    #expect(Set(graphs[0].nodes.map(\.name)).count == graphs[0].nodes.count)
    let plain = graphs[0].nodes.allSatisfy { node in
      node.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
    #expect(plain)
  }

  @Test(
    "Reject reserved labels",
    arguments: ["not_a_campus_building", "unknown_building"])
  func reserved(label: String) {
    let model = SampleModels.hog(labels: [label, "hall"])
    #expect(throws: ExportError.reservedLabel(label)) {
      try Graph(model: model, layout: .channelsFirst, weights: .float32)
    }
  }

  @Test("Reject retrieval classifiers, as do C exports")
  func retrieval() {
    let model = SampleModels.retrieval()
    #expect(throws: ExportError.retrieval) {
      try Graph(model: model, layout: .channelsFirst, weights: .float32)
    }
    #expect(throws: ExportError.retrieval) { try CSource(model: model, weights: .float32) }
  }

  @Test("Reject features without patches, as do C exports")
  func noPatches() {
    let model = SampleModels.fisher(sides: [16])
    #expect(throws: ExportError.pictureTooSmall) {
      try Graph(model: model, layout: .channelsFirst, weights: .float32)
    }
    #expect(throws: ExportError.pictureTooSmall) { try CSource(model: model, weights: .float32) }
  }

  @Test("Reject classifiers that exceed the file size limit")
  func sizes() throws {
    let most = 2_000 << 20
    for (format, count) in [(WeightFormat.float32, most / 4), (.float16, most / 2), (.int8, most)] {
      try Graph.check(weights: count, as: format)
      #expect(throws: ExportError.self) { try Graph.check(weights: count + 1, as: format) }
    }
  }
}
