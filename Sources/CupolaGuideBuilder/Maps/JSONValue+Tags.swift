internal import CupolaSupport

extension JSONValue {
  /// A finite number.
  var number: Double? { double.flatMap { $0.isFinite ? $0 : nil } }

  /// A number that names an object of OpenStreetMap.
  var identifier: Int64? {
    guard case .integer(let value) = self, value.magnitude < 1 << 62 else { return nil }
    return Int64(value)
  }

  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// A tag's value; what is neither text, number nor a yes or no is none, nor is an empty text.
  var tag: String? {
    switch self {
    case .boolean(let value): value ? "yes" : "no"
    default: text.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// Tags as OpenStreetMap has them.
  var tags: [String: String] { members?.compactMapValues(\.tag) ?? [:] }
}
