import Cupola
import Foundation
import Testing

@testable import CupolaExport

/// What ``CSource`` says about exports that somebody changed.
@Suite("C export: corruptions") struct CSourceCorruptionTests {
  static let map = """
    {"type":"Feature","properties":{"role":"boundary"},
     "geometry":{"type":"Polygon","coordinates":[[[10,48],[10.5,48],[10.5,48.5],[10,48]]]}}
    """

  static func model() throws -> Model {
    var model = SampleModels.fisher()
    model.campus = try Campus(geoJSON: Array(map.utf8))
    return model
  }

  /// One change, and the beginning of what is said about it.
  struct Corruption: CustomStringConvertible, Sendable {
    let description: String
    var file = CSource.sourceName
    let change: @Sendable (String) -> String
    let message: String
  }

  static func replacing(_ text: String, _ other: String) -> @Sendable (String) -> String {
    { source in
      guard let range = source.range(of: text) else { return source }
      return source.replacingCharacters(in: range, with: other)
    }
  }

  static let corruptions = [
    Corruption(
      description: "a weight",
      change: { source in
        let start = source.range(of: "CUPOLA_TABLE(classifier_weight")?.upperBound
        let rest = start ?? source.startIndex
        guard let word = source.range(of: "0x", range: rest..<source.endIndex) else {
          return source
        }
        let digit = source[word.upperBound] == "3" ? "4" : "3"
        return source.replacingCharacters(
          in: word.upperBound..<source.index(after: word.upperBound), with: digit)
      }, message: "cupola.c: its tables were changed"),
    Corruption(
      description: "labels in another order",
      change: replacing("  \"hall\",\n  \"tower\",\n", "  \"tower\",\n  \"hall\",\n"),
      message: "is of another model: label 1 is \"tower\", the model has \"hall\""),
    Corruption(
      description: "a label renamed", change: replacing("  \"tower\",", "  \"spire\","),
      message: "is of another model: label 2 is \"spire\", the model has \"tower\""),
    Corruption(
      description: "rows of other labels",
      change: replacing("{\n1, 0, 2, 0,\n}", "{\n0, 1, 2, 0,\n}"),
      message: "is of another model: its rows stand for other labels"),
    Corruption(
      description: "a function", change: replacing("sum += a[i] * b[i];", "sum -= a[i] * b[i];"),
      message: "cupola.c:"),
    Corruption(
      description: "a smaller workspace", file: CSource.headerName,
      change: replacing("#define CUPOLA_PATCHES ", "#define CUPOLA_PATCHES 1 // "),
      message: "cupola.h:20: not the line that Cupola writes"),
    Corruption(
      description: "another side", file: CSource.headerName,
      change: replacing("CUPOLA_SIDE 48", "CUPOLA_SIDE 50"),
      message: "is of another model: its recipe differs"),
    Corruption(
      description: "another number of components", file: CSource.headerName,
      change: replacing("CUPOLA_COMPONENTS 8", "CUPOLA_COMPONENTS 16"),
      message: "its numbers contradict each other: "),
    Corruption(
      description: "another format", file: CSource.headerName,
      change: replacing("FORMAT_VERSION 1", "FORMAT_VERSION 2"),
      message: "was made by format 2, this is Cupola"),
    Corruption(
      description: "another version of Cupola", file: CSource.headerName,
      change: replacing("CUPOLA_VERSION \"", "CUPOLA_VERSION \"9."),
      message: "was made by Cupola 9."),
    Corruption(
      description: "the temperature",
      change: replacing("CUPOLA_TEMPERATURE 0.5", "CUPOLA_TEMPERATURE 0.6"),
      message: "is of another model: its temperature or thresholds differ"),
    Corruption(
      description: "a corner of the fence", change: replacing("10.5, 48.5,", "10.5, 48.6,"),
      message: "is of another model: its fence differs"),
    Corruption(
      description: "a contrast", change: replacing("FLAT_CONTRAST 0.02f", "FLAT_CONTRAST 0.03f"),
      message: "is of another model: its recipe differs"),
    Corruption(
      description: "cut short", change: { String($0.prefix($0.count / 3)) }, message: "cupola.c:"),
    Corruption(
      description: "a table's size",
      change: replacing(
        "CUPOLA_TABLE(fisher_hog_offset, F16, 1, 6)", "CUPOLA_TABLE(fisher_hog_offset, F16, 1, 60)"),
      message: "cupola.c: the table fisher_hog_offset is not as an export has it"),
    Corruption(
      description: "something added", change: { $0 + "int more;\n" }, message: "cupola.c:"),
    Corruption(
      description: "no constants",
      change: replacing("#define CUPOLA_LEAST_SHARE", "#define LEAST_SHARE"),
      message: "cupola.c: has no CUPOLA_LEAST_SHARE"),
  ]

  @Test("Every corruption is named", arguments: corruptions)
  func named(corruption: Corruption) throws {
    let model = try Self.model()
    let source = try CSource(model: model, weights: .float16)
    var files = [
      CSource.headerName: String(decoding: source.header, as: UTF8.self),
      CSource.sourceName: String(decoding: source.source, as: UTF8.self),
    ]
    let sound = try #require(files[corruption.file])
    files[corruption.file] = corruption.change(sound)
    try #require(files[corruption.file] != sound)
    let fault = #expect(throws: CSourceFault.self) {
      let read = try CSource(
        header: Array((files[CSource.headerName] ?? "").utf8),
        source: Array((files[CSource.sourceName] ?? "").utf8))
      try read.check(against: model)
    }
    let message = fault?.message ?? ""
    #expect(message.hasPrefix(corruption.message), "\(message)")
  }

  @Test(
    "No byte may change, and nothing crashes", arguments: [CSource.headerName, CSource.sourceName])
  func anyByte(file: String) throws {
    let model = try Self.model()
    let source = try CSource(model: model, weights: .int8)
    let sound = file == CSource.headerName ? source.header : source.source
    var generator = SplitMix64(seed: 8)
    for round in 0..<150 {
      var bytes = sound
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch round % 3 {
      case 0: bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + round))
      default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      }
      guard bytes != sound else { continue }
      #expect(throws: CSourceFault.self, "round \(round)") {
        let read = try CSource(
          header: file == CSource.headerName ? bytes : source.header,
          source: file == CSource.sourceName ? bytes : source.source)
        try read.check(against: model)
      }
    }
  }

  @Test(
    "Texts that are no export at all",
    arguments: [
      "", "\n", "CUPOLA_TABLE(", "CUPOLA_TABLE()",
      "CUPOLA_TABLE(a, F32, 9223372036854775807, 9) = {{\n}};\n",
      "#define CUPOLA_", "static const int label_of_row[CUPOLA_ROWS] = {",
      "CUPOLA_TABLE(a,I8,1,1)\n}};",
    ])
  func garbage(text: String) throws {
    let source = try CSource(model: try Self.model(), weights: .int8)
    #expect(throws: CSourceFault.self) {
      try CSource(header: Array(text.utf8), source: source.source)
    }
    #expect(throws: CSourceFault.self) {
      try CSource(header: source.header, source: Array(text.utf8))
    }
  }
}
