import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Model glance") struct ModelGlanceTests {
  @Test("The side of the square is the model's")
  func side() throws {
    let folder = try TemporaryFolder()
    let model = try SampleModel.model()
    try folder.write(try model.bytes(), to: "m.safetensors")
    #expect(
      ModelGlance.inputSide(inFileAt: folder.path + "/m.safetensors") == model.recipe.inputSide)
  }

  @Test(
    "It is what stands last in the header",
    arguments: [
      (#"\"inputSide\":256,"#, 256), (#"x\"inputSide\":7"#, 7), (#"\"inputSide\":12345"#, 1234),
      (#"\"inputSide\":1,\"inputSide\":2}"#, 2), (#"\"inputSide\":0}"#, nil),
      (#"\"inputSide\":\"256\""#, nil), (#"\"inputSide\":"#, nil), (#"\"inputSide\""#, nil),
      (#""inputSide":256"#, nil), ("", nil),
    ] as [(String, Int?)])
  func header(text: String, side: Int?) {
    #expect(ModelGlance.inputSide(in: Array(text.utf8)) == side)
  }

  @Test("Of what is no model nothing is said", arguments: ["", "photo", "\u{FF}\0\0\0\0\0\0\0{"])
  func noModel(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "m.safetensors")
    #expect(ModelGlance.inputSide(inFileAt: folder.path + "/m.safetensors") == nil)
    #expect(ModelGlance.inputSide(inFileAt: folder.path + "/none") == nil)
    #expect(ModelGlance.inputSide(inFileAt: folder.path) == nil)
  }
}
