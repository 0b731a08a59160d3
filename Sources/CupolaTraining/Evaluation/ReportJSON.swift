#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The figures and the raw predictions as one JSON object, names in order.
///
/// Predictions are encoded one by one, a line each: thousands of them at once would take hundreds of
/// megabytes on their way.
enum ReportJSON {
  static func bytes(_ report: EvaluationReport, _ evaluation: Evaluation) throws -> [UInt8] {
    let figures = Array(try encoder(pretty: true).encode(Frame(report: report)))
    // No text in JSON has a line feed in it: this is the frame's own member.
    let mark = Array("\n  \"predictions\" : [".utf8)
    guard let start = position(of: mark, in: figures) else { return figures }
    let end = start + mark.count
    let plain = encoder()
    var bytes = Array(figures[..<end])
    var separator: UInt8?
    try Prediction.forEach(in: evaluation, baseline: report.baseline) { prediction in
      if let separator { bytes.append(separator) }
      separator = UInt8(ascii: ",")
      bytes += Array("\n    ".utf8)
      bytes += try plain.encode(prediction)
    }
    let rest = figures[end...].drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
    return bytes + Array("\n  ".utf8) + rest + [UInt8(ascii: "\n")]
  }

  /// A report with room for predictions.
  private struct Frame: Encodable {
    let report: EvaluationReport

    private enum CodingKeys: String, CodingKey { case predictions }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode([String](), forKey: .predictions)
    }
  }

  static func encoder(pretty: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return encoder
  }

  private static func position(of part: [UInt8], in whole: [UInt8]) -> Int? {
    guard whole.count >= part.count else { return nil }
    return (0...whole.count - part.count).first { start in
      whole[start] == part[0] && whole[start..<start + part.count].elementsEqual(part)
    }
  }
}
