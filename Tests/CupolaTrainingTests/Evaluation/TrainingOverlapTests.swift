import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Photos that trained a model")
struct TrainingOverlapTests {
  @Test("of two files whose names Swift takes to be equal only the one that trained is told")
  func twins() async throws {
    let contents = [
      try Pictures.jpeg(.level, seed: 1), try Pictures.jpeg(.noise, seed: 2),
    ]
    let photos = zip(contents, ["cafe\u{301}.jpg", "caf\u{E9}.jpg"]).map { bytes, name in
      LabeledPhoto(contents: bytes, name: name, label: "chapel")
    }
    var model = ReportFixture.model()
    model.provenance.photoDigests = [
      "chapel": PhotoDigests(sha256: [SHA256.hexadecimal(of: contents[0])])
    ]
    var evaluator = Evaluator(model)
    let seen = await evaluator.look(at: photos)
    let overlap = await TrainingOverlap(
      of: seen, with: model, decoder: PhotoDecoder(), threads: 1)
    #expect(overlap.found == [Array("cafe\u{301}.jpg".utf8): .same])
    evaluator.overlap = overlap
    let leaks = await evaluator.evaluate(seen).known.map(\.facts.leak)
    #expect(leaks == [.same, nil])
  }
}
