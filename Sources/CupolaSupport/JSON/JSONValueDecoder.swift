// 1. `decode` calls a type's initializer with a decoder for a JSON value.
// 2. The initializer requests a container: `Members`, `Elements` or `Scalar`.
// 3. The container converts scalars and calls `decode` again for nested types.

/// Decodes `Decodable` values from a parsed JSON value.
///
/// Foundation's decoder looks up protocol conformances at run time. The first lookup for each type searches the whole
/// program, which took most of the time for loading a model with a dozen buildings. This decoder avoids such lookups.
package struct JSONValueDecoder: Decoder {
  private let value: JSONValue

  /// Always empty, because callers report the location of errors.
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a value. Throws `DecodingError`, and any error that the type's initializer throws.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue
  ) throws -> Value {
    try type.init(from: JSONValueDecoder(value: value))
  }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw Self.fault("not an object") }
    return KeyedDecodingContainer(Members(members: members))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw Self.fault("not a list") }
    return Elements(elements: elements)
  }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer {
    Scalar(value: value)
  }

  private static func fault(_ description: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: description))
  }

  // MARK: - Containers

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try JSONValueDecoder.decode(type, from: try value(key))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try JSONValueDecoder(value: try value(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try JSONValueDecoder(value: try value(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
      JSONValueDecoder(value: members["super"] ?? .null)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
      JSONValueDecoder(value: try value(key))
    }

    private func value(_ key: Key) throws -> JSONValue {
      guard let value = members[key.stringValue] else {
        throw JSONValueDecoder.fault("missing member \(key.stringValue)")
      }
      return value
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    var currentIndex = 0

    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Advances only if the value is null, as the protocol requires.
    mutating func decodeNil() throws -> Bool {
      guard try next() == .null else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try JSONValueDecoder.decode(type, from: try next())
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
      let decoder = JSONValueDecoder(value: try next())
      currentIndex += 1
      return decoder
    }

    private func next() throws -> JSONValue {
      guard currentIndex < elements.count else { throw JSONValueDecoder.fault("list is too short") }
      return elements[currentIndex]
    }
  }

  private struct Scalar: SingleValueDecodingContainer {
    let value: JSONValue

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .boolean(let value) = value else { throw JSONValueDecoder.fault("not a boolean") }
      return value
    }

    func decode(_ type: String.Type) throws -> String {
      guard case .string(let value) = value else { throw JSONValueDecoder.fault("not a string") }
      return value
    }

    func decode(_ type: Double.Type) throws -> Double {
      guard let value = value.double else { throw JSONValueDecoder.fault("not a number") }
      return value
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
      let whole: Value? =
        switch value {
        case .integer(let value): Value(exactly: value)
        case .unsigned(let value): Value(exactly: value)
        default: nil
        }
      guard let whole else { throw JSONValueDecoder.fault("not an integer in range") }
      return whole
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONValueDecoder.decode(type, from: value)
    }
  }
}
