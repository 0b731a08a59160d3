import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Feature extractor") struct FeatureExtractorTests {
  @Test("Features are the HOG of the halved luma, scaled to length 1")
  func definition() throws {
    let picture = RGBImage.random(32, 32, seed: 4)
    let features = try FeatureExtractor(hog: .standard).features(of: picture)
    let descriptor = try HOG.standard.descriptor(of: GrayImage(luma: picture).halved())
    let norm = descriptor.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
    #expect(largestDifference(features, descriptor.map { Double($0) / norm }) < 1e-6)
  }

  @Test("A photo without edges has zero features")
  func flat() throws {
    let features = try FeatureExtractor(hog: .standard).features(of: .gray(32, 32) { _, _ in 90 })
    #expect(features == [Float](repeating: 0, count: 36))
  }

  @Test("The predicted count equals the feature length", arguments: [32, 48, 66])
  func count(side: Int) throws {
    let extractor = FeatureExtractor(hog: .standard)
    let features = try extractor.features(of: .random(side, side, seed: 4))
    #expect(features.count == extractor.settings.count(inputSide: side))
  }

  @Test("A photo smaller than one block throws")
  func tooSmall() {
    #expect(throws: CupolaError.pictureTooSmall(width: 15, height: 15, needed: 16)) {
      try FeatureExtractor(hog: .standard).features(of: .random(30, 30, seed: 1))
    }
  }

  @Test("An unknown feature kind throws")
  func unknown() {
    let json = #"{"kind":"mosaic","mosaic":{}}"#
    #expect(throws: DecodingError.self) {
      try ModelFile.value(FeatureSettings.self, inJSON: json)
    }
  }

  @Test(
    "Settings survive a JSON round trip, and the extractor returns them",
    arguments: [FeatureSettings.hog(.standard), .fisher(.balanced)])
  func coding(settings: FeatureSettings) throws {
    #expect(try throughJSON(settings) == settings)
    #expect(FeatureExtractor(hog: .standard).settings == .hog(.standard))
  }
}
