internal import Foundation

/// The value after it was written as JSON and read again.
package func throughJSON<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
}

/// The value's JSON with sorted keys.
package func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// A value read from another one's JSON.
package func throughJSON<Value: Decodable>(_ value: some Encodable, as type: Value.Type) throws
  -> Value
{
  try JSONDecoder().decode(type, from: try JSONEncoder().encode(value))
}
