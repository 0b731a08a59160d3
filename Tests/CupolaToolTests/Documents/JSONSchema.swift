import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

/// Validates JSON against the files in `Documentation/Schemas`.
///
/// Supports the keywords of JSON Schema draft 2020-12 that these files use. In addition to the specification, members
/// that a schema does not describe are faults, unless it has `additionalProperties`.
struct JSONSchemas {
  /// Keywords that do not restrict values.
  private static let annotations: Set<String> = ["$schema", "$defs", "title", "description"]
  private static let keywords: Set<String> = [
    "$ref", "type", "enum", "const", "oneOf", "anyOf", "required", "properties",
    "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum", "pattern",
  ]

  /// All schemas by file name.
  let files: [String: JSONValue]

  static let shared = Result { try JSONSchemas() }

  init() throws {
    let folder = Repository.root.appending(path: "Documentation/Schemas")
    var files: [String: JSONValue] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      files[name] = try JSONReader.value(of: bytes)
    }
    self.files = files
  }

  /// The name of a format, such as `cupola.route/1`.
  static func format(of value: JSONValue) -> String? {
    guard case .object(let members) = value else { return nil }
    return (members["schema"] ?? members["format"])?.text
  }

  /// The file that describes a format: `route.json` for `cupola.route/1`.
  static func file(of format: String) -> String {
    let name = format.prefix { $0 != "/" }.dropFirst("cupola.".count)
    return name.replacing(".", with: "_") + ".json"
  }

  /// Returns the differences between a value and its schema.
  func faults(of value: JSONValue, format: String) -> [String] {
    let file = Self.file(of: format)
    guard let schema = files[file] else { return ["no schema \(file)"] }
    return faults(of: value, Context(schema: schema, file: file, path: "$"))
  }

  private struct Context {
    var schema: JSONValue
    var file: String
    var path: String

    func entering(_ schema: JSONValue, _ part: String = "") -> Context {
      Context(schema: schema, file: file, path: path + part)
    }
  }

  private func faults(of value: JSONValue, _ context: Context) -> [String] {
    guard case .object(let schema) = context.schema else {
      return context.schema == .boolean(true) ? [] : ["\(context.path): not allowed"]
    }
    var faults: [String] = []
    for keyword in schema.keys.sorted() where !Self.annotations.contains(keyword) {
      if !Self.keywords.contains(keyword) {
        faults.append("\(context.file): unknown keyword \(keyword)")
      }
    }
    if let reference = schema["$ref"]?.text {
      faults += self.faults(of: value, reference: reference, context)
    }
    if let type = schema["type"], !Self.types(type).contains(where: { Self.has(value, $0) }) {
      return faults + [
        "\(context.path): the type is not \(Self.types(type).joined(separator: "|"))"
      ]
    }
    if let constant = schema["const"], constant != value {
      faults.append("\(context.path): \(value) is not \(constant)")
    }
    if case .array(let values) = schema["enum"], !values.contains(value) {
      faults.append("\(context.path): \(value) is not in the enumeration")
    }
    faults += branchFaults(of: value, schema, context)
    switch value {
    case .object(let members): faults += self.faults(of: members, schema, context)
    case .array(let items): faults += self.faults(of: items, schema, context)
    case .string(let text): faults += Self.faults(of: text, schema, context)
    default: if let number = value.double { faults += Self.faults(of: number, schema, context) }
    }
    return faults
  }

  private func branchFaults(
    of value: JSONValue, _ schema: [String: JSONValue], _ context: Context
  ) -> [String] {
    var faults: [String] = []
    for keyword in ["oneOf", "anyOf"] {
      guard case .array(let branches) = schema[keyword] else { continue }
      let results = branches.map { self.faults(of: value, context.entering($0)) }
      let matches = results.count(where: \.isEmpty)
      if matches == 0 {
        faults.append("\(context.path): matches no branch of \(keyword)")
        faults += results.min { $0.count < $1.count } ?? []
      } else if matches > 1, keyword == "oneOf" {
        faults.append("\(context.path): matches \(matches) branches of oneOf")
      }
    }
    return faults
  }

  /// Follows `#/$defs/NAME`, `FILE#/$defs/NAME` or `FILE`.
  private func faults(of value: JSONValue, reference: String, _ context: Context) -> [String] {
    let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? context.file : String(parts[0])
    var target = files[file]
    for name in parts.dropFirst().first?.split(separator: "/") ?? [] {
      guard case .object(let members) = target else { break }
      target = members[String(name)]
    }
    guard let target else { return ["\(context.file): no \(reference)"] }
    return faults(of: value, Context(schema: target, file: file, path: context.path))
  }

  private func faults(
    of members: [String: JSONValue], _ schema: [String: JSONValue], _ context: Context
  ) -> [String] {
    var faults: [String] = []
    if case .array(let names) = schema["required"] {
      for name in names.compactMap(\.text) where members[name] == nil {
        faults.append("\(context.path).\(name): missing")
      }
    }
    var properties: [String: JSONValue] = [:]
    if case .object(let described) = schema["properties"] { properties = described }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let part = ".\(name)"
      if let property = properties[name] {
        faults += self.faults(of: value, context.entering(property, part))
      } else if let additional = schema["additionalProperties"] {
        faults += self.faults(of: value, context.entering(additional, part))
      } else if schema["properties"] != nil {
        faults.append("\(context.path)\(part): not in the schema")
      }
    }
    return faults
  }

  private func faults(
    of items: [JSONValue], _ schema: [String: JSONValue], _ context: Context
  ) -> [String] {
    var faults: [String] = []
    if let least = schema["minItems"]?.double, Double(items.count) < least {
      faults.append("\(context.path): fewer than \(Int(least)) items")
    }
    if let most = schema["maxItems"]?.double, Double(items.count) > most {
      faults.append("\(context.path): more than \(Int(most)) items")
    }
    guard let item = schema["items"] else { return faults }
    for (index, value) in items.enumerated() {
      faults += self.faults(of: value, context.entering(item, "[\(index)]"))
    }
    return faults
  }

  private static func faults(
    of text: String, _ schema: [String: JSONValue], _ context: Context
  ) -> [String] {
    guard let pattern = schema["pattern"]?.text else { return [] }
    guard let expression = try? Regex(pattern) else {
      return ["\(context.file): invalid pattern \(pattern)"]
    }
    return text.firstMatch(of: expression) == nil
      ? ["\(context.path): \(text) does not match \(pattern)"] : []
  }

  private static func faults(
    of number: Double, _ schema: [String: JSONValue], _ context: Context
  ) -> [String] {
    var faults: [String] = []
    if let least = schema["minimum"]?.double, number < least {
      faults.append("\(context.path): \(number) is less than \(least)")
    }
    if let most = schema["maximum"]?.double, number > most {
      faults.append("\(context.path): \(number) is greater than \(most)")
    }
    return faults
  }

  private static func types(_ type: JSONValue) -> [String] {
    if case .array(let types) = type { return types.compactMap(\.text) }
    return [type.text ?? ""]
  }

  private static func has(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.boolean, "boolean"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.integer, "integer"), (.unsigned, "integer"): true
    case (.number(let number), "integer"): number == number.rounded()
    case (_, "number"): value.double != nil
    default: false
    }
  }
}

/// Expects that JSON matches the schema that its member `schema` or `format` names; the items of an array one by one.
func expectValid(
  json bytes: some Sequence<UInt8>, format: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let schemas = try JSONSchemas.shared.get()
  let whole = try JSONReader.value(of: Array(bytes))
  var values = [whole]
  if case .array(let items) = whole { values = items }
  #expect(!values.isEmpty, "no values", sourceLocation: sourceLocation)
  for value in values {
    let name = try #require(
      format ?? JSONSchemas.format(of: value), sourceLocation: sourceLocation)
    let faults = schemas.faults(of: value, format: name)
    #expect(faults.isEmpty, "\(name): \(faults.prefix(5))", sourceLocation: sourceLocation)
  }
}
