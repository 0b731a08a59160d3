import CupolaTestSupport
import Foundation
import Testing

@Suite("Architecture") struct ArchitectureTests {
  static let sources: [String: [Substring]] = {
    let root = Repository.root.appending(path: "Sources")
    let paths =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    // Code of export guides is copied into apps and belongs to no module.
    let own = paths.filter { $0.hasSuffix(".swift") && !$0.contains("/Guide/Code/") }
    return Dictionary(
      uniqueKeysWithValues: own.compactMap { path in
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
          return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (path, lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") })
      })
  }()

  private static func files(where matches: (Substring) -> Bool) -> Set<String> {
    Set(sources.filter { $0.value.contains(where: matches) }.keys)
  }

  @Test(
    "Exactly one Swift file imports each C library",
    arguments: [
      ("CLinearAlgebra", "Cupola/Mathematics/BLAS.swift"),
      ("CVectors", "Cupola/Mathematics/WideRows.swift"),
      ("CJPEG", "Cupola/Photo/JPEGCodec.swift"), ("CHEIF", "Cupola/Photo/HEIFContainer.swift"),
      ("CPNG", "Cupola/Photo/PNGContainer.swift"), ("CWebP", "Cupola/Photo/WebPContainer.swift"),
      ("CSHA256", "CupolaSupport/Digests/SHA256.swift"), ("CZlib", "CupolaSupport/Inflate.swift"),
    ])
  func libraryImports(library: String, file: String) {
    #expect(Self.files { $0.hasSuffix("import \(library)") } == [file])
  }

  @Test("Modules for phones import no training or server module")
  func phoneModules() {
    let phone = [
      "CupolaSupport", "CupolaCampus", "Cupola", "CupolaGuide", "CupolaTransit", "CupolaTours",
    ]
    let bench = [
      "CupolaTraining", "CupolaExport", "CupolaGuideBuilder", "CupolaServe", "ArgumentParser",
    ]
    let importing = Self.files { line in bench.contains { line.hasSuffix("import \($0)") } }
    #expect(importing.filter { file in phone.contains { file.hasPrefix($0 + "/") } } == [])
    #expect(importing.count > 10)
  }

  @Test(
    "Sources contain no forced casts, fatal errors or unsafe flags",
    arguments: ["try!", "as!", "fatalError(", "unsafeFlags"])
  func forbiddenWords(word: String) { #expect(Self.files { $0.contains(word) } == []) }

  @Test("Seeded random draws do not use standard library algorithms")
  func randomDraws() {
    #expect(
      Self.files { line in
        ["shuffled(using:", "shuffle(using:", "randomElement(using:"].contains { line.contains($0) }
          || line.contains(".random(in:") && line.contains("using:")
      } == [])
  }

  @Test("No file has more than 500 lines of code")
  func lengths() {
    #expect(Self.sources.count > 100)
    #expect(Self.sources.filter { $0.value.count > 500 }.keys.sorted() == [])
  }
}
