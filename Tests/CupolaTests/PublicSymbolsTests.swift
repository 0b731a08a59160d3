import CupolaTestSupport
import Foundation
import Testing

/// The public symbols of each library are recorded in `Documentation/PublicSymbols`, so that changes show in diffs. Set
/// `RECORD_SNAPSHOTS=1` to record them again; that run fails.
@Suite("Public symbols") struct PublicSymbolsTests {
  /// One declaration per line, prefixed with its enclosing types.
  static func symbols(of source: String) -> [String] {
    var symbols: [String] = []
    // The type that opened each brace level, and whether its cases and requirements are public.
    var scopes: [(name: String?, isOpen: Bool)] = []
    var declaration: String?
    for line in source.split(separator: "\n") {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("//") { continue }
      if declaration == nil, isPublic(text, in: scopes) { declaration = "" }
      if let begun = declaration {
        let whole = begun + (begun.isEmpty || begun.hasSuffix("(") ? "" : " ") + text
        declaration = whole
        let depth = whole.count { "([".contains($0) } - whole.count { ")]".contains($0) }
        if depth == 0, !whole.hasSuffix(",") {
          let names = scopes.compactMap(\.name)
          symbols.append((names + [head(of: whole)]).joined(separator: " / "))
          declaration = nil
        }
      }
      for character in text {
        if character == "{" {
          scopes.append((scopeName(of: text), text.contains("public enum")))
        } else if character == "}" {
          _ = scopes.popLast()
        }
      }
    }
    return symbols
  }

  private static func isPublic(
    _ text: Substring, in scopes: [(name: String?, isOpen: Bool)]
  ) -> Bool {
    text.hasPrefix("public ") && !text.contains(" import ")
      || text.hasPrefix("case ") && scopes.last?.isOpen == true
      || text.hasPrefix("indirect case ") && scopes.last?.isOpen == true
  }

  /// The declaration without its body or value.
  private static func head(of declaration: String) -> String {
    var depth = 0
    for (index, character) in zip(declaration.indices, declaration) {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      let rest = declaration[index...]
      if depth == 0, rest.hasPrefix(" {") || rest.hasPrefix(" = ") {
        return String(declaration[..<index])
      }
    }
    return declaration
  }

  private static func scopeName(of line: Substring) -> String? {
    let words = line.split { " :{<".contains($0) }
    let keywords: Set<Substring> = ["struct", "enum", "class", "actor", "extension", "protocol"]
    guard let at = words.firstIndex(where: keywords.contains), at + 1 < words.count else {
      return nil
    }
    return String(words[at + 1])
  }

  static func symbols(ofModule module: String) throws -> String {
    let sources = ArchitectureTests.sources.filter { $0.key.hasPrefix(module + "/") }
    let symbols = sources.values.flatMap { Self.symbols(of: $0.joined(separator: "\n")) }
    return symbols.sorted().joined(separator: "\n") + "\n"
  }

  @Test(
    "Public symbols match the recorded ones",
    arguments: [
      "CupolaCampus", "Cupola", "CupolaTraining", "CupolaExport", "CupolaGuide",
      "CupolaGuideBuilder",
      "CupolaTransit", "CupolaTours", "CupolaJournal",
    ])
  func recorded(module: String) throws {
    let file = Repository.root.appending(path: "Documentation/PublicSymbols/\(module).txt")
    let found = try Self.symbols(ofModule: module)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try Data(found.utf8).write(to: file)
      Issue.record("recorded again: \(file.path)")
      return
    }
    let known = try String(contentsOf: file, encoding: .utf8)
    let (own, other) = (Set(found.split(separator: "\n")), Set(known.split(separator: "\n")))
    #expect(own.subtracting(other) == [], "new symbols; set RECORD_SNAPSHOTS=1 to record them")
    #expect(other.subtracting(own) == [], "missing symbols")
    #expect(found == known)
  }

  @Test("Declarations are found in types, extensions and multiple lines")
  func scanner() {
    let source = """
      public enum Shape {
        case round, square(side: Int)
        enum Hidden { case no }
        public func area(
          of size: Int, in unit: [Int]
        ) -> Double { 0 }
        func own() {}
      }
      extension Shape {
        /// public nothing
        public static let usual: Shape = .round
        public var name: String { "a" }
      }
      """
    #expect(
      Self.symbols(of: source) == [
        "public enum Shape", "Shape / case round, square(side: Int)",
        "Shape / public func area(of size: Int, in unit: [Int] ) -> Double",
        "Shape / public static let usual: Shape", "Shape / public var name: String",
      ])
  }
}
