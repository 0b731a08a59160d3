import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Model parts")
struct ModelPartTests {
  private static func model(_ labels: [String], campus: [UInt8]? = nil) throws -> Model {
    var model = ReportFixture.model(labels, campus: try campus.map { try Campus(geoJSON: $0) })
    if campus != nil { model.place = PlaceModel(positionWeight: 1, headingWeight: 1) }
    return model
  }

  /// The chapel and the tower are far away; a well without training photos is near the photo's position.
  private static let map = GeoJSONText.collection([
    GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12, halfSide: 1))]"),
    GeoJSONText.feature(
      #"{"role":"building","id":"chapel"}"#, GeoJSONText.point("[-77.03,-12.04]")),
    GeoJSONText.feature(
      #"{"role":"building","id":"tower"}"#, GeoJSONText.point("[-77.04,-12.05]")),
    GeoJSONText.feature(
      #"{"role":"building","id":"well"}"#, GeoJSONText.point("[-77.0101,-12.4998]")),
  ])

  private static func answers(
    _ model: Model, _ logits: [Float], isPlaced: Bool = false
  ) throws -> [ModelPart: PartialAnswer] {
    let photo = try photo(isPlaced: isPlaced)
    return Dictionary(
      uniqueKeysWithValues: PartialRecognizer.all(of: Recognizer(model: model)).map {
        ($0.part, $0.answer(logits, to: CaptureInfo(photo)))
      })
  }

  private static func photo(isPlaced: Bool) throws -> Photo {
    let place = EXIFBuilder().payload([
      EXIFBuilder.Tag.gps: .directory(EXIFBuilder.place)
    ])
    return try PhotoDecoder().open(
      JPEGEncoder.encode(
        RGBImage(width: 8, height: 8, pixels: [UInt8](repeating: 90, count: 192)),
        exif: isPlaced ? place : []))
  }

  @Test("Each part is evaluated without later parts")
  func order() throws {
    let names = ["_street", "chapel", "tower", Labels.unfamiliar]
    let model = try Self.model(names)
    let street = try Self.answers(model, [5, 4, 1, 0])
    #expect(street.keys.count == 3 && street[.place] == nil)
    #expect(street[.picture]?.label == "chapel")
    #expect(street[.backgrounds]?.verdict == .notACampusBuilding)
    let stranger = try Self.answers(model, [0, 4, 1, 5])
    #expect(stranger[.backgrounds]?.label == "chapel")
    #expect(stranger[.unfamiliar]?.verdict == .notACampusBuilding)
    let plain = try Self.answers(try Self.model(["chapel", "tower"]), [4, 1])
    #expect(Array(plain.keys) == [.picture])
  }

  @Test("The last part matches the whole model")
  func whole() throws {
    let model = try Self.model(["_street", "chapel", "tower", Labels.unfamiliar], campus: Self.map)
    let logits: [Float] = [-3, 2, 1.5, 0]
    for isPlaced in [false, true] {
      let answers = try Self.answers(model, logits, isPlaced: isPlaced)
      #expect(answers.keys.count == 5)
      let photo = try Self.photo(isPlaced: isPlaced)
      let whole = Recognizer(model: model).recognize(logits: logits, of: CaptureInfo(photo))
      #expect(answers[.map]?.verdict == whole.verdict && answers[.map]?.label == whole.label)
      let trained = whole.candidates.filter(\.isTrained).map(\.probability).max() ?? 0
      #expect(answers[.map]?.confidence == trained * whole.familiarity)
    }
    // Next to the well, only the complete map lowers the probability.
    let sure = try Self.answers(model, logits, isPlaced: true)
    #expect(try #require(sure[.map]).confidence < #require(sure[.place]).confidence)
  }

  @Test("Every known photo is in one column of the parts table")
  func sum() throws {
    let verdicts: [Recognition.Verdict] = [
      .building, .unsure, .mappedBuilding, .notACampusBuilding, .notOnCampus,
    ]
    let answers = verdicts.enumerated().map { number, verdict in
      var answer = ReportFixture.chapel("\(number).jpg", "chapel", 0.9)
      let label = verdict == .mappedBuilding ? "well" : "chapel"
      answer.parts = [.map: PartialAnswer(verdict: verdict, label: label, confidence: 0.5)]
      return answer
    }
    let report = ReportFixture.report(ReportFixture.evaluation(answers))
    let table = try ReportFixture.csv("parts", of: report)
    #expect(Array(table.header.prefix(5)) == ["part", "right", "wrong", "unsure", "refused"])
    #expect(Array(table.rows[0].prefix(5)) == ["map", "1", "1", "1", "2"])
  }

  @Test("Only a model with a map has a fence")
  func placeTitle() throws {
    var answer = ReportFixture.chapel("1.jpg", "chapel", 0.9)
    answer.parts = [.place: PartialAnswer(verdict: .building, label: "chapel", confidence: 0.9)]
    let models = [
      ReportFixture.model(), try Self.model(["_street", "chapel", "tower"], campus: Self.map),
    ]
    let titles = models.map { ReportFixture.evaluation([answer], $0).parts.map(\.title) }
    #expect(titles == [["with position"], ["with fence, position, heading"]])
  }

  @Test(
    "Without photos of unknown buildings, the parts table says that the benefit of their class is unknown"
  )
  func untestedClass() {
    func answer(_ label: String) -> Evaluation.Answer {
      var answer = ReportFixture.chapel(label + ".jpg", label, 0.9)
      answer.parts = [
        .unfamiliar: PartialAnswer(verdict: .building, label: "chapel", confidence: 0.9)
      ]
      return answer
    }
    let photos = [[answer("chapel")], [answer("chapel"), answer("barn")]]
    let notes = photos.map { ReportFixture.report(ReportFixture.evaluation($0)).partNote }
    #expect(
      notes == ["; the benefit of the unknown-building class is not tested, only its cost", ""])
  }

  @Test("The parts table counts answers by kind of photo")
  func figures() throws {
    func answer(_ label: String, _ parts: [ModelPart: (String?, Double)]) -> Evaluation.Answer {
      var answer = ReportFixture.chapel(label + ".jpg", label, 0.9)
      answer.parts = parts.mapValues { said, confidence in
        PartialAnswer(
          verdict: said == nil ? .notACampusBuilding : .building, label: said,
          confidence: confidence)
      }
      return answer
    }
    let evaluation = ReportFixture.evaluation([
      answer("chapel", [.picture: ("chapel", 0.9), .backgrounds: ("chapel", 0.8)]),
      answer("tower", [.picture: ("chapel", 0.6), .backgrounds: (nil, 0.3)]),
      answer("_street", [.picture: ("tower", 0.7), .backgrounds: (nil, 0.1)]),
      answer("barn", [.picture: ("tower", 0.5), .backgrounds: ("tower", 0.5)]),
    ])
    let parts = evaluation.parts
    #expect(parts.map(\.part) == [.picture, .backgrounds])
    #expect(parts.map(\.known.right) == [1, 1] && parts.map(\.known.wrong) == [1, 0])
    #expect(parts.map(\.known.notACampusBuilding) == [0, 1])
    #expect(parts.map(\.backgroundNamed.right) == [1, 0])
    #expect(parts.map(\.unknownNamed.right) == [1, 1])
    #expect(parts.map(\.backgroundArea) == [0.5, 1] && parts.map(\.unknownArea) == [1, 0.5])
  }
}
