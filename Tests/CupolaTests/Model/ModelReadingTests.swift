import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Model reading") struct ModelReadingTests {
  @Test("The side of the square is known before the model, and is the model's")
  func side() throws {
    let model = try SampleModel.model()
    let reading = try ModelReading(bytes: model.bytes())
    #expect(reading.inputSide == model.recipe.inputSide)
    #expect(try reading.model() == model)
  }

  @Test("What is wrong beyond the header is told when it is read, not before")
  func damaged() throws {
    var bytes = try SampleModel.model().bytes()
    bytes[bytes.count - 1] ^= 1
    let reading = try ModelReading(bytes: bytes)
    #expect(reading.inputSide != nil)
    #expect(throws: CupolaError.badModel(.wrongDigest)) { try reading.model() }
  }

  @Test(
    "A recipe that does not say has no side, and the model says why",
    arguments: ["{}", "", "[]", "{\"inputSide\": 0}", "{\"inputSide\": \"256\"}"])
  func badRecipe(recipe: String) throws {
    let bytes = try ModelFileTests.edited { $0.metadata["recipe"] = recipe }
    let reading = try ModelReading(bytes: bytes)
    #expect(reading.inputSide == nil)
    #expect(throws: CupolaError.self) { try reading.model() }
  }

  @Test("A file without a header is refused at once")
  func noHeader() {
    #expect(throws: CupolaError.badModel(.notSafetensors)) { try ModelReading(bytes: [1, 2, 3]) }
  }
}
