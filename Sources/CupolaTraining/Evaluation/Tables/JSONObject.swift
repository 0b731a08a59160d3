internal import Cupola

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An object of JSON whose members are named where their values are; what is `nil` is left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral, Sendable {
  package typealias Member = any Encodable & Sendable

  private var members: [String: Member] = [:]

  package init(dictionaryLiteral members: (String, Member?)...) {
    for (name, value) in members { self.members[name] = value }
  }

  package init(_ members: some Sequence<(String, Member?)>) {
    for (name, value) in members { self.members[name] = value }
  }

  /// A member, also of an object inside of this one, which is made when it is not there.
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

  /// These members and those of another object.
  package func adding(_ other: JSONObject) -> JSONObject {
    var sum = self
    sum.members.merge(other.members) { $1 }
    return sum
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members { try container.encode(value, forKey: Name(name)) }
  }

  /// The name of a member, whatever it is.
  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// JSON as files and the command have it: names in order, slashes as they are, on one line unless
  /// `pretty`, nothing in it that steers a terminal.
  package static func text(_ value: some Encodable, pretty: Bool = false) throws -> String {
    VisibleText.json(String(decoding: try bytes(value, pretty: pretty), as: UTF8.self))
  }

  static func bytes(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(value))
  }
}
