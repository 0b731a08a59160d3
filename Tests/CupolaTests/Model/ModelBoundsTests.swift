import CupolaTestSupport
import Testing

@testable import Cupola

/// Crafted files with a valid digest.
@Suite("Model bounds") struct ModelBoundsTests {
  private static func expectRefused(_ bytes: [UInt8], _ words: String) {
    let error = #expect(throws: CupolaError.self) { try Model(bytes: bytes) }
    #expect(error?.message.contains(words) == true, "\(words): \(error?.message ?? "")")
  }

  @Test(
    "Weights that allow excessive logits are rejected",
    arguments: [Float.greatestFiniteMagnitude, -3e38, 1e7, 300_000])
  func weights(value: Float) throws {
    let features = SampleModel.recipe.featureCount
    var weights = Matrix(rows: 3, columns: features)
    for column in 0..<features { weights[1, column] = value }
    let model = try SampleModel.model(weights: weights)
    Self.expectRefused(try model.bytes(), "tensor classifier.weight")
    var biased = try SampleModel.model()
    biased.classifier = .softmax(
      LinearClassifier(
        weights: biased.classifier.front.weights, biases: [0, 0, value * 10]))
    Self.expectRefused(try biased.bytes(), "tensor classifier.")
  }

  @Test("Scales that allow excessive weights are rejected")
  func scales() throws {
    let bytes = try WeightFormatTests.edited(.int8) {
      $0.tensors["classifier.scale"] = .init(floats: [1, 2e5, 1], shape: [3])
    }
    Self.expectRefused(bytes, "tensor classifier.weight")
  }

  @Test("Feature tensors with excessive values are rejected", arguments: FisherModelTests.names)
  func features(name: String) throws {
    let sound = try #require(SafeTensors(bytes: SampleFisher.model().bytes()).tensors[name])
    let count = try #require(sound.floats ?? sound.halves).count
    let isPositive = name.hasSuffix("weights") || name.hasSuffix("variances")
    for value: Float in isPositive ? [3e38, 1e5, 1e-38, 1e-12] : [3e38, -3e38, 1e5] {
      let bytes = try FisherModelTests.edited {
        $0.tensors[name] = .init(
          floats: [Float](repeating: value, count: count), shape: sound.shape)
      }
      Self.expectRefused(bytes, "tensor \(name) has values")
    }
  }

  @Test("Centroids with excessive values are rejected")
  func centroids() throws {
    var file = try SafeTensors(bytes: try SampleRetrieval.model().bytes())
    let sound = try #require(file.tensors["retrieval.centroids"])
    let count = sound.shape.reduce(1, *)
    file.tensors["retrieval.centroids"] = .init(
      floats: [Float](repeating: 3e38, count: count), shape: sound.shape)
    Self.expectRefused(try ModelSeal.bytes(of: file), "tensor retrieval.centroids")
  }

  private static func expectRefused(_ key: String, _ text: String, _ other: String, _ words: String)
    throws
  {
    let sound = try SafeTensors(bytes: SampleModel.model().bytes()).metadata[key]
    try #require(sound?.contains(text) == true, "\(sound ?? "")")
    let bytes = try ModelFileTests.edited {
      $0.metadata[key] = sound?.replacing(text, with: other)
    }
    expectRefused(bytes, words)
  }

  @Test(
    "Recipe values out of bounds are rejected",
    arguments: [
      (#""clip":0.2"#, #""clip":3e38"#, "a clip of"),
      (#""firstEpsilon":1"#, #""firstEpsilon":1e-40"#, "an epsilon of"),
      (#""firstEpsilon":1"#, #""firstEpsilon":3e38"#, "an epsilon of"),
      (#""secondEpsilon":0.0"#, #""secondEpsilon":1e30,"x":0.0"#, "an epsilon of"),
      (
        #""trainingGeometries":["#,
        #""trainingGeometries":[\#(String(repeating: #""squash","#, count: 100))"#, "geometries"
      ),
      (#""trainingGeometries":["#, #""trainingGeometries":[],"x":["#, "0 geometries"),
      (#""inputSide":32"#, #""inputSide":2050"#, "input side of 2050"),
      (
        #""inputSide":32"#, #""inputSide":1024"#, "tensor classifier.weight is"
      ),
    ])
  func recipes(text: String, other: String, words: String) throws {
    try Self.expectRefused("recipe", text, other, words)
  }

  @Test("A recipe with too many features is rejected before its tensors")
  func manyFeatures() throws {
    let recipe = try jsonText(SampleModel.recipe)
      .replacing(#""inputSide":32"#, with: #""inputSide":1024"#)
      .replacing(#""cellSize":8"#, with: #""cellSize":2"#)
      .replacing(#""orientations":9"#, with: #""orientations":64"#)
    let bytes = try ModelFileTests.edited { $0.metadata["recipe"] = recipe }
    Self.expectRefused(bytes, "feature vector of")
  }

  @Test("Fisher recipes with too many patches are rejected", arguments: [8, 1])
  func work(sides: Int) throws {
    let sound = SampleFisher.model().recipe
    var settings = SampleFisher.settings
    settings.sides = [Int](repeating: 1024, count: sides)
    settings.step = 2
    settings.components = sides == 1 ? 1024 : 8
    var recipe = sound
    recipe.inputSide = 1024
    recipe.features = .fisher(settings)
    let bytes = try FisherModelTests.edited { $0.metadata["recipe"] = try jsonText(recipe) }
    Self.expectRefused(bytes, "patches")
    settings = SampleFisher.settings
    settings.colorWeight = 1e30
    recipe = .fisher(settings)
    let colored = try FisherModelTests.edited { $0.metadata["recipe"] = try jsonText(recipe) }
    Self.expectRefused(colored, "a color weight of 1e+30")
  }

  @Test(
    "Temperatures out of bounds are rejected",
    arguments: ["1e-300", "1e300", "0.00001", "100000"])
  func temperatures(value: String) throws {
    try Self.expectRefused(
      "calibration", #""temperature":1"#, #""temperature":\#(value)"#,
      "invalid calibration temperature")
  }

  @Test(
    "Error curves out of bounds are rejected",
    arguments: [
      ("not_buildings", #"{"photos":9,"scores":[1e300]}"#, "has an invalid score of 1e+300"),
      ("not_buildings", #"{"photos":9,"scores":[700.1,0]}"#, "has an invalid score of 700.1"),
      (
        "unknown_buildings", #"{"photos":9,"scores":[0,-1e308]}"#, "has an invalid score of -1e+308"
      ),
      ("wrong_names", #"{"photos":9,"scores":[1.000001]}"#, "has an invalid score of 1.000001"),
      ("wrong_names", #"{"photos":9,"scores":[0.5,-0.000001]}"#, "has an invalid score of -1e-06"),
      (
        "wrong_names", #"{"photos":9223372036854775807,"scores":[]}"#,
        "has an invalid count of 9223372036854775807"
      ),
      ("unknown_buildings", #"{"photos":-1,"scores":[]}"#, "has an invalid count of -1 photos"),
      ("not_buildings", #"{"photos":1,"scores":[2,1]}"#, "has 2 scores for 1 photos"),
      ("not_buildings", #"{"photos":9,"scores":[1,2]}"#, "is not sorted"),
      (
        "not_buildings", #"{"photos":9,"scores":[],"sessions":10,"session_photos":[]}"#,
        "has an invalid count of 10 sessions"
      ),
      (
        "not_buildings", #"{"photos":9,"scores":[],"sessions":0,"session_photos":[]}"#,
        "has an invalid count of 0 sessions"
      ),
      ("wrong_names", #"{"photos":9,"scores":[],"sessions":3}"#, "has an invalid count of 3"),
      (
        "wrong_names", #"{"photos":9,"scores":[0.5],"sessions":3,"session_photos":[]}"#,
        "has invalid session_photos"
      ),
      (
        "wrong_names", #"{"photos":9,"scores":[0.5],"sessions":3,"session_photos":[0]}"#,
        "has invalid session_photos"
      ),
    ])
  func curves(name: String, curve: String, words: String) throws {
    let bytes = try ModelFileTests.edited {
      $0.metadata["calibration"] = #"{"temperature":1,"\#(name)":\#(curve)}"#
    }
    Self.expectRefused(bytes, "error curve \(name) \(words)")
  }

  @Test("An error curve with too many scores is rejected")
  func manyScores() throws {
    let scores = [String](repeating: "0.5", count: ErrorCurve.mostScores + 1)
    let bytes = try ModelFileTests.edited {
      $0.metadata["calibration"] =
        #"{"temperature":1,"wrong_names":{"photos":9999,"scores":[\#(scores.joined(separator: ","))]}}"#
    }
    Self.expectRefused(bytes, "error curve wrong_names has 513 scores")
  }

  @Test("Error curves of extreme scores survive a round trip")
  func extremes() throws {
    let scores: [[Double]] = [
      [], [.infinity, -.infinity], [.greatestFiniteMagnitude, 1e-300, -0.0, 0],
      [Double](repeating: 0.999_999_9, count: 600),
    ]
    for wrong in scores {
      var model = try SampleModel.model()
      model.calibration.notBuildings = ErrorCurve(photos: wrong.count, wrong: wrong)
      model.calibration.unknownBuildings = ErrorCurve(photos: wrong.count, wrong: wrong)
      model.calibration.wrongNames = ErrorCurve(
        photos: 1_000_000_000, wrong: wrong.map { min(max($0, 0), 1) })
      #expect(try Model(bytes: try model.bytes()) == model)
    }
  }

  @Test("A rate outside 0...1 is rejected", arguments: ["1e308", "-0.5", "1.01"])
  func rates(value: String) throws {
    try Self.expectRefused(
      "calibration", #""false_rejection_rate":0.01"#, #""false_rejection_rate":\#(value)"#,
      "false_rejection_rate")
  }

  @Test(
    "Provenance values out of bounds are rejected",
    arguments: [
      (#""hall":3"#, #""hall":9223372036854775807"#, "in photos"),
      (#""hall":3"#, #""hall":-1"#, "in photos"),
      (#""capture_days":{}"#, #""capture_days":{"hall":9223372036854775807}"#, "capture_days"),
      (
        #""out_of_fold_recall":{}"#,
        #""out_of_fold_recall":{"hall":{"right":1,"asked":9223372036854775807}}"#,
        "out_of_fold_recall"
      ),
      (
        #""out_of_fold_rounding":{}"#,
        """
        "out_of_fold_rounding":{"int8":{"asked":9,"changed":-9,"of_buildings":1,"right_before":1,\
        "right_after":1}}
        """, "out_of_fold_rounding"
      ),
      (#""regularisation":0.5"#, #""regularisation":1e308"#, "invalid regularisation of"),
      (#""regularisation":0.5"#, #""regularisation":0"#, "invalid regularisation of"),
      (#""regularisation":0.5"#, #""regularisation":1e-300"#, "invalid regularisation of"),
      (
        #""regularisation":0.5"#, #""regularisation":0.5,"whitening":1e300"#, "invalid whitening of"
      ),
      (#""regularisation":0.5"#, #""regularisation":0.5,"whitening":1.5"#, "invalid whitening of"),
      (#""regularisation":0.5"#, #""regularisation":0.5,"whitening":0"#, "invalid whitening of"),
      (#""regularisation":0.5"#, #""regularisation":0.5,"whitening":1e-9"#, "invalid whitening of"),
    ])
  func provenance(text: String, other: String, words: String) throws {
    try Self.expectRefused("provenance", text, other, words)
  }

  @Test("250,000 tensors are rejected")
  func tensors() throws {
    let entries = (0..<250_000).map {
      #""t\#($0)":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"#
    }
    let texts = #""__metadata__":{"format":"cupola.model","map":"{{{\"{{"}"#
    let header = Array("{\(texts),\(entries.joined(separator: ","))}".utf8)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header
    let time = processorTime { Self.expectRefused(bytes, "more than 256 tensors") }
    #expect(time < .seconds(1), "\(time)")
  }
}
