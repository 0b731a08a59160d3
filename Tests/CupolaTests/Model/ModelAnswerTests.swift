import Testing

@testable import Cupola

@Suite("Answers to logits") struct ModelAnswerTests {
  @Test("They are those of the recognizer", arguments: SampleModel.Subject.allCases)
  func sameAsRecognizer(subject: SampleModel.Subject) throws {
    for threshold in [0, 0.5, 0.999_999] {
      let model = try SampleModel.model(threshold: threshold)
      let picture = SampleModel.picture(subject)
      let features = try model.extractor.features(
        of: model.recipe.prepare(picture, geometry: model.recipe.geometry))
      let answer = try Recognizer(model: model).recognize(picture)
      #expect(model.building(logits: model.classifier.logits(features)) == answer.label)
    }
  }

  @Test("Backgrounds and improbable buildings are none")
  func none() throws {
    let model = try SampleModel.model(threshold: 0.5)
    #expect(model.building(logits: [5, 0, 0]) == "hall")
    #expect(model.building(logits: [0, 0, 5]) == nil)
    #expect(model.building(logits: [0.1, 0, 0]) == nil)
  }
}
