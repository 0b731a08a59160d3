import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("MapFusion") struct MapFusionTests {
  private static let labels = Labels(["_street", "hall", "tower"])

  private static func fusion(untrained: [Int] = [3, 4], heading: Bool = true, doubt: Double = 0)
    -> MapFusion
  {
    MapFusion(
      labels: labels, untrained: untrained, untrainedCount: 2, hasHeading: heading, doubt: doubt)
  }

  @Test("Without nearby mapped buildings, label probabilities do not change")
  func none() {
    let image = [0.1, 0.6, 0.3]
    let fused = Self.fusion(untrained: []).fused(image, [0, -1, 0, 0, 0])
    #expect(Array(fused.prefix(3)) == PlaceEvidence.fused(image, [0, -1, 0]))
    #expect(fused.dropFirst(3).allSatisfy { $0 == 0 })
    #expect(Self.fusion(untrained: []).knownShare == 1)
  }

  @Test("Background probabilities never fall, and the sum is 1")
  func backgrounds() {
    for doubt in [-8.0, -1, 0, 1] {
      for shift in [-4.0, -1, 0] {
        let fused = Self.fusion(doubt: doubt).fused([0.4, 0.35, 0.25], [0, shift, -2, 0, shift])
        #expect((fused.reduce(0, +) - 1).magnitude < 1e-12)
        #expect(fused[0] >= 0.4 - 1e-12)
      }
    }
  }

  @Test("A mapped building wins if the image is in doubt")
  func doubt() {
    let shifts = [0, -3.5, -3.5, 0, -3.5]
    let doubting = Self.fusion(doubt: 1).fused([0.02, 0.55, 0.43], shifts)
    #expect(doubting[3] > 0.7)
    let sure = Self.fusion(doubt: -8).fused([0.001, 0.998, 0.001], shifts)
    #expect(sure[1] > sure[3])
    let turned = Self.fusion(heading: false, doubt: 1).fused([0.02, 0.55, 0.43], shifts)
    #expect(turned[3] < doubting[3])
  }

  @Test("One visit in three is to an unknown building")
  func visits() {
    #expect((Self.fusion().knownShare - 2.0 / 3).magnitude < 1e-12)
  }
}

@Suite("UnknownBuilding") struct UnknownBuildingTests {
  private static func logRatio(_ share: Double) -> Double {
    UnknownBuilding.logRatio(
      probabilities: [0, share, 1 - share], labels: Labels(["_a", "b", "c"]))
  }

  @Test("Higher certainty lowers the odds of an unknown building")
  func order() {
    let ratios = [0.5, 0.7, 0.9, 0.95, 0.99, 0.9999].map(Self.logRatio)
    #expect(zip(ratios, ratios.dropFirst()).allSatisfy { $0 > $1 })
    #expect(ratios[0] > 0.8 && ratios[4] < -2)
    // The values in Formats.md.
    #expect(abs(Self.logRatio(0.92)) < 0.01 && abs(Self.logRatio(0.99) + 2.3) < 0.05)
  }

  @Test("An unfamiliar image raises the odds of an unknown building")
  func unfamiliar() {
    let labels = Labels(["b", "c", Labels.unfamiliar])
    let sure = UnknownBuilding.logRatio(probabilities: [0.999, 0.001, 0], labels: labels)
    let unlike = UnknownBuilding.logRatio(probabilities: [0.3, 0, 0.7], labels: labels)
    #expect(sure < -5 && unlike > 0.8 && unlike <= 1)
  }

  @Test("The log ratio is always finite")
  func limits() {
    #expect(Self.logRatio(1) == -8 && Self.logRatio(0) == -8)
    let none = UnknownBuilding.logRatio(probabilities: [1], labels: Labels(["_a"]))
    #expect(none == 1)
  }
}

@Suite("Mapped buildings without photos") struct MappedBuildingTests {
  /// The sample model with a map that also has a well without training photos, 5 km from hall and tower.
  static func model() throws -> Model {
    let map = GeoJSONText.collection([
      GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12, halfSide: 0.5))]"),
      GeoJSONText.feature(
        #"{"role":"building","id":"hall","name":"Great Hall"}"#,
        GeoJSONText.point("[-77.03,-12.04]")),
      GeoJSONText.feature(
        #"{"role":"building","id":"tower"}"#, GeoJSONText.point("[-77.04,-12.05]")),
      GeoJSONText.feature(
        #"{"role":"building","id":"well","name":"Deep Well"}"#, GeoJSONText.point("[-77,-12]")),
    ])
    var model = try SampleModel.model(campus: map)
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    return model
  }

  private static func recognizer() throws -> Recognizer { Recognizer(model: try model()) }

  /// The answer 35 m south of the well, with an optional heading.
  private static func ask(
    _ subject: SampleModel.Subject, toward heading: Double? = 0, meters: Double = 35
  ) throws -> Recognition {
    let well = try #require(Position(latitude: -12, longitude: -77, horizontalError: 5))
    let place = try #require(
      well.destination(azimuth: 180, distance: meters).with(horizontalError: 5))
    return try recognizer().recognize(
      SampleModel.picture(subject), at: place, heading: heading.flatMap { Heading(degrees: $0) })
  }

  @Test("A mapped building is named if the image fits no trained building")
  func named() throws {
    let answer = try Self.ask(.fog)
    #expect(answer.verdict == .mappedBuilding && answer.reason == .byPlaceOnly)
    #expect(answer.label == "well" && answer.building?.name == "Deep Well")
    let first = try #require(answer.candidates.first)
    #expect(answer.probability == first.probability && !first.isTrained)
    #expect(first.imageProbability == 0 && first.logit == -.infinity)
    #expect((try #require(first.distance) - 35).magnitude < 1e-6)
    #expect(answer.candidates.dropFirst().allSatisfy { $0.isTrained })
    #expect(answer.place == .agrees)
  }

  @Test("A position does not put a building in doubt that it chose")
  func chosen() throws {
    let far = try Self.ask(.fog, meters: 300)
    #expect(far.candidates.first?.label == "well" && far.place == .agrees)
    // The hall is far away, but the tower is even farther.
    var model = try SampleModel.model()
    model.place = PlaceModel(positionWeight: 1, headingWeight: 1)
    let guide = PlaceGuide(model)
    let hall = try #require(model.labels.names.firstIndex(of: "hall"))
    let tower = try #require(model.labels.names.firstIndex(of: "tower"))
    var image = [Double](repeating: 0, count: model.labels.names.count)
    (image[hall], image[tower]) = (0.49, 0.51)
    let place = try RecognizerPlaceTests.place("hall", 0, 220)
    let query = PlaceGuide.Query(position: place, heading: nil, view: .usual, year: 2026)
    #expect(guide.answer(query, image: image).agreement == .agrees)
    (image[hall], image[tower]) = (0.51, 0.49)
    #expect(guide.answer(query, image: image).agreement == .unclear)
  }

  @Test("A background photo stays a background at any place")
  func background() throws {
    let answer = try Self.ask(.slanting)
    #expect(answer.verdict == .notACampusBuilding && answer.label == nil)
    #expect(try #require(answer.odds) <= #require(answer.imageOdds))
  }

  @Test("A certain image of a distant building makes the answer unsure")
  func contradicted() throws {
    let answer = try Self.ask(.hall)
    #expect(answer.reason == .contradicted(picture: "hall", place: "well"))
    #expect(answer.verdict == .unsure && answer.place == .contradicts && answer.label == nil)
  }

  @Test("A mapped building outside the field of view is not a candidate")
  func headings() throws {
    func probability(_ heading: Double?) throws -> Double? {
      let answer = try Self.ask(.fog, toward: heading, meters: 100)
      return answer.candidates.first { $0.label == "well" }?.probability
    }
    let (facing, beside) = (try #require(try probability(0)), try #require(try probability(70)))
    #expect(facing >= (try #require(try probability(nil))) && facing > beside)
    // The field of view reaches to 33 degrees, the compass error adds 40, and the well begins 12 degrees earlier.
    for heading in [95.0, 180, 265] {
      #expect(try probability(heading) == nil, "\(heading)")
      #expect(try Self.ask(.fog, toward: heading, meters: 100).verdict != .mappedBuilding)
    }
  }

  @Test("A mapped building needs a position nearby")
  func elsewhere() throws {
    let far = try Self.ask(.fog, meters: 600)
    #expect(far.candidates.map(\.label).sorted() == ["hall", "tower"])
    let picture = SampleModel.picture(.fog)
    let plain = try Recognizer(model: SampleModel.model()).recognize(picture)
    let placeless = try Self.recognizer().recognize(picture)
    #expect(placeless.candidates == plain.candidates && placeless.reason == plain.reason)
  }

  @Test("The reach is 400 m plus the position error and footprint")
  func reach() throws {
    // The map has a point, which counts as 20 m in radius; the position error is 5 m.
    for (meters, isNear) in [(421.0, true), (428, false)] {
      let answer = try Self.ask(.fog, meters: meters)
      #expect(answer.candidates.contains { $0.label == "well" } == isNear, "\(meters) m")
    }
  }

  @Test("A scene lists labels first and each mapped building once")
  func scene() throws {
    let model = try Self.recognizer().model
    let scene = PlaceScene(model.labels, campus: model.campus, viewpoints: [:])
    #expect(scene.labels.names == model.labels.names + ["well"])
    #expect(scene.untrained == 3..<4 && scene.densities[2] == nil)
    let none = PlaceScene(model.labels, campus: nil, viewpoints: [:])
    #expect(none.labels == model.labels && none.untrained.isEmpty)
  }
}
