internal import Foundation

/// Encodes a value as JSON and decodes it again.
package func throughJSON<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
}

/// Returns a value's JSON with sorted keys.
package func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Decodes a value from another value's JSON.
package func throughJSON<Value: Decodable>(_ value: some Encodable, as type: Value.Type) throws
  -> Value
{
  try JSONDecoder().decode(type, from: try JSONEncoder().encode(value))
}
