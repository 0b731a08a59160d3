import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Compares a drawing with the one of that name in Snapshots.
///
/// With `RECORD_SNAPSHOTS=1` in the environment it is written there instead, and the test fails, so
/// that nobody records by accident.
func expectDrawing(
  _ svg: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots/\(name).svg")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try Data(svg.utf8).write(to: file)
    Issue.record("recorded \(file.path)", sourceLocation: sourceLocation)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(
    svg == expected, "differs from \(file.path); RECORD_SNAPSHOTS=1 records it anew",
    sourceLocation: sourceLocation)
}

/// What every drawing must be: XML that is well formed, without scripts, references and numbers
/// that are none.
func expectSound(_ svg: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let parser = XMLParser(data: Data(svg.utf8))
  #expect(
    parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)",
    sourceLocation: sourceLocation)
  for word in ["<script", "href", "url(", "@import", "<foreignObject", "<image", " on"] {
    let elements = svg.matches(of: /<[^!?\/][^>]*>/).map { String($0.output) }
    #expect(!elements.contains { $0.contains(word) }, "\(word)", sourceLocation: sourceLocation)
  }
  for attribute in svg.matches(of: /\ (d|x|y|width|height|cx|cy|r|viewBox|transform)="([^"]*)"/) {
    let value = attribute.output.2
    #expect(
      !value.contains("nan") && !value.contains("inf") && !value.contains("e+"),
      "\(attribute.output.0.prefix(80))", sourceLocation: sourceLocation)
    #expect(!value.contains(/\.\d{3}/), "more than two decimals", sourceLocation: sourceLocation)
  }
}
