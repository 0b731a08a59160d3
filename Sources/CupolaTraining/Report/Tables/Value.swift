#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

internal import Cupola
internal import CupolaCampus

// The values of a report, exact for programs and rounded for readers.
// 1. Represent a table cell (Value). 2. Format numbers (FigureText). 3. Sort JSON members by name (JSONObject).

enum Value: Sendable {
  case text(String?)
  case count(Int?)
  case share(Double?)
  case decimal(Double?, digits: Int)
  case interval([Double]?)
  case numbers([Double]?)
  case texts([String: String])
  case other(JSONObject.Member, String)

  var json: JSONObject.Member? {
    switch self {
    case .text(let text): return text
    case .count(let count): return count
    case .share(let number), .decimal(let number, _): return number
    case .interval(let ends): return ends
    case .numbers(let numbers): return numbers
    case .texts(let texts): return texts
    case .other(let value, _): return value
    }
  }

  var number: Double? {
    switch self {
    case .count(let count): count.map(Double.init)
    case .share(let number), .decimal(let number, _): number
    default: nil
    }
  }

  /// The display text; `-` for an unknown number.
  var text: String {
    switch self {
    case .text(let text): text ?? ""
    case .count(let count): count.map { "\($0)" } ?? "-"
    case .share(let share): FigureText.percent(share)
    case .decimal(let number, let digits): FigureText.decimal(number, digits: digits)
    case .interval(let ends): ends.map(FigureText.interval) ?? "-"
    case .numbers(let numbers): numbers?.map { "\($0)" }.joined(separator: " ") ?? ""
    case .texts(let texts): texts.keys.sorted().map { texts[$0] ?? "" }.joined(separator: ", ")
    case .other(_, let text): text
    }
  }

  var fields: [String] {
    switch self {
    case .interval(let ends): ends?.map { "\($0)" } ?? ["", ""]
    case .text, .numbers, .texts: [text]
    case .count(let count): [count.map { "\($0)" } ?? ""]
    case .share(let number), .decimal(let number, _): [number.map { "\($0)" } ?? ""]
    case .other(let value, _): ["\(value)"]
    }
  }
}

package enum FigureText {
  /// The smallest fraction not shown as 0.0%.
  package static let leastPercent = Digits.leastPercent

  /// A fraction as a percentage with one decimal place, or `-`.
  package static func percent(_ share: Double?) -> String { share.map(Digits.percent) ?? "-" }

  package static func decimal(_ value: Double?, digits: Int) -> String {
    value.map { Digits.decimal($0, digits: digits) } ?? "-"
  }

  /// A small fraction as a percentage with enough decimal places to differ from 0, at most 6.
  package static func smallPercent(_ share: Double) -> String {
    var (digits, scaled) = (1, 1000 * share)
    while share > 0, digits < 6, scaled <= 0.95 { (digits, scaled) = (digits + 1, 10 * scaled) }
    return decimal(100 * share, digits: digits) + "%"
  }

  /// The first 3 names and the number of other names: `a, b, c and 2 more`.
  package static func list(_ names: [String]) -> String {
    let rest = names.count - listed
    return names.prefix(listed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let listed = 3

  static func interval(_ ends: [Double]) -> String {
    ends.count == 2 ? "\(decimal(100 * ends[0], digits: 1)) to \(percent(ends[1]))" : "-"
  }

  static func inBrackets(_ ends: [Double]) -> String {
    " (95% interval " + ends.map(percent).joined(separator: " to ") + ")"
  }

  /// The difference of two fractions in percentage points, from their percentages as shown next to it.
  static func points(between first: Double, and second: Double) -> String {
    let shown = [first, second].map { Double(decimal(100 * $0, digits: 1)) ?? 100 * $0 }
    return decimal((shown[0] - shown[1]).magnitude, digits: 1)
  }

  static func odds(_ logarithm: Double) -> String {
    let ratio = exp(min(logarithm.magnitude, 700))
    let text = ratio >= 1e6 ? "over a million" : decimal(ratio, digits: ratio < 10 ? 1 : 0)
    return logarithm < 0 ? "1 : \(text)" : "\(text) : 1"
  }

  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

/// A JSON object with members sorted by name; `nil` members are omitted.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral, Sendable {
  package typealias Member = any Encodable & Sendable

  private var members: [String: Member] = [:]

  package init(dictionaryLiteral members: (String, Member?)...) {
    for (name, value) in members { self.members[name] = value }
  }

  package init(_ members: some Sequence<(String, Member?)>) {
    for (name, value) in members { self.members[name] = value }
  }

  subscript(path: [String]) -> Member? {
    get {
      guard let name = path.first, let value = members[name] else { return nil }
      return path.count == 1 ? value : (value as? JSONObject)?[Array(path.dropFirst())]
    }
    set {
      guard let newValue, let name = path.first else { return }
      guard path.count > 1 else {
        members[name] = newValue
        return
      }
      var inner = members[name] as? JSONObject ?? [:]
      inner[Array(path.dropFirst())] = newValue
      members[name] = inner
    }
  }

  package func adding(_ other: JSONObject) -> JSONObject {
    var sum = self
    sum.members.merge(other.members) { $1 }
    return sum
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members { try container.encode(value, forKey: Name(name)) }
  }

  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// Encodes JSON in the form used by Cupola's files and commands: sorted keys, unescaped slashes, no terminal control
  /// characters, and one line unless `pretty` is true.
  package static func text(_ value: some Encodable, pretty: Bool = false) throws -> String {
    VisibleText.json(String(decoding: try bytes(value, pretty: pretty), as: UTF8.self))
  }

  static func bytes(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(value))
  }

  static func decoded<Kind: Decodable>(_ kind: Kind.Type, from bytes: [UInt8]) throws -> Kind {
    try JSONDecoder().decode(kind, from: Data(bytes))
  }
}
