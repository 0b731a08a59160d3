import Cupola
import CupolaTraining

/// What `cupola import` tells of its work: schema `cupola.import/1`.
struct ImportSummary {
  private let source: PhotoImport
  private let copied: Int
  private let kept: Int
  private let converted: [String: Int]
  let failures: [String]
  /// Whether no photo came over.
  var isInVain: Bool { copied == 0 && kept == 0 && converted.isEmpty }

  init(_ source: PhotoImport, _ outcomes: [PhotoImport.Outcome]) {
    self.source = source
    copied = outcomes.filter { $0 == .copied }.count
    kept = outcomes.filter { $0 == .kept }.count
    var converted: [String: Int] = [:]
    var failures = source.unreadable
    for outcome in outcomes {
      if case .converted(let format) = outcome { converted[format.name, default: 0] += 1 }
      if case .failed(let line) = outcome { failures.append(line) }
    }
    (self.converted, self.failures) = (converted, failures)
  }

  var json: JSONObject {
    [
      "schema": "cupola.import/1", "folder": source.source, "output": source.target,
      "copied": copied, "converted": converted, "kept": kept, "failed": failures,
      "left_out": source.ignored.json,
    ]
  }

  var text: String {
    let formats = converted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let count = converted.values.reduce(0, +)
    var parts = ["\(copied) copied"]
    if count > 0 { parts.append("\(count) converted (\(formats.joined(separator: ", ")))") }
    if kept > 0 { parts.append("\(kept) there already") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    // What cannot even be listed failed as a photo would.
    let photos = FigureText.count(source.items.count + source.unreadable.count, "photo")
    var lines = [VisibleText.line("\(source.target): \(photos): " + parts.joined(separator: ", "))]
    if !source.ignored.text.isEmpty { lines.append("left out: " + source.ignored.text) }
    return lines.joined(separator: "\n")
  }
}
