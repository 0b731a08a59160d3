import Foundation
import Testing

@testable import Cupola

@Suite("Decision rule") struct DecisionTests {
  static let labels = Labels(["_sky", "hall", "_trees", "library", "tower"])

  static func outcome(
    _ probabilities: [Double], share: Double = 0.5, odds: Double = -1, labels: Labels = labels
  ) -> DecisionRule.Outcome {
    let calibration = Calibration(
      temperature: 1, notBuildings: ErrorCurve(photos: 19, wrong: [odds]),
      wrongNames: ErrorCurve(photos: 19, wrong: [share]))
    let point = Thresholds(calibration, maximumError: 0.05)
    return DecisionRule(labels: labels, point: point).outcome(probabilities)
  }

  @Test("Labels that begin with an underscore are backgrounds")
  func backgrounds() {
    #expect(Self.labels.buildings == [1, 3, 4] && Self.labels.backgrounds == [0, 2])
    #expect(Labels.isBackground("_") && !Labels.isBackground("") && !Labels.isBackground("a_b"))
  }

  @Test("The most probable building is recognized, and all are ranked")
  func recognized() {
    let outcome = Self.outcome([0.1, 0.2, 0.1, 0.5, 0.1])
    #expect(outcome.reason == .recognized && outcome.ranked == [3, 1, 4])
  }

  @Test("A more probable background wins over every building")
  func background() {
    let outcome = Self.outcome([0, 0.35, 0.45, 0.1, 0.1])
    #expect(outcome.reason == .background(probability: 0.45) && outcome.ranked == [1, 3, 4])
  }

  @Test("Background probabilities are added")
  func severalBackgrounds() {
    #expect(Self.outcome([0.25, 0.5, 0.25, 0, 0]).reason == .recognized)
    #expect(
      Self.outcome([0.3, 0.4, 0.3, 0, 0]).reason == .background(probability: 0.6))
  }

  @Test("Unfamiliar needs over half of the non-building probability")
  func unknownBuilding() {
    let labels = Labels(["_street", "hall", Labels.unfamiliar])
    #expect(
      Self.outcome([0.25, 0.25, 0.5], labels: labels).reason
        == .unknownBuilding(probability: 0.75))
    for probabilities in [[0.5, 0.25, 0.25], [0.375, 0.25, 0.375]] {
      #expect(
        Self.outcome(probabilities, labels: labels).reason == .background(probability: 0.75))
    }
  }

  @Test("Equal odds name a building unless higher odds are required")
  func odds() {
    let even = [0.4, 0.4, 0, 0.1, 0.1]
    #expect(Self.outcome(even).reason == .recognized)
    #expect(Self.outcome(even, odds: 0).reason == .background(probability: 0.4))
    let three = [0.2, 0.6, 0, 0.1, 0.1]
    #expect(Self.outcome(three, odds: 1.09).reason == .recognized)
    #expect(Self.outcome(three, odds: 1.1).reason == .background(probability: 0.2))
    #expect(abs((DecisionRule.odds(three, Self.labels) ?? 0) - log(3)) < 1e-12)
  }

  @Test("Two buildings whose shares together suffice are too close to call")
  func tooClose() {
    let outcome = Self.outcome([0, 0.45, 0, 0.4, 0.15])
    #expect(outcome.reason == .tooClose(share: 0.45, needed: 0.5.nextUp))
    #expect(outcome.ranked == [1, 3, 4])
    // A share equal to the highest wrong score is not enough.
    #expect(
      Self.outcome([0, 0.5, 0, 0.3, 0.2]).reason == .tooClose(share: 0.5, needed: 0.5.nextUp))
  }

  @Test("If no two buildings have the share together, all are unfamiliar")
  func unfamiliar() {
    let outcome = Self.outcome([0, 0.4, 0, 0.35, 0.25], share: 0.8)
    #expect(outcome.reason == .unfamiliar(share: 0.4, needed: 0.8.nextUp))
    #expect(outcome.reason.verdict == .notACampusBuilding)
    #expect(Self.outcome([0, 0.5, 0, 0.3, 0.2], share: 0.75).reason.verdict == .unsure)
  }

  @Test("The share counts buildings only, without backgrounds")
  func share() {
    // The share is 0.5 / 0.6.
    #expect(Self.outcome([0.2, 0.5, 0.2, 0.06, 0.04], share: 0.83).reason == .recognized)
    let outcome = Self.outcome([0.2, 0.5, 0.2, 0.06, 0.04], share: 0.84)
    guard case .tooClose(let share, _) = outcome.reason else {
      Issue.record("\(outcome.reason)")
      return
    }
    #expect(abs(share - 0.5 / 0.6) < 1e-12)
    #expect(DecisionRule.share(of: 1, [0.5, 0, 0.5, 0, 0], Self.labels) == 0)
  }

  @Test("Tied buildings keep the label order, and the share decides")
  func ties() {
    let outcome = Self.outcome([0, 0.4, 0, 0.4, 0.2], share: 0.6)
    #expect(outcome.ranked == [1, 3, 4])
    #expect(outcome.reason == .tooClose(share: 0.4, needed: 0.6.nextUp))
    #expect(Self.outcome([0, 0.4, 0, 0.4, 0.2], share: 0.3).reason == .recognized)
  }

  @Test("Without backgrounds only the share decides")
  func noBackgrounds() {
    let labels = Labels(["hall", "tower"])
    #expect(DecisionRule.odds([0.9, 0.1], labels) == nil)
    #expect(Self.outcome([0.9, 0.1], odds: 99, labels: labels).reason == .recognized)
    #expect(Self.outcome([0.5, 0.5], labels: labels).reason.verdict == .unsure)
  }

  @Test("Only backgrounds can reject a single building")
  func singleBuilding() {
    let labels = Labels(["hall", "_sky"])
    #expect(Self.outcome([0.6, 0.4], share: 0.999, labels: labels).reason == .recognized)
    #expect(
      Self.outcome([0.4, 0.6], share: 0.999, labels: labels).reason
        == .background(probability: 0.6))
    #expect(
      Self.outcome([1], share: 1, labels: Labels(["hall"])).reason
        == .unfamiliar(share: 1, needed: 1.0.nextUp))
  }

  @Test(
    "A rejection states the probability of the alternative, unless the best building's is higher",
    arguments: [
      (Recognition.Reason.background(probability: 0.981), 0.6, "98.1% something else"),
      (.unknownBuilding(probability: 0.55), 0.45, "55.0% something else"),
      (
        .unknownBuilding(probability: 0.377), 0.3,
        "37.7% something else, more than any building"
      ),
      (
        .unknownBuilding(probability: 0.287), 0.713,
        "28.7% something else, too much for the accepted error rate"
      ), (.background(probability: 0.0004), 0.9, "too uncertain for the accepted error rate"),
    ])
  func rejectionText(reason: Recognition.Reason, best: Double, detail: String) {
    let hall = Recognition.Candidate(
      label: "hall", probability: best, imageProbability: best, logit: 1)
    let answer = Recognition(
      verdict: .notACampusBuilding, reason: reason, label: nil, building: nil, probability: nil,
      candidates: [hall], odds: nil)
    #expect(answer.text(in: nil).line == "Not a Campus Building (\(detail))")
  }

  @Test("The percentages of buildings are the same whether or not the photo gets a name")
  func samePercentages() {
    func shown(_ reason: Recognition.Reason) -> Recognition {
      Recognition(
        verdict: reason.verdict, reason: reason, label: nil, building: nil, probability: 0.8,
        candidates: [("hall", 0.8), ("tower", 0.1)].map {
          Recognition.Candidate(label: $0, probability: $1, imageProbability: $1, logit: 1)
        }, odds: nil, familiarity: 0.4)
    }
    for (reason, detail, showsThem) in [
      (.recognized, "80.0%", true),
      (.unknownBuilding(probability: 0.6), "60.0% something else", false),
      (.unfamiliar(share: 8.0 / 9, needed: 0.99), "no building is probable enough", true),
    ] as [(Recognition.Reason, String, Bool)] {
      let answer = shown(reason)
      #expect(answer.text(in: nil).detail == detail)
      #expect(answer.shownCandidates.map(\.probability) == [0.8, 0.1])
      // A rejection states another probability, with which these do not add up to 100%.
      #expect(answer.showsProbabilities == showsThem)
    }
  }

  @Test("A model without buildings recognizes nothing")
  func noBuildings() {
    let outcome = Self.outcome([1], labels: Labels(["_sky"]))
    #expect(outcome.reason == .noBuildings && outcome.ranked == [])
    #expect(DecisionRule.odds([1], Labels(["_sky"])) == nil)
  }

  @Test("Odds are clamped to -700...700 if a probability is 0")
  func extremes() {
    let labels = Labels(["_sky", "hall"])
    #expect(DecisionRule.odds([0, 1], labels) == 700 && DecisionRule.odds([1, 0], labels) == -700)
    #expect(Self.outcome([0, 1], labels: labels).reason == .recognized)
    #expect(Self.outcome([1, 0], labels: labels).reason == .background(probability: 1))
  }

  @Test("Every reason has a verdict")
  func verdicts() {
    let verdicts: [(Recognition.Reason, Recognition.Verdict)] = [
      (.recognized, .building), (.outsideGeofence, .notOnCampus),
      (.tooClose(share: 0.4, needed: 0.5), .unsure),
      (.byPlaceOnly, .mappedBuilding), (.contradicted(picture: "a", place: "b"), .unsure),
      (.background(probability: 1), .notACampusBuilding),
      (.unknownBuilding(probability: 1), .notACampusBuilding),
      (.unfamiliar(share: 0.1, needed: 0.5), .notACampusBuilding),
      (.noBuildings, .notACampusBuilding),
    ]
    for (reason, verdict) in verdicts { #expect(reason.verdict == verdict) }
  }
}

@Suite("DecisionRule from photo and position") struct JudgmentTests {
  /// The answer to a photo taken next to a building without training photos, from a model with an unfamiliar label.
  private static func answer(_ image: [Double]) throws -> Recognition {
    var model = try MappedBuildingTests.model()
    model.labels = labels
    let well = try #require(Position(latitude: -12, longitude: -77, horizontalError: 5))
    let question = PlaceGuide.Query(position: well, heading: nil, view: .usual, year: 2026)
    return RecognitionBuilder(
      model: model, point: Thresholds(Calibration(temperature: 1)), image: image,
      logits: [0, 0, 0, 0], place: PlaceGuide(model).answer(question, image: image)
    ).recognition
  }

  private static let labels = Labels(SampleModel.labels + [Labels.unfamiliar])

  @Test("An unfamiliar photo next to a mapped building names that building")
  func mapped() throws {
    let answer = try Self.answer([0.04, 0.03, 0.03, 0.9])
    #expect(answer.verdict == .mappedBuilding && answer.label == "well")
  }

  @Test("A more probable background rejects a mapped building")
  func rejection() throws {
    let model = try MappedBuildingTests.model()
    let well = try #require(Position(latitude: -12, longitude: -77, horizontalError: 5))
    let question = PlaceGuide.Query(
      position: well.destination(azimuth: 180, distance: 35), heading: Heading(degrees: 0),
      view: .usual, year: 2026)
    func reason(_ image: [Double]) -> Recognition.Reason {
      RecognitionBuilder(
        model: model, point: Thresholds(Calibration(temperature: 1)), image: image,
        logits: [0, 0, 0], place: PlaceGuide(model).answer(question, image: image)
      ).recognition.reason
    }
    #expect(reason([0.3, 0.3, 0.4]) == .background(probability: 0.4))
    // With a little more for one building, the mapped building's combined share suffices.
    #expect(reason([0.41, 0.19, 0.4]) == .byPlaceOnly)
  }

  @Test(
    "Image odds do not change next to a mapped building")
  func imageOdds() throws {
    let image = [0.2, 0.05, 0.05, 0.7]
    let odds = try #require(DecisionRule.odds(image, Self.labels))
    let found = try #require(try Self.answer(image).imageOdds)
    #expect(found == odds && found < 0)
  }
}
