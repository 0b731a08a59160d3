import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

@Suite("Web export") struct WebTests {
  private static let source: [ExportFile] = [
    ExportFile(path: "cupola.h", bytes: Array("#pragma once\n".utf8)),
    ExportFile(path: "cupola.c", bytes: Array("#error \"broken\"\n".utf8)),
  ]

  @Test("The page asks for no other server, and stores its files for use without a network")
  func page() throws {
    let export = try SampleExports.export(.web)
    let texts = Dictionary(
      uniqueKeysWithValues: export.files.map {
        ($0.path, String(decoding: $0.bytes, as: UTF8.self))
      })
    for name in ["index.html", "page.css", "page.js", "recognizer.js", "offline.js"] {
      let text = try #require(texts[name])
      #expect(!text.contains("http://") && !text.contains("https://"), "\(name)")
      if name != "index.html", name != "offline.js" {
        #expect(texts["offline.js"]?.contains("\"\(name)\"") == true)
      }
    }
    for name in ["campus.wasm", "export.json"] {
      #expect(texts["offline.js"]?.contains("\"\(name)\"") == true)
    }
    // The map is requested only if the manifest lists it.
    let map = #"if (manifest?.files["campus.geojson"]) await store("campus.geojson")"#
    #expect(texts["offline.js"]?.contains(map) == true)
    #expect(texts["export.json"]?.contains(WebProgram(Self.source).digest) == false)
    #expect(export.modelFiles.map(\.path) == ["campus.wasm"])
  }

  @Test("Verification accepts the bytes of other compilers, but not a changed program")
  func verification() throws {
    let folder = try TemporaryFolder()
    let source = try SampleModels.hog().bytes()
    var options = SampleExports.options(.web)
    options.program = Array("another compiler".utf8)
    let export = try ModelExport(source: source, format: .web, options: options)
    try ExportFolder(path: folder.path("out")).write(export)
    #expect(try ExportVerification(folder: folder.path("out"), source: source).faults == [])
    try folder.write("changed", to: "out/campus.wasm")
    let faults = try ExportVerification(folder: folder.path("out"), source: source).faults
    #expect(faults.first == "campus.wasm has changed since the export; export again")
  }

  @Test("A missing or failing compiler is reported in one line with advice")
  func failure() throws {
    let error = #expect(throws: ExportError.self) {
      try WebProgram(Self.source).compiled()
    }
    let message = try #require(error).message
    #expect(message.contains("apt-get install clang lld"))
    #expect(!message.contains("\n"))
    if WebProgram.isPossible { #expect(message.contains("error")) }
  }

  /// Compiles with Clang, if it supports WebAssembly.
  @Test(
    "Gives the answers in the table",
    .enabled(if: WebProgram.isPossible && GuideTool.node.path != nil, "no clang, wasm-ld or node"))
  func answers() throws {
    for entry in try GuideTable.entries() {
      let export = try ModelExport(source: try entry.model.bytes(), format: .web)
      let folder = try TemporaryFolder()
      for file in export.files { try folder.write(file.bytes, to: file.path) }
      try folder.write(entry.cases, to: "cases.txt")
      let output = try GuideTool.node.run([GuideTool.driver("web/page.mjs"), folder.path])
      let found = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let decisions = entry.sheet.decisions.map { decision in
        let text = entry.recognition(decision).text(in: entry.model.campus)
        return "\(text.title) | \(text.detail ?? "")"
      }
      let places = entry.sheet.places.map { $0.outside ? "Not on Campus" : "" }
      let here = try (entry.sheet.here ?? []).map {
        String(try entry.answer($0).split(separator: " ")[0])
      }
      #expect(found.map(String.init) == decisions + places + here, "\(entry.sheet.name)")
    }
  }
}
