import Cupola
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaSupport

@Suite("JSON reader") struct JSONReaderTests {
  static func read(_ text: String) throws -> JSONValue {
    try JSONReader.value(of: Array(text.utf8))
  }

  static func fault(_ bytes: [UInt8], _ limits: JSONReader.Limits = .init()) -> JSONFault? {
    do throws(JSONFault) {
      _ = try JSONReader.value(of: bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  static func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

  @Test("Reads all kinds of values")
  func values() throws {
    #expect(try Self.read(" null\n") == .null)
    #expect(try Self.read("[true, false]") == .array([.boolean(true), .boolean(false)]))
    #expect(try Self.read("[]") == .array([]))
    #expect(try Self.read("{ }") == .object([:]))
    #expect(
      try Self.read(#"{"a":[1,{"b":"c"}]}"#)
        == .object(["a": .array([.integer(1), .object(["b": .string("c")])])]))
  }

  @Test(
    "Reads numbers exactly",
    arguments: [
      ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("1969", .integer(1969)),
      ("1969.0", .integer(1969)), ("1e3", .integer(1000)), ("-12.5", .number(-12.5)),
      ("9223372036854775807", .integer(.max)), ("9223372036854775808", .unsigned(1 << 63)),
      ("18446744073709551615", .unsigned(.max)), ("18446744073709551616", .number(0x1p64)),
      ("0.1", .number(0.1)), ("1E-7", .number(1e-7)), ("2.5e+2", .integer(250)),
      ("5e-324", .number(.leastNonzeroMagnitude)), ("1e-999", .integer(0)),
      ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    ])
  func numbers(text: String, value: JSONValue) throws {
    #expect(try Self.read(text) == value)
    #expect(try Self.read("[\(text)]") == .array([value]))
  }

  @Test(
    "Reads strings with escapes",
    arguments: [
      (#""""#, ""), (#""Köln 東京 🏛""#, "Köln 東京 🏛"), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
      (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u00e9\u6771""#, "é東"), (#""\ud83c\udfdb""#, "🏛"),
      (#""x\u0000y""#, "x\0y"), ("\"\u{7F}\"", "\u{7F}"),
    ])
  func strings(text: String, value: String) throws {
    #expect(try Self.read(text) == .string(value))
  }

  @Test(
    "Locates errors",
    arguments: [
      ("", JSONFault.Kind.endsEarly, 1, 1), ("[1,\n 2", .endsEarly, 2, 3),
      ("{\"a\"", .endsEarly, 1, 5), ("\"abc", .endsEarly, 1, 5), ("tru", .endsEarly, 1, 4),
      ("[1] 2", .trailingText, 1, 5), ("[1,]", .unexpected(found: "]", wanted: "a value"), 1, 4),
      ("[1 2]", .unexpected(found: "2", wanted: "a comma or ]"), 1, 4),
      ("{a:1}", .unexpected(found: "a", wanted: "a name in quotes"), 1, 2),
      ("{\"é\" 1}", .unexpected(found: "1", wanted: "a colon"), 1, 6),
      ("{\"a\":1;}", .unexpected(found: ";", wanted: "a comma or }"), 1, 7),
      ("nul1", .unexpected(found: "1", wanted: "null"), 1, 4),
      ("[NaN]", .badNumber("NaN"), 1, 2),
      ("[-Infinity]", .badNumber("-Infinity"), 1, 2),
      ("[?]", .unexpected(found: "?", wanted: "a value"), 1, 2),
      ("[+1]", .badNumber("+1"), 1, 2),
      ("'a'", .unexpected(found: "'", wanted: "a value"), 1, 1),
      ("[-Infinity]", .badNumber("-Infinity"), 1, 2), ("[01]", .badNumber("01"), 1, 2),
      ("[1.]", .badNumber("1."), 1, 2), ("[.5]", .badNumber(".5"), 1, 2),
      ("[1e]", .badNumber("1e"), 1, 2), ("[0x1F]", .badNumber("0x1F"), 1, 2),
      ("[-]", .badNumber("-"), 1, 2), ("[\n\n1e999]", .numberOutOfRange("1e999"), 3, 1),
      ("[-1e400]", .numberOutOfRange("-1e400"), 1, 2), (#"["\x"]"#, .badEscape, 1, 3),
      (#"["\u12g4"]"#, .badEscape, 1, 3), (#"["\u-000"]"#, .badEscape, 1, 3),
      (#"["\u+041"]"#, .badEscape, 1, 3), (#"["\ud83c"]"#, .badEscape, 1, 3),
      (#"["\udfdb\ud83c"]"#, .badEscape, 1, 3), ("\"a\nb\"", .controlCharacter, 1, 3),
      ("\"a\\n\tb\"", .controlCharacter, 1, 5),
      (#"{"a":1,"b":2,"a":3}"#, .duplicateKey("a"), 1, 14),
      (#"{"a":1,"\u0061":3}"#, .duplicateKey("a"), 1, 8),
    ])
  func faults(text: String, kind: JSONFault.Kind, line: Int, column: Int) {
    #expect(Self.fault(text) == JSONFault(kind: kind, line: line, column: column))
  }

  @Test("Shortens long texts in errors")
  func longTexts() {
    let digits = String(repeating: "1", count: 5000)
    #expect(Self.fault("[\(digits)]")?.kind == .numberOutOfRange(digits.prefix(40) + "…"))
    #expect(Self.fault("[0\(digits)]")?.kind == .badNumber("0" + digits.prefix(39) + "…"))
    #expect(
      Self.fault(#"{"\#(digits)":1,"\#(digits)":2}"#)?.kind
        == .duplicateKey(digits.prefix(40) + "…"))
    let accents = [39, 5000].map { "e" + String(repeating: "\u{301}", count: $0) }
    #expect(
      Self.fault(#"{"\#(accents[1])":1,"\#(accents[1])":2}"#)?.kind
        == .duplicateKey(accents[0] + "…"))
    let short = String(digits.prefix(40))
    #expect(Self.fault(#"{"\#(short)":1,"\#(short)":2}"#)?.kind == .duplicateKey(short))
  }

  @Test("Reads UTF-8 with a byte order mark and rejects other encodings")
  func encodings() throws {
    let text = #"{"a":"é"}"#
    let marked = try JSONReader.value(of: [0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(marked == .object(["a": .string("é")]))
    let encodings: [String.Encoding] = [
      .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ]
    for encoding in encodings {
      let bytes = Array(try #require(text.data(using: encoding)))
      #expect(Self.fault(bytes)?.kind == .wideCharacters)
    }
    for start: [UInt8] in [[0xFF, 0xD8], [0x7B, 0xFF], [0xFE, 0x22]] {
      #expect(Self.fault(start + [0x22, 0x7D])?.kind != .wideCharacters)
    }
    let latin = Array(try #require(text.data(using: .isoLatin1)))
    #expect(Self.fault(latin) == JSONFault(kind: .notUTF8, line: 1, column: 6))
    #expect(Self.fault(Array("\"".utf8) + [0xED, 0xA0, 0x80, 0x22])?.kind == .notUTF8)
  }

  @Test("Limits depth and number of values")
  func limits() throws {
    let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(try Self.read(deep) != .null)
    #expect(Self.fault("[" + deep + "]")?.kind == .tooDeep(limit: 128))
    let objects = String(repeating: #"{"a":"#, count: 1_000_000)
    #expect(Self.fault(objects)?.kind == .tooDeep(limit: 128))
    let few = JSONReader.Limits(depth: 4, values: 5)
    #expect(Self.fault(Array("[1,2,3,4]".utf8), few) == nil)
    #expect(Self.fault(Array("[1,2,3,4,5]".utf8), few)?.kind == .tooManyValues(limit: 5))
  }

  @Test("Rejects truncated text and survives damage")
  func damage() {
    let text = Array(#"{"a":[1.5,-2e3,"é\u00e9\ud83c\udfdb",{"b":null,"c":[true,false]}]}"#.utf8)
    #expect(Self.fault(text) == nil)
    for length in text.indices { #expect(Self.fault(Array(text[..<length])) != nil) }
    var generator = SplitMix64(seed: 8259)
    for _ in 0..<5000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      // Foundation accepts the same text.
      if let value = try? JSONReader.value(of: damaged) {
        let theirs = try? JSONDecoder().decode(JSONValue.self, from: Data(damaged))
        #expect(theirs == value, "\(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }

  @Test("Limits the depth of values in other decoders")
  func decodable() throws {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(JSONValue.self, from: Data(deep.utf8))
    }
    let value = try Self.read(#"{"a":[1,2.5,"x",null,true,{}]}"#)
    #expect(try throughJSON(value) == value)
  }
}

@Suite("JSON value decoder") struct JSONValueDecoderTests {
  /// One member of each type used in models.
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

  @Test("Agrees with Foundation's decoder")
  func foundation() throws {
    let bytes = try JSONEncoder().encode(Self.record)
    let value = try JSONReader.value(of: Array(bytes))
    #expect(try JSONValueDecoder.decode(Record.self, from: value) == Self.record)
    #expect(try JSONDecoder().decode(Record.self, from: bytes) == Self.record)
  }

  @Test("Decodes floats like Foundation's decoder")
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
    "Rejects wrong types, missing values and values out of range",
    arguments: [
      "{}", "[]", "null", "7", #"{"name":7}"#, #"{"name":null}"#, #"{"name":"a","share":"b"}"#,
    ])
  func refused(text: String) throws {
    #expect(throws: DecodingError.self) { try Self.read(Record.Part.self, text) }
  }

  @Test("Checks integer ranges")
  func ranges() throws {
    #expect(try Self.read([UInt8].self, "[0,255,2.0]") == [0, 255, 2])
    for text in ["[256]", "[-1]", "[0.5]", "[1e300]", "[true]", "[null]", #"["1"]"#] {
      #expect(throws: DecodingError.self) { try Self.read([UInt8].self, text) }
    }
    #expect(throws: DecodingError.self) { try Self.read(Int.self, "9223372036854775808") }
  }

  @Test("Reads lists to their end")
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

@Suite("JSON writer") struct JSONWriterTests {
  static func text(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
  }

  @Test("Sorts names by bytes and adds no spaces")
  func form() {
    let value = JSONValue.object([
      "b": .array([.null, .boolean(true), .integer(-3), .number(0.1)]), "a": .string("x/y"),
      "B": .object([:]), "é": .array([]),
    ])
    #expect(Self.text(value) == #"{"B":{},"a":"x/y","b":[null,true,-3,0.1],"é":[]}"#)
  }

  @Test("Escapes strings where required")
  func escapes() throws {
    let text = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é🏛"
    let written = Self.text(.string(text))
    #expect(written == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}é🏛\"")
    #expect(try JSONReaderTests.read(written) == .string(text))
  }

  @Test("Numbers survive a round trip")
  func numbers() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite, Int(exactly: number) == nil else { continue }
      #expect(try JSONReaderTests.read(Self.text(.number(number))) == .number(number))
    }
    #expect(Self.text(.number(48)) == "48" && Self.text(.number(1e300)) == "1e+300")
  }

  @Test("Agrees with Foundation's encoder")
  func foundation() throws {
    let file = Repository.root.appending(path: "TrainingData/campus.geojson")
    let value = try JSONReader.value(of: Array(try Data(contentsOf: file)))
    #expect(Self.text(value) == (try jsonText(value)))
  }
}
