import Foundation
import Testing

@testable import CupolaCampus

@Suite("JSON value decoder") struct JSONValueDecoderTests {
  /// One member of each kind that models have.
  struct Record: Codable, Equatable {
    struct Part: Codable, Equatable {
      var name: String
      var share: Float?
    }

    var flag: Bool
    var byte: Int8
    var seed: UInt64
    var amount: Double
    var parts: [Part]
    var counts: [String: Int]
    var pairs: [[Double]]
    var any: JSONValue
    var missing: Int?
  }

  static let record = Record(
    flag: true, byte: -128, seed: .max, amount: 0.1,
    parts: [Record.Part(name: "é\"", share: 0.3), Record.Part(name: "", share: nil)],
    counts: ["a": 1, "b": -2], pairs: [[], [1, 2.5]],
    any: .object(["x": .array([.null, .unsigned(.max), .number(0.5), .boolean(false)])]))

  static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONValueDecoder.decode(type, from: JSONReader.value(of: Array(text.utf8)))
  }

  @Test("Reads what Foundation writes, and as its decoder does")
  func foundation() throws {
    let bytes = try JSONEncoder().encode(Self.record)
    let value = try JSONReader.value(of: Array(bytes))
    #expect(try JSONValueDecoder.decode(Record.self, from: value) == Self.record)
    #expect(try JSONDecoder().decode(Record.self, from: bytes) == Self.record)
  }

  @Test("Floats of any bits are the same as by Foundation's decoder")
  func floats() throws {
    var generator = SystemRandomNumberGenerator()
    let floats = (0..<2_000).compactMap { _ in
      let float = Float(bitPattern: UInt32.random(in: 0...(.max), using: &generator))
      return float.isFinite ? float : nil
    }
    let bytes = try JSONEncoder().encode(floats)
    #expect(try Self.read([Float].self, String(decoding: bytes, as: UTF8.self)) == floats)
  }

  @Test(
    "A value of another kind, out of range or missing is refused",
    arguments: [
      "{}", "[]", "null", "7", #"{"name":7}"#, #"{"name":null}"#, #"{"name":"a","share":"b"}"#,
    ])
  func refused(text: String) throws {
    #expect(throws: DecodingError.self) { try Self.read(Record.Part.self, text) }
  }

  @Test("Whole numbers keep their range")
  func ranges() throws {
    #expect(try Self.read([UInt8].self, "[0,255,2.0]") == [0, 255, 2])
    for text in ["[256]", "[-1]", "[0.5]", "[1e300]", "[true]", "[null]", #"["1"]"#] {
      #expect(throws: DecodingError.self) { try Self.read([UInt8].self, text) }
    }
    #expect(throws: DecodingError.self) { try Self.read(Int.self, "9223372036854775808") }
  }

  @Test("Lists are read to their end, and no further")
  func lists() throws {
    struct Pair: Decodable {
      let first: Int?
      let second: Int

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        first = try container.decodeNil() ? nil : container.decode(Int.self)
        second = try container.decode(Int.self)
        guard container.isAtEnd else { throw Surplus() }
      }
    }
    struct Surplus: Error {}
    #expect(try Self.read(Pair.self, "[1,2]").first == 1)
    #expect(try Self.read(Pair.self, "[null,2]").first == nil)
    #expect(throws: DecodingError.self) { try Self.read(Pair.self, "[1]") }
    #expect(throws: Surplus.self) { try Self.read(Pair.self, "[1,2,3]") }
  }
}
