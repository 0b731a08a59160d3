import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaExport

/// Compiles and runs C exports.
@Suite("C export") struct CSourceTests {
  enum Kind: String, CaseIterable { case hog, fisher, detecting }

  static func model(_ kind: Kind, labels: [String] = ["hall", "_street", "tower", "_indoor"])
    -> Model
  {
    switch kind {
    case .hog: SampleModels.hog(labels: labels)
    case .fisher: SampleModels.fisher(labels: labels)
    case .detecting: SampleModels.detecting()
    }
  }

  static func probabilities(_ model: Model, _ square: RGBImage) throws -> [Double] {
    let shares = Softmax.probabilities(
      model.logits(try model.extractor.features(of: square)),
      temperature: model.calibration.temperature)
    return model.labels.exported(shares)
  }

  static func largestDifference(_ a: [Double], _ b: [Double]) -> Double {
    a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
  }

  /// Compares answers with the recognizer's.
  static func compare(_ model: Model, _ program: CProgram) throws {
    let squares = SampleSquares.tried.map { $0.image(side: model.recipe.inputSide) }
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
      let best = recognition.candidates.first?.probability ?? 0
      #expect(abs(answer.probability - best) < 1e-5)
    }
  }

  @Test(
    "Agrees with the recognizer without undefined behavior",
    .enabled(if: CProgram.isPossible, CProgram.missing), arguments: Kind.allCases,
    WeightFormat.allCases)
  func answers(kind: Kind, weights: WeightFormat) throws {
    let model = Self.model(kind)
    let program = try CProgram(
      try CSource(model: model, weights: weights), flags: CProgram.sanitized)
    try Self.compare(model.rounded(to: weights), program)
  }

  @Test(
    "Agrees for all vector widths",
    .enabled(if: CProgram.isPossible, CProgram.missing), arguments: Kind.allCases,
    [["-O3", "-march=native"], ["-O2", "-DCUPOLA_PLAIN"]])
  func vectors(kind: Kind, flags: [String]) throws {
    let model = Self.model(kind)
    let source = try CSource(model: model, weights: .float32)
    try Self.compare(model, try CProgram(source, flags: CProgram.strict + flags))
  }

  @Test("Supports other cell and block sizes", .enabled(if: CProgram.isPossible, CProgram.missing))
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
    "Supports models without backgrounds or buildings",
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

  @Test("Preserves any text", .enabled(if: CProgram.isPossible, CProgram.missing))
  func texts() throws {
    let labels = HostileTexts.all.filter { !$0.isEmpty }
    let model = Self.model(.hog, labels: ["_street"] + labels)
    let source = try CSource(model: model, weights: .int8)
    let texts = try CProgram(source).texts()
    #expect(texts.labels == [Graph.notACampusBuilding] + labels)
    #expect(texts.names.dropFirst() == labels[...])
  }

  @Test("Rejects texts that C does not support")
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

/// Texts that may cause problems in C or its comments.
enum HostileTexts {
  static let all = [
    "Old Library", "a/b\\c", "say \"hi\"", "*/ int main(void) { /*", "??=??/??'", "tab\tnew\nline",
    "caf\u{E9} \u{1F3DB}\u{FE0F}", "\u{5D1}\u{5D9}\u{5EA} \u{5E1}\u{5E4}\u{5E8}",
    "\u{202E}desrever",
    "%s%n", "1\u{0}2".replacing("\u{0}", with: "\u{1}"), "'", "#define X", "",
    String(repeating: "\u{6F22}", count: 200), "\u{80}\u{FF}7", "\u{1}7\u{7F}",
  ]
}

@Suite("C literals") struct CLiteralTests {
  @Test("Texts are plain ASCII without trigraphs", arguments: HostileTexts.all)
  func texts(text: String) {
    let literal = CLiteral.text(text)
    #expect(literal.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    #expect(!literal.contains("??") && !literal.contains("\\x"))
  }

  @Test("Writes a literal")
  func spelling() {
    #expect(CLiteral.text("a\"b\\c?\u{E9}1") == #""a\"b\\c\?\303\2511""#)
  }

  @Test(
    "Numbers survive a round trip",
    arguments: [0, 1, -0.1, 1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3])
  func numbers(value: Double) {
    #expect(Double(CLiteral.number(value)) == value)
    let float = Float(value)
    guard float.isFinite else { return }
    #expect(CLiteral.number(float).last == "f")
    #expect(Float(CLiteral.number(float).dropLast()) == float)
  }

  @Test("Writes infinity as in math.h")
  func infinities() {
    #expect(CLiteral.number(Double.infinity) == "INFINITY")
    #expect(CLiteral.number(-Double.infinity) == "-INFINITY")
  }
}

@Suite("C tables") struct CTableTests {
  static func tensor(_ count: Int) -> SafeTensors.Tensor {
    SafeTensors.Tensor(
      type: "I8", shape: [count],
      bytes: (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + 200) })
  }

  @Test("Writes a table")
  func spelling() {
    var text: [UInt8] = []
    CTable.append(Self.tensor(9), named: "a.b", to: &text)
    #expect(
      String(decoding: text, as: UTF8.self) == """
        CUPOLA_TABLE(a_b, I8, 1, 9) = {{
        0xcba6815c3712edc8,0x00000000000000f0
        }};

        """)
  }

  @Test("Words have the first byte in the lowest bits", arguments: Array(1...90))
  func words(count: Int) {
    var text: [UInt8] = []
    let tensor = Self.tensor(count)
    CTable.append(tensor, named: "t", to: &text)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst().dropLast()
    let words = lines.flatMap { $0.split(separator: ",") }.map {
      UInt64($0.dropFirst(2), radix: 16)
    }
    let bytes = words.flatMap { ($0 ?? 0).littleEndianBytes }
    #expect(Array(bytes.prefix(count)) == tensor.bytes)
    #expect(bytes.count == (count + 7) / 8 * 8 && bytes.dropFirst(count).allSatisfy { $0 == 0 })
  }
}
