import Cupola
internal import DrawnPictures

/// Three pictures of a model's size with the answers that an app must get: to try it with.
struct GoldenPictures {
  /// The file of the answers.
  static let expectedPath = "golden/expected.json"

  /// Square, of the size that the recipe asks for.
  let images: [RGBImage]
  /// One a picture: the probabilities of the export's labels.
  let probabilities: [[Double]]

  /// Always the same pictures; the answers are the recognizer's.
  init(_ model: Model) throws {
    let side = model.recipe.inputSide
    images = try DrawnPictures.samples().map { drawn in
      AreaResampler.resize(
        drawn, region: Region(x: 0, y: 0, width: drawn.width, height: drawn.height),
        width: side, height: side)
    }
    probabilities = try images.map { try Self.answer(model, $0) }
  }

  /// Probabilities by the picture alone: backgrounds, buildings, and an unknown one.
  static func answer(_ model: Model, _ image: RGBImage) throws -> [Double] {
    let logits = model.classifier.logits(try model.extractor.features(of: image))
    let all = Softmax.probabilities(logits, temperature: model.calibration.temperature)
    return model.labels.exported(all)
  }

  /// The label of each answer.
  func labels(_ names: [String]) -> [String] {
    probabilities.map { answer in
      let best = answer.indices.max { answer[$0] < answer[$1] } ?? 0
      return names[best]
    }
  }

  /// The files below `golden`: pictures, and what to expect of them.
  func files(labels names: [String], tolerance: Double) -> [ExportFile] {
    let pictures = images.enumerated().map { index, image in
      ExportFile(path: Self.path(index), bytes: PNG.bytes(of: image))
    }
    let answers = zip(labels(names), probabilities).enumerated().map { index, answer in
      JSONValue.object([
        "file": .string(Self.name(index)), "label": .string(answer.0),
        // More digits than single precision has would only look exact.
        "probabilities": .array(answer.1.map { .number(($0 * 1e7).rounded() / 1e7) }),
      ])
    }
    let expected = JSONValue.object([
      "schema": .string("cupola.golden/1"), "labels": .array(names.map(JSONValue.string)),
      "pictures": .array(Array(answers)), "tolerance": .number(tolerance),
    ])
    return pictures + [
      ExportFile(path: Self.expectedPath, bytes: JSONWriter.bytes(of: expected) + [0x0A])
    ]
  }

  private static func name(_ index: Int) -> String { String(index + 1) + ".png" }
  private static func path(_ index: Int) -> String { "golden/" + name(index) }
}
