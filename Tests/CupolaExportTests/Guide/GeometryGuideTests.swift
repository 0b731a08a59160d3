import Cupola
import Foundation
import Testing

@testable import CupolaExport

@Suite("Geometry in exports") struct GeometryGuideTests {
  private static let window = Geometry.window(
    Geometry.Window(left: 10, top: 20, width: 50, height: 60))

  private static func model(_ geometry: Geometry) -> Model {
    var model = SampleModels.hog()
    model.recipe.geometry = geometry
    return model
  }

  @Test(
    "Texts in model files say what the model's recipe does with a photo",
    arguments: [ExportFormat.onnx, .coreml, .tflite])
  func texts(format: ExportFormat) throws {
    let part = "the part 50 % wide and 60 % high from 10 % from the left and 20 % from the top"
    let words = [
      (Geometry.squash, "squashed to "), (.centerCrop, "its largest centered square"),
      (Self.window, part),
    ]
    for (geometry, word) in words {
      let model = Self.model(geometry)
      let files = try format.files(of: model, notes: ExportNotes(model, source: [1]))
      let data = Data(files.flatMap(\.bytes))
      func says(_ text: String) -> Bool { data.range(of: Data(text.utf8)) != nil }
      #expect(says(word), "\(geometry)")
      #expect(says("squashed to ") == (geometry != .centerCrop), "\(geometry)")
      // ONNX has no card.
      #expect(says("do not crop") == (geometry == .squash && format != .onnx), "\(geometry)")
    }
  }

  @Test("Of the smallest photo a pixel is left, too")
  func smallest() {
    let line = "  val part = upright // the whole photo is stretched to the square\n"
    let code = Self.window.adapted(line)
    #expect(code.contains("maxOf(1, width * 50 / 100), maxOf(1, height * 60 / 100))"))
  }

  @Test("A window's numbers stand in the notes")
  func notes() {
    let input = ExportNotes(Self.model(Self.window), source: [1]).texts["input"]
    #expect(input?.contains(#""geometry":"window""#) == true)
    #expect(input?.contains(#""window":{"height":60,"left":10,"top":20,"width":50}"#) == true)
    #expect(
      ExportNotes(Self.model(.squash), source: [1]).texts["input"]?.contains("window") == false)
  }
}
