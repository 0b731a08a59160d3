import Cupola
import CupolaTestSupport
import Foundation
import Testing

/// Decisions, places, and both together that the library and the code of every guide answer alike:
/// guides.json and places.json in Fixtures.
struct GuideTable: Decodable {
  struct Sheet: Decodable, Sendable {
    let name: String
    let labels: [String]
    let geometry: Geometry
    let temperature: Double
    /// The share of a building that was named wrong; a greater one is needed.
    let wrongNameShare: Double?
    private enum CodingKeys: String, CodingKey {
      case name, labels, geometry, temperature, decisions, places, place, here
      case wrongNameShare = "wrong_name_share"
    }
    let decisions: [Decision]
    let places: [Place]
    /// What was learned about places, if anything.
    let place: PlaceModel?
    let here: [Here]?
  }

  struct Decision: Decodable, Sendable {
    let note: String
    /// One a label.
    let logits: [Float]
    let answer: String
  }

  struct Place: Decodable, Sendable {
    let note: String
    /// Latitude, longitude, error in meters.
    let at: [Double?]
    /// Whether the photo need not be looked at.
    let outside: Bool
  }

  private let campuses: [Sheet]

  /// What is asked of one model, and the model.
  struct Entry: Sendable {
    let sheet: Sheet
    let model: Model
  }

  static func entries() throws -> [Entry] {
    try entries(of: "guides") + entries(of: "places")
  }

  private static func entries(of name: String) throws -> [Entry] {
    let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures")
    let data = try Data(contentsOf: try #require(file))
    let campuses = try JSONDecoder().decode(GuideTable.self, from: data).campuses
    let table = try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]]
    return try zip(campuses, table?["campuses"] ?? []).map { sheet, object in
      let map = try object["map"].map {
        try Campus(geoJSON: Array(JSONSerialization.data(withJSONObject: $0)))
      }
      return Entry(sheet: sheet, model: model(sheet, map))
    }
  }

  private static func model(_ sheet: Sheet, _ map: Campus?) -> Model {
    let sample = SampleModels.hog(labels: sheet.labels)
    var recipe = sample.recipe
    recipe.geometry = sheet.geometry
    let calibration = Calibration(
      temperature: sheet.temperature,
      wrongNames: sheet.wrongNameShare.map { ErrorCurve(photos: 19, wrong: [$0]) })
    var model = Model(
      recipe: recipe, extractor: sample.extractor, labels: sample.labels,
      classifier: sample.classifier, calibration: calibration, campus: map,
      provenance: sample.provenance)
    model.place = sheet.place
    return model
  }
}

extension GuideTable.Entry {
  func probabilities(_ decision: GuideTable.Decision) -> [Double] {
    Softmax.probabilities(decision.logits, temperature: model.calibration.temperature)
  }

  /// What the drivers in `Scripts/guides` read: the probabilities that an export gives, and places.
  var cases: String {
    let decisions = sheet.decisions.map { decision in
      let all = probabilities(decision)
      let nothing = model.labels.backgrounds.reduce(0) { $0 + all[$1] }
      let given = [nothing] + model.labels.buildings.map { all[$0] }
      return "p " + given.map { "\(Float($0))" }.joined(separator: " ")
    }
    let places = sheet.places.map { place in
      "at " + place.at.map { $0.map { "\($0)" } ?? "?" }.joined(separator: " ")
    }
    return (decisions + places + (sheet.here ?? []).map(\.line)).joined(separator: "\n") + "\n"
  }

  /// The part that the model is given of a photo of 400 x 300 pixels.
  var part: String {
    let part = sheet.geometry.region(width: 400, height: 300)
    return "part \(part.x) \(part.y) \(part.width) \(part.height)"
  }
}
