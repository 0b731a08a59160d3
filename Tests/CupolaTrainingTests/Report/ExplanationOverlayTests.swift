import Cupola
import Testing

@testable import CupolaTraining

@Suite("Explanation overlay") struct ExplanationOverlayTests {
  private static func model(_ labels: [String]) -> Model {
    var recipe = Recipe.hog
    recipe.inputSide = 64
    var weights = Matrix(rows: labels.count, columns: recipe.featureCount)
    for feature in 0..<recipe.featureCount {
      if [0, 8].contains(feature % 9) { weights[0, feature] = 10 }
      if feature % 9 == 4 { weights[1, feature] = 10 }
    }
    return Model(
      recipe: recipe, extractor: FeatureExtractor(hog: .standard), labels: Labels(labels),
      classifier: .softmax(
        LinearClassifier(
          weights: weights, biases: [Float](repeating: 0, count: labels.count))),
      calibration: .identity, campus: nil,
      provenance: Provenance(
        version: "test", dataDigest: "00", photos: [:], seed: 1, regularization: 1, kernel: "none"))
  }

  /// Vertical stripes on the left, and horizontal stripes on the right.
  private static func photo(_ width: Int, _ height: Int) throws -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let stripe = x < width / 2 ? x * 16 / width : y * 16 / height
        pixels += [UInt8](repeating: stripe.isMultiple(of: 2) ? 60 : 200, count: 3)
      }
    }
    return try JPEGEncoder.encode(
      RGBImage(width: width, height: height, pixels: pixels), quality: 95)
  }

  private static func warmth(_ image: RGBImage, _ columns: Range<Int>, _ rows: Range<Int>) -> Int {
    var sum = 0
    for y in rows {
      for x in columns {
        let at = 3 * (y * image.width + x)
        sum += Int(image.pixels[at]) - Int(image.pixels[at + 2])
      }
    }
    return sum / (columns.count * rows.count)
  }

  @Test("Evidence for the label is orange, and evidence against is blue")
  func colors() throws {
    let jpeg = try ExplanationOverlay.jpeg(
      model: Self.model(["hall", "tower"]), photo: try Self.photo(400, 200), label: "hall",
      maximumSide: 160, caption: false)
    let image = try PhotoDecoder().open(jpeg).image()
    #expect(image.width == 160 && image.height == 80)
    #expect(Self.warmth(image, 5..<65, 5..<75) > 20)
    #expect(Self.warmth(image, 95..<155, 5..<75) < -20)
  }

  @Test(
    "The overlay has the photo's shape and the requested size",
    arguments: [(400, 200, 1024, 640, 320), (90, 1400, 700, 45, 700), (64, 64, 200, 200, 200)])
  func sizes(width: Int, height: Int, side: Int, wide: Int, high: Int) throws {
    let model = Self.model(["hall", "tower"])
    let photo = try Self.photo(width, height)
    let bare = try PhotoDecoder().open(
      ExplanationOverlay.jpeg(
        model: model, photo: photo, maximumSide: side, caption: false)
    ).image()
    #expect(bare.width == wide && bare.height == high)
    let captioned = try PhotoDecoder().open(
      ExplanationOverlay.jpeg(model: model, photo: photo, maximumSide: side)
    ).image()
    #expect(captioned.width == wide && captioned.height > high)
    let band = high..<captioned.height
    let warmths = (0..<captioned.width).map { Self.warmth(captioned, $0..<$0 + 1, band) }
    #expect((warmths.max() ?? 0) > 5 && (warmths.min() ?? 0) < -3)
  }

  @Test("A narrow photo has a caption", arguments: [(90, 1400), (40, 80), (8, 900)])
  func narrow(width: Int, height: Int) throws {
    let photo = try PhotoDecoder().open(try Self.photo(width, height))
    let explanation = try Explainer(model: Self.model(["hall", "tower"])).explain(photo)
    var overlay = ExplanationOverlay()
    overlay.maximumSide = 64
    let drawing = try ExplanationDrawing(
      explanation, photo: photo, lines: ["Hall, probably", "or not"], names: ("hall", "tower"),
      overlay: overlay)
    #expect(drawing.svg.contains("font-size=\"1\"") && drawing.svg.contains("probably"))
  }

  @Test(
    "Names that cannot be drawn do not fail",
    arguments: ["", "\u{1B}[31m\n\0", "图书馆", String(repeating: "long ", count: 500), "🏛️<&>"])
  func hostileNames(label: String) throws {
    let jpeg = try ExplanationOverlay.jpeg(
      model: Self.model([label, "tower"]), photo: try Self.photo(100, 80), maximumSide: 64)
    #expect(try PhotoDecoder().open(jpeg).image().width == 64)
  }

  @Test("Long names continue on the next line instead of being cut")
  func longNames() throws {
    func height(_ label: String) throws -> Int {
      let jpeg = try ExplanationOverlay.jpeg(
        model: Self.model([label, "tower"]), photo: try Self.photo(200, 100), maximumSide: 256)
      return try PhotoDecoder().open(jpeg).image().height
    }
    let short = try height("hall")
    let long = try height("hall of the old library and its reading room in the north wing")
    #expect(long > short)
    // There is a limit.
    #expect(try height(String(repeating: "long ", count: 500)) - short <= 3 * (long - short))
  }

  @Test("The overlay is upright and has no metadata")
  func metadata() throws {
    var exif = Array("Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}".utf8)
    // With orientation 6, the top row is on the right.
    exif += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] as [UInt8]
    exif += [0, 0, 0, 0] as [UInt8]
    let stored = try PhotoDecoder().open(try Self.photo(400, 200)).image()
    let photo = try JPEGEncoder.encode(stored, exif: exif)
    let jpeg = try ExplanationOverlay.jpeg(
      model: Self.model(["hall", "tower"]), photo: photo, maximumSide: 64, caption: false)
    let image = try PhotoDecoder().open(jpeg).image()
    #expect(image.width == 32 && image.height == 64)
    #expect(try PhotoDecoder().open(jpeg).metadata == PhotoMetadata())
  }

  @Test("A photo without edges stays gray, and invalid bytes throw")
  func nothing() throws {
    let model = Self.model(["hall", "tower"])
    let fog = try JPEGEncoder.encode(
      RGBImage(width: 80, height: 60, pixels: [UInt8](repeating: 128, count: 80 * 60 * 3)))
    let image = try PhotoDecoder().open(
      ExplanationOverlay.jpeg(model: model, photo: fog, maximumSide: 64, caption: false)
    ).image()
    #expect(abs(Self.warmth(image, 0..<image.width, 0..<image.height)) < 2)
    #expect(throws: CupolaError.self) {
      try ExplanationOverlay.jpeg(model: model, photo: Array("text".utf8))
    }
  }
}

@Suite("Pixel font") struct PixelFontTests {
  private static let ascii = (32...126).map { Character(Unicode.Scalar(UInt8($0))) }

  @Test("Every ASCII letter has its own drawing that fits")
  func ascii() {
    let drawings = Self.ascii.map { PixelFont.rows(of: $0) }
    #expect(Set(drawings).count == 95)
    #expect(drawings.allSatisfy { $0.count <= PixelFont.height && $0.allSatisfy { $0 < 32 } })
    #expect(drawings[0].allSatisfy { $0 == 0 })
    #expect(drawings.dropFirst().allSatisfy { $0.contains { $0 != 0 } })
    // An L: a column, then a row.
    #expect(PixelFont.rows(of: "L") == [16, 16, 16, 16, 16, 16, 31])
  }

  @Test(
    "Accents are removed, composed or not",
    arguments: [
      ("ä", "a"), ("É", "E"), ("ł", "l"), ("Ø", "O"), ("e\u{301}", "e"), ("ế", "e"),
    ] as [(Character, Character)])
  func accents(letter: Character, plain: Character) {
    #expect(PixelFont.rows(of: letter) == PixelFont.rows(of: plain))
  }

  @Test(
    "Any other character is a box", arguments: ["λ", "图", "ß", "🏛️", "\n", "\u{1B}"] as [Character])
  func box(letter: Character) {
    #expect(PixelFont.rows(of: letter) == [31, 17, 17, 17, 17, 17, 31])
    #expect(!PixelFont.covers("Hall \(letter)") && PixelFont.covers("Aula Größe".dropLast(2) + ""))
  }
}
