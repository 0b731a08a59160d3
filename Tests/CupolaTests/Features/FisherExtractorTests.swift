import Testing

@testable import Cupola

@Suite("Fisher features") struct FisherExtractorTests {
  private static func norm(_ values: some Collection<Float>) -> Double {
    values.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
  }

  @Test("Features are finite, have length 1 and the predicted count")
  func range() {
    for side in [32, 40] {
      let features = SampleFisher.extractor().features(of: .random(side, side, seed: 3))
      #expect(features.count == SampleFisher.settings.count)
      #expect(features.count == 2 * 8 * (5 + 2) + 2 * 8 * (3 + 2))
      #expect(features.allSatisfy { $0.isFinite })
      #expect(abs(Self.norm(features) - 1) < 1e-5)
    }
    #expect(FisherSettings.balanced.count == 2 * 128 * (66 + 34))
    #expect(Recipe.fisher().featureCount == FisherSettings.balanced.count)
  }

  @Test(
    "HOG features come first, and color features have their weight", arguments: [0, 0.35, 1, 2])
  func weight(weight: Float) {
    var settings = SampleFisher.settings
    settings.colorWeight = weight
    let features = SampleFisher.extractor(settings).features(of: .random(32, 32, seed: 3))
    let ratio = Self.norm(features[112...]) / Self.norm(features[..<112])
    #expect(abs(ratio - Double(weight)) < 1e-5)
  }

  @Test("Patches of all image sizes are used with their positions")
  func patches() throws {
    let picture = RGBImage.random(32, 32, seed: 7)
    let patches = SampleFisher.settings.patches(of: picture)
    // Sides 32 and 23 with step 4: grids of 4x4 and 2x2 patches.
    let grids = [PatchGrid(side: 32, step: 4), PatchGrid(side: 23, step: 4)]
    #expect(grids.map(\.count) == [4, 2])
    let count = grids.reduce(0) { $0 + $1.count * $1.count }
    try #require(patches.places.count == count)
    #expect(patches.hog.rows == count && patches.color.rows == count)
    // Contrast is relative to all image sizes together.
    let weights = PatchContrast.weights(
      of: PatchContrastTests.sums(patches.color), flat: 0.02, full: 0.11)
    #expect(patches.weights == weights && weights.contains { $0 > 0 })
    var at = 0
    for grid in grids {
      let scaled = ColorImage(picture).resized(width: grid.side, height: grid.side)
      let hog = LocalHOG.descriptors(of: scaled.luma, grid: grid)
      let color = LocalColor.descriptors(of: scaled, grid: grid)
      let rows = Array(at..<at + grid.count * grid.count)
      #expect(patches.hog.selecting(rows: rows) == hog)
      #expect(patches.color.selecting(rows: rows) == color)
      for row in 0..<grid.count {
        for column in 0..<grid.count {
          let place = patches.places[at + row * grid.count + column]
          #expect(place == [grid.center(column), grid.center(row)])
        }
      }
      at += grid.count * grid.count
    }
  }

  @Test("A brightness offset does not change the HOG part")
  func brightness() {
    var settings = SampleFisher.settings
    settings.colorWeight = 0
    let extractor = SampleFisher.extractor(settings)
    let noise = GrayImage.random(32, 32, seed: 4)
    let dark = RGBImage.gray(32, 32) { x, y in UInt8(noise[x, y] / 2) }
    let bright = RGBImage.gray(32, 32) { x, y in UInt8(noise[x, y] / 2) + 100 }
    let other = RGBImage.gray(32, 32) { x, y in UInt8(noise[y, x] / 2) }
    let features = extractor.features(of: dark)
    func likeness(_ picture: RGBImage) -> Double {
      VectorMath.preciseDot(features, extractor.features(of: picture))
    }
    #expect(likeness(bright) > 0.999_99)
    #expect(likeness(other) < 0.999_5)
  }

  @Test("A photo without contrast has zero features, and no NaN")
  func constant() throws {
    let zeros = [Float](repeating: 0, count: SampleFisher.settings.count)
    for level in [0, 1, 128, 255] {
      let picture = RGBImage.gray(32, 32) { _, _ in UInt8(level) }
      let patches = SampleFisher.settings.patches(of: picture)
      #expect(patches.weights.allSatisfy { $0 == 0 } && patches.counting.places.isEmpty)
      #expect(SampleFisher.extractor().features(of: picture) == zeros)
      // The recognizer still answers, with the biases alone.
      let model = SampleFisher.model()
      let answer = try Recognizer(model: model).recognize(picture)
      #expect(answer.candidates.map(\.label) == ["hall", "tower"])
      #expect(answer.candidates.map(\.logit) == [0.5, 0])
      #expect(answer.candidates.allSatisfy { $0.probability > 0 && $0.probability < 1 })
      #expect(try #require(answer.odds).isFinite)
    }
  }

  @Test(
    "Gathering weighted patches equals gathering all and selecting", arguments: 0..<4)
  func counting(seed: Int) {
    let noise = GrayImage.random(96, 96, seed: UInt64(seed))
    let picture = RGBImage.gray(96, 96) { x, y in
      x > 20 * seed && y > 14 * seed ? UInt8(noise[x, y]) : 90
    }
    for settings in [SampleFisher.settings, FisherSettings.fast] {
      var reader = PatchReader(settings, side: 96)
      // Earlier contents do not affect the result.
      reader.read(.random(96, 96, seed: 9))
      reader.read(picture)
      var block = PatchBlock()
      reader.gather(Array(reader.weights.indices)[...], into: &block)
      reader.gather(reader.counting[...], into: &block)
      let wanted = settings.patches(of: picture).counting
      #expect(block.hog == wanted.hog && block.color == wanted.color)
      #expect(block.places == wanted.places && block.weights == wanted.weights)
    }
  }

  @Test("Flat patches do not affect the features")
  func flatPatches() {
    let noise = GrayImage.random(32, 32, seed: 6)
    // Flat except for one corner, so weights of 0, 1 and between occur.
    let picture = RGBImage.gray(32, 32) { x, y in x > 18 && y > 18 ? UInt8(noise[x, y]) : 90 }
    let extractor = SampleFisher.extractor()
    let patches = extractor.settings.patches(of: picture)
    let kept = patches.counting
    #expect(kept.places.count < patches.places.count && !kept.places.isEmpty)
    #expect(kept.weights == patches.weights.filter { $0 > 0 })
    #expect(
      largestDifference(extractor.features(of: picture), extractor.features(of: patches)) < 1e-3)
  }

  @Test("A color weight changes only the settings and the color part")
  func weighing() throws {
    let extractor = FeatureExtractor.fisher(SampleFisher.extractor())
    var settings = SampleFisher.settings
    settings.colorWeight = 0.2
    let other = extractor.weighing(color: 0.2)
    #expect(other == .fisher(SampleFisher.extractor(settings)))
    #expect(other.settings == .fisher(settings) && extractor.weighing(color: nil) == extractor)
    let hog = FeatureExtractor(hog: .standard)
    #expect(hog.weighing(color: 0.2) == hog)
    #expect(Recipe.fisher(settings).colorWeight == 0.2 && Recipe.hog.colorWeight == nil)
  }

  @Test("Images too small for a patch yield zeros, not NaN")
  func noPatches() {
    var settings = SampleFisher.settings
    settings.sides = [16]
    let features = SampleFisher.extractor(settings).features(of: .random(16, 16, seed: 1))
    #expect(features == [Float](repeating: 0, count: settings.count))
  }

  @Test("The feature extractor returns the Fisher extractor's features")
  func extractor() throws {
    let picture = RGBImage.random(32, 32, seed: 8)
    let extractor = FeatureExtractor.fisher(SampleFisher.extractor())
    #expect(extractor.settings == .fisher(SampleFisher.settings))
    let features = try extractor.features(of: picture)
    #expect(features == SampleFisher.extractor().features(of: picture))
  }

  @Test("Projection subtracts the offset and appends the position")
  func projection() {
    let components = PrincipalComponents(
      projection: SampleFisher.matrix(3, 10, in: -1...1, seed: 1), offset: [0.5, -1, 2])
    let rows = SampleFisher.matrix(4, 10, in: -1...1, seed: 2)
    let places = (0..<4).map { SIMD2<Float>(Float($0), -Float($0) / 2) }
    let found = components.project(rows, places: places)
    #expect(found.rows == 4 && found.columns == 5)
    for row in 0..<4 {
      for kept in 0..<3 {
        let sum = (0..<10).reduce(0.0) {
          $0 + Double(rows[row, $1]) * Double(components.projection[kept, $1])
        }
        #expect(abs(Double(found[row, kept]) - sum + Double(components.offset[kept])) < 1e-5)
      }
      #expect(found[row, 3] == places[row].x && found[row, 4] == places[row].y)
    }
  }
}
