import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaExport

/// Test cases of decisions and positions for the library and all guides, from guides.json and
/// places.json in Fixtures.
struct GuideTable: Decodable {
  struct Sheet: Decodable, Sendable {
    let name: String
    let labels: [String]
    let geometry: Geometry
    let temperature: Double
    /// The share of a wrongly named building; a higher share is needed.
    let wrongNameShare: Double?
    private enum CodingKeys: String, CodingKey {
      case name, labels, geometry, temperature, decisions, places, place, here
      case wrongNameShare = "wrong_name_share"
    }
    let decisions: [Decision]
    let places: [Place]
    /// Place data, if any.
    let place: PlaceModel?
    let here: [Here]?
  }

  struct Decision: Decodable, Sendable {
    let note: String
    /// One per label.
    let logits: [Float]
    let answer: String
  }

  struct Place: Decodable, Sendable {
    let note: String
    /// Latitude, longitude, error in meters.
    let at: [Double?]
    /// Whether the position is off campus.
    let outside: Bool
  }

  private let campuses: [Sheet]

  /// A model and its test cases.
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

  /// The library's answer without a position.
  func recognition(_ decision: GuideTable.Decision) -> Recognition {
    RecognitionBuilder(
      model: model, point: Thresholds(model.calibration), image: probabilities(decision),
      logits: decision.logits, place: nil
    ).recognition
  }

  /// The library's answer without a position, as exports show it: the title, and the probability of a building.
  func text(_ decision: GuideTable.Decision) -> String {
    let answer = recognition(decision)
    let text = answer.text(in: model.campus)
    return answer.verdict == .building ? text.line : text.title
  }

  /// The input of the drivers in `Tests/GuideDrivers`: probabilities and positions.
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

  /// The part of a 400 x 300 photo that the model receives.
  var part: String {
    let part = sheet.geometry.region(width: 400, height: 300)
    return "part \(part.x) \(part.y) \(part.width) \(part.height)"
  }
}

extension GuideTable {
  /// A position, an optional heading, and the probabilities of the picture.
  struct Here: Decodable, Sendable {
    let note: String
    /// Latitude, longitude, error in meters.
    let at: [Double?]
    let heading: Double?
    /// The focal length in millimeters and the orientation; if missing, those of a phone held
    /// level.
    let focal: Double?
    let upright: Bool?
    /// Which of `heading` and `view` is NaN or infinite, as some sensors report unknown values.
    let nan: String?
    let infinite: String?
    /// One per label of the export, in single precision.
    let probabilities: [Double]

    var view: FieldOfView {
      let (width, height) = upright == true ? (3, 4) : (4, 3)
      return FieldOfView(focalLength: focal, width: width, height: height)
    }

    /// The input of the drivers in `Tests/GuideDrivers`.
    var line: String {
      let numbers = at + [heading, focal.map { _ in view.degrees }]
      var texts = numbers.map { $0.map { "\($0)" } ?? "?" } + probabilities.map { "\($0)" }
      for (name, text) in [(nan, "NaN"), (infinite, "Infinity")] {
        if let name { texts[name == "heading" ? 3 : 4] = text }
      }
      return "here " + texts.joined(separator: " ")
    }
  }
}

extension GuideTable.Entry {
  /// The library's answer in the format of the drivers: verdict, labels and the three most probable
  /// buildings.
  func answer(_ here: GuideTable.Here) throws -> String {
    let latitude = try #require(here.at[0])
    let longitude = try #require(here.at[1])
    let error = here.at[2]
    let position = Position(latitude: latitude, longitude: longitude, horizontalError: error)
    if let position, Recognizer(model: model).isOutside(position) { return "not_on_campus" }
    let image = image(here)
    let place = position.map { position in
      PlaceGuide(model).answer(
        PlaceGuide.Query(
          position: position, heading: here.heading.flatMap { Heading(degrees: $0) },
          view: here.view, year: MagneticField.defaultYear),
        image: image)
    }
    let recognition = RecognitionBuilder(
      model: model, point: Thresholds(model.calibration), image: image,
      logits: [Float](repeating: 0, count: image.count), place: place
    ).recognition
    return told(recognition, isPlaced: place != nil)
  }

  private func told(_ recognition: Recognition, isPlaced: Bool) -> String {
    let verdict = recognition.verdict.rawValue
    guard isPlaced else { return verdict }
    let labels: [String] =
      switch recognition.reason {
      case .contradicted(let picture, let place): [picture, place]
      case .tooClose: recognition.candidates.prefix(2).map(\.label)
      default: [recognition.label].compactMap(\.self)
      }
    let best = recognition.candidates.prefix(3).map { "\($0.label)=\($0.probability)" }
    return ([verdict, labels.joined(separator: ",")] + best).joined(separator: " ")
  }

  /// One per label of the model.
  private func image(_ here: GuideTable.Here) -> [Double] {
    let labels = model.labels
    var image = [Double](repeating: 0, count: labels.names.count)
    if let background = labels.trainedBackgrounds.first {
      image[background] = here.probabilities[0]
    }
    for (label, probability) in zip(
      labels.buildings + [labels.unfamiliar].compactMap(\.self), here.probabilities.dropFirst())
    {
      image[label] = probability
    }
    return image
  }
}

/// An answer as a line. Probabilities are compared to a millionth.
struct PlaceAnswer: Equatable, CustomStringConvertible {
  let words: [String]
  let description: String

  /// - Parameter line: May start with a note and a bar.
  init(_ line: String) {
    description = line
    words = (line.components(separatedBy: " | ").last ?? "").components(separatedBy: " ")
  }

  static func == (a: PlaceAnswer, b: PlaceAnswer) -> Bool {
    a.words.count == b.words.count
      && zip(a.words, b.words).allSatisfy { a, b in
        let (a, b) = (a.components(separatedBy: "="), b.components(separatedBy: "="))
        guard a[0] == b[0], a.count == b.count else { return false }
        guard a.count == 2 else { return true }
        guard let p = Double(a[1]), let q = Double(b[1]) else { return false }
        return abs(p - q) <= 1e-6 * max(p, q) + 1e-12
      }
  }
}
