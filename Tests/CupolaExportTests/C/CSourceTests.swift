import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaExport

/// ``CSource``: written, compiled and run.
@Suite("C export") struct CSourceTests {
  enum Kind: String, CaseIterable { case hog, fisher }

  static func model(_ kind: Kind, labels: [String] = ["hall", "_street", "tower", "_indoor"])
    -> Model
  {
    switch kind {
    case .hog: SampleModels.hog(labels: labels)
    case .fisher: SampleModels.fisher(labels: labels)
    }
  }

  static func probabilities(_ model: Model, _ square: RGBImage) throws -> [Double] {
    let shares = Softmax.probabilities(
      model.classifier.logits(try model.extractor.features(of: square)),
      temperature: model.calibration.temperature)
    return model.labels.exported(shares)
  }

  static func largestDifference(_ a: [Double], _ b: [Double]) -> Double {
    a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
  }

  /// Compares answers with those of the recognizer.
  static func compare(_ model: Model, _ program: CProgram) throws {
    let squares = SampleSquares.allCases.map { $0.image(side: model.recipe.inputSide) }
    let answers = try program.answers(squares)
    try #require(answers.count == squares.count)
    let recognizer = Recognizer(model: model)
    for (square, answer) in zip(squares, answers) {
      let expected = try probabilities(model, square)
      #expect(largestDifference(answer.probabilities, expected) < 1e-5)
      let recognition = try recognizer.recognize(square)
      let verdicts: [Recognition.Verdict] = [.building, .notACampusBuilding, .unsure]
      #expect(verdicts[answer.verdict] == recognition.verdict)
      let buildings = model.labels.buildings.map { model.labels.names[$0] }
      let named = expected[1..<1 + buildings.count]
      #expect(answer.label == named.max().flatMap { named.firstIndex(of: $0) } ?? 0)
      if let label = recognition.label { #expect(buildings[answer.label - 1] == label) }
    }
  }

  @Test("Equal models give equal bytes", arguments: Kind.allCases, WeightFormat.allCases)
  func determinism(kind: Kind, weights: WeightFormat) throws {
    let first = try CSource(model: Self.model(kind), weights: weights)
    let second = try CSource(model: Self.model(kind), weights: weights)
    #expect(first.header == second.header && first.source == second.source)
  }

  @Test(
    "The program answers as the recognizer, and nothing is undefined",
    .enabled(if: CProgram.isPossible, CProgram.missing), arguments: Kind.allCases,
    WeightFormat.allCases)
  func answers(kind: Kind, weights: WeightFormat) throws {
    let model = Self.model(kind)
    let program = try CProgram(
      try CSource(model: model, weights: weights), flags: CProgram.sanitized)
    try Self.compare(model.rounded(to: weights), program)
  }

  @Test(
    "With any vectors the answers are the same",
    .enabled(if: CProgram.isPossible, CProgram.missing), arguments: Kind.allCases,
    [["-O3", "-march=native"], ["-O2", "-DCUPOLA_PLAIN"]])
  func vectors(kind: Kind, flags: [String]) throws {
    let model = Self.model(kind)
    let source = try CSource(model: model, weights: .float32)
    try Self.compare(model, try CProgram(source, flags: CProgram.strict + flags))
  }

  @Test("Cells and blocks of other sizes", .enabled(if: CProgram.isPossible, CProgram.missing))
  func sizes() throws {
    var hog = HOG.standard
    (hog.cellSize, hog.blockSize, hog.orientations) = (6, 3, 7)
    var recipe = Recipe.hog
    (recipe.inputSide, recipe.features) = (64, .hog(hog))
    var model = SampleModels.hog()
    var generator = SplitMix64(seed: 1)
    model = Model(
      recipe: recipe, extractor: FeatureExtractor(hog: hog), labels: model.labels,
      classifier: .softmax(
        LinearClassifier(
          weights: generator.matrix(4, recipe.featureCount), biases: [0, 0, 0, 0])),
      calibration: model.calibration, campus: nil, provenance: model.provenance)
    let source = try CSource(model: model, weights: .float32)
    try Self.compare(model, try CProgram(source, flags: CProgram.sanitized))
  }

  @Test(
    "A model without backgrounds, and one without buildings",
    .enabled(if: CProgram.isPossible, CProgram.missing),
    arguments: [
      ["hall", "tower"], ["_a", "_b"], ["_a", "hall", "tower", "_unfamiliar"],
      ["hall", "_unfamiliar"],
    ])
  func oneSided(labels: [String]) throws {
    let model = Self.model(.hog, labels: labels)
    let source = try CSource(model: model, weights: .float32)
    try Self.compare(model, try CProgram(source))
  }

  @Test("Any text survives", .enabled(if: CProgram.isPossible, CProgram.missing))
  func texts() throws {
    let labels = HostileTexts.all.filter { !$0.isEmpty }
    let model = Self.model(.hog, labels: ["_street"] + labels)
    let source = try CSource(model: model, weights: .int8)
    let texts = try CProgram(source).texts()
    #expect(texts.labels == [Graph.notACampusBuilding] + labels)
    #expect(texts.names.dropFirst() == labels[...])
  }

  @Test("What C cannot hold is refused")
  func refusals() {
    let labels = [
      "a\u{0}b", String(repeating: "a", count: 1001), Graph.notACampusBuilding,
    ]
    let faults: [ExportError] = [
      .textForC(labels[0]), .textForC(labels[1]), .reservedLabel(labels[2]),
    ]
    for (label, fault) in zip(labels, faults) {
      #expect(throws: fault) {
        try CSource(model: Self.model(.hog, labels: ["x", label]), weights: .float32)
      }
    }
  }
}
