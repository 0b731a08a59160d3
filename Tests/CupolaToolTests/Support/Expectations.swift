import Foundation
import Testing

/// Expects that a command failed with an exit code and one line for people that holds some words.
func expectFailure(
  _ output: Tool.Output, _ status: Int32, _ words: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(!output.wasKilled, "killed by signal \(output.status)", sourceLocation: sourceLocation)
  #expect(output.status == status, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(output.messages.count == 1, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(output.stderr.hasPrefix("cupola: "), sourceLocation: sourceLocation)
  for word in words {
    #expect(
      output.stderr.contains(word), "\"\(word)\" in \(output.stderr)",
      sourceLocation: sourceLocation)
  }
}

/// Expects that a command did all it was asked for.
func expectSuccess(
  _ output: Tool.Output, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(output.status == 0, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(!output.wasKilled, sourceLocation: sourceLocation)
}

/// Expects that a command refused its arguments.
func expectUsageError(
  _ output: Tool.Output, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(output.status == 64, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(output.stdout.isEmpty, sourceLocation: sourceLocation)
  #expect(output.stderr.contains(words), "\(output.stderr)", sourceLocation: sourceLocation)
}

/// Expects that a photo `stray.jpg` beside the folders of labels, and nothing else, was told as skipped, in the JSON
/// too, and by the exit code.
func expectStray(
  _ output: Tool.Output, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(output.status == 1, sourceLocation: sourceLocation)
  #expect(output.messages.count == 1, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(
    output.stderr.hasPrefix("skipped: stray.jpg: a photo outside the label folders"),
    sourceLocation: sourceLocation)
  let summary = try #require(
    try output.json() as? [String: Any], sourceLocation: sourceLocation)
  let skipped = summary["skipped"] as? [[String: String]]
  #expect(skipped?.map { $0["photo"] } == ["stray.jpg"], sourceLocation: sourceLocation)
}

/// Compares a text with the one of that name in Snapshots.
///
/// With `RECORD_SNAPSHOTS=1` in the environment the text is written there instead, and the test
/// fails, so that nobody records by accident.
func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Snapshots/\(name).txt")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(file.path)", sourceLocation: sourceLocation)
    return
  }
  let expected = try? String(contentsOf: file, encoding: .utf8)
  #expect(
    text == expected, "differs from \(file.path); RECORD_SNAPSHOTS=1 records it anew",
    sourceLocation: sourceLocation)
}
