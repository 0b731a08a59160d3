import Cupola
import CupolaExport
import CupolaTestSupport
import Foundation
import Testing

/// The export of a campus of the table, as an app's author gets it.
struct GuideExport {
  let entry: GuideTable.Entry
  let folder: TemporaryFolder
  private let readme: String

  static func all(_ format: ExportFormat) throws -> [GuideExport] {
    try GuideTable.entries().map { try GuideExport($0, format) }
  }

  private init(_ entry: GuideTable.Entry, _ format: ExportFormat) throws {
    (self.entry, folder) = (entry, try TemporaryFolder())
    let export = try ModelExport(source: try entry.model.bytes(), format: format)
    for file in export.files { try folder.write(file.bytes, to: file.path) }
    try folder.write(entry.cases, to: "cases.txt")
    readme = try String(contentsOfFile: folder.path + "/README.md", encoding: .utf8)
  }

  /// Writes the code of README.md in a language, block by block; returns the paths.
  @discardableResult
  func write(_ language: String, to names: String...) throws -> [String] {
    let blocks = readme.components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] + "\n" }
    try #require(blocks.count >= names.count)
    return try zip(names, blocks).map { try folder.write($1, to: $0) }
  }

  /// Compares what a driver printed for some exports with the table.
  ///
  /// - Parameter isC: whether only the first of two buildings is told, and no part.
  static func check(_ output: String, of exports: [GuideExport], isC: Bool = false) {
    var lines = output.split(separator: "\n").map(String.init)[...]
    for export in exports {
      let sheet = export.entry.sheet
      if !isC { #expect(lines.popFirst() == export.entry.part, "\(sheet.name)") }
      for decision in sheet.decisions {
        let wanted = isC ? decision.answer.components(separatedBy: " or ")[0] : decision.answer
        #expect(lines.popFirst() == wanted, "\(sheet.name): \(decision.note)")
      }
      for place in sheet.places {
        let isOutside = lines.popFirst().map { $0 == "not_on_campus" }
        #expect(isOutside == place.outside, "\(sheet.name): \(place.note) \(place.at)")
      }
      for here in sheet.here ?? [] {
        let wanted = try? PlaceAnswer(export.entry.answer(here))
        let found = lines.popFirst().map(PlaceAnswer.init)
        #expect(found == wanted, "\(sheet.name): \(here.note)")
      }
    }
    #expect(lines.isEmpty)
  }
}

/// Programs that the guides are tried with, and the drivers that they run.
enum GuideTool: String {
  case python3, node, swiftc, java

  /// Where it lies on PATH.
  var path: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(rawValue)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func driver(_ path: String) -> String {
    Repository.root.appending(path: "Scripts/guides/" + path).path
  }

  /// Runs the program; what it printed.
  func run(_ arguments: [String]) throws -> String {
    try Self.run(try #require(path), arguments)
  }

  static func run(
    _ path: String, _ arguments: [String], input: [UInt8] = []
  ) throws -> String {
    let output = try CProgram.run(path, arguments, input)
    try #require(output.status == 0, "\(output.errors)")
    return String(decoding: output.data, as: UTF8.self)
  }
}
