import Testing

@testable import Cupola

@Suite("Answers to logits") struct ModelAnswerTests {
  @Test("They are those of the recognizer", arguments: SampleModel.Subject.allCases)
  func sameAsRecognizer(subject: SampleModel.Subject) throws {
    for share in [0, 0.5, 0.999_999] {
      let model = try SampleModel.model(leastShare: share)
      let picture = SampleModel.picture(subject)
      let features = try model.extractor.features(
        of: model.recipe.prepare(picture, geometry: model.recipe.geometry))
      let answer = try Recognizer(model: model).recognize(picture)
      #expect(model.building(logits: model.classifier.logits(features)) == answer.label)
    }
  }

  @Test("Backgrounds, and buildings too close to call, are none")
  func none() throws {
    let model = try SampleModel.model(leastShare: 0.7)
    #expect(model.building(logits: [5, 0, 0]) == "hall")
    #expect(model.building(logits: [0, 0, 5]) == nil)
    // 52.5 % and 73.1 % of the two.
    #expect(model.building(logits: [0.1, 0, -5]) == nil)
    #expect(model.building(logits: [1, 0, -5]) == "hall")
    // However sure of the hall beside the tower: a background is as probable, or more.
    #expect(model.building(logits: [1, -9, 1]) == "hall")
    #expect(model.building(logits: [1, -9, 1.1]) == nil)
  }
}
