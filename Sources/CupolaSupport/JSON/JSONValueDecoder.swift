// 1. `decode` calls the initializer of a type with a decoder around a JSON value.
// 2. The initializer requests a container: `Members`, `Elements` or `Scalar`.
// 3. The container converts single values and calls `decode` again for nested types.

/// Makes `Decodable` values of JSON that has been read.
///
/// Foundation's decoder asks Swift's runtime about each type, and the first question about a type searches all
/// conformances of the program: most of the time that a command took to read a model of a dozen buildings. This one
/// asks nothing.
package struct JSONValueDecoder: Decoder {
  private let value: JSONValue

  /// Not kept: whoever reads says in which text a fault is.
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: `DecodingError`, and what the type itself throws.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue
  ) throws -> Value {
    try type.init(from: JSONValueDecoder(value: value))
  }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw Self.fault("no object") }
    return KeyedDecodingContainer(Members(members: members))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw Self.fault("no list") }
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
        throw JSONValueDecoder.fault("no member \(key.stringValue)")
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

    /// Goes on behind a null only, as the protocol demands.
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
      guard currentIndex < elements.count else { throw JSONValueDecoder.fault("list too short") }
      return elements[currentIndex]
    }
  }

  private struct Scalar: SingleValueDecodingContainer {
    let value: JSONValue

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .boolean(let value) = value else { throw JSONValueDecoder.fault("no boolean") }
      return value
    }

    func decode(_ type: String.Type) throws -> String {
      guard case .string(let value) = value else { throw JSONValueDecoder.fault("no text") }
      return value
    }

    func decode(_ type: Double.Type) throws -> Double {
      guard let value = value.double else { throw JSONValueDecoder.fault("no number") }
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
      guard let whole else { throw JSONValueDecoder.fault("no whole number in range") }
      return whole
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONValueDecoder.decode(type, from: value)
    }
  }
}
