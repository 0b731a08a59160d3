import Foundation
import Testing

@testable import Cupola

@Suite("Background recognizer") struct BackgroundRecognizerTests {
  @Test("It answers as the recognizer does, whatever the photo comes as")
  func sameAnswers() async throws {
    let recognizer = Recognizer(model: try SampleModel.model())
    let background = BackgroundRecognizer(recognizer)
    let bytes = try SampleModel.photo(.tower)
    let expected = try recognizer.recognize(photo: bytes)
    let file = FileManager.default.temporaryDirectory
      .appending(path: "cupola-\(UInt64.random(in: 0...UInt64.max)).jpg")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    for answer in [
      try await background.recognize(photo: bytes),
      try await background.recognize(photo: Data(bytes)),
      try await background.recognize(contentsOf: file),
      try recognizer.recognize(contentsOf: file),
    ] {
      #expect(answer.label == "tower" && answer.candidates == expected.candidates)
    }
    let picture = SampleModel.picture(.tower)
    let answer = try await background.recognize(picture)
    #expect(answer.candidates == (try recognizer.recognize(picture).candidates))
  }

  @Test("Its errors are the recognizer's")
  func errors() async throws {
    let background = BackgroundRecognizer(Recognizer(model: try SampleModel.model()))
    await #expect(throws: CupolaError.unsupportedFormat(.text)) {
      try await background.recognize(photo: Array("text".utf8))
    }
  }
}
