import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus

@Suite("JSON writer") struct JSONWriterTests {
  static func text(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
  }

  @Test("Names are sorted by their bytes, nothing is spaced, slashes stay")
  func form() {
    let value = JSONValue.object([
      "b": .array([.null, .boolean(true), .integer(-3), .number(0.1)]), "a": .string("x/y"),
      "B": .object([:]), "é": .array([]),
    ])
    #expect(Self.text(value) == #"{"B":{},"a":"x/y","b":[null,true,-3,0.1],"é":[]}"#)
  }

  @Test("Texts are escaped where they must be")
  func escapes() throws {
    let text = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é🏛"
    let written = Self.text(.string(text))
    #expect(written == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}é🏛\"")
    #expect(try JSONReaderTests.read(written) == .string(text))
  }

  @Test("Numbers read back as the same")
  func numbers() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite, Int(exactly: number) == nil else { continue }
      #expect(try JSONReaderTests.read(Self.text(.number(number))) == .number(number))
    }
    #expect(Self.text(.number(48)) == "48" && Self.text(.number(1e300)) == "1e+300")
  }

  @Test("Writes what Foundation's encoder writes")
  func foundation() throws {
    let file = Repository.root.appending(path: "TrainingData/campus.geojson")
    let value = try JSONReader.value(of: Array(try Data(contentsOf: file)))
    #expect(Self.text(value) == (try jsonText(value)))
  }
}
