internal import CupolaGuide
internal import CupolaSupport

// 1. Read JSON, and check its format and values; errors contain the JSON path of the invalid value.

/// A JSON value and its path within the file, which is used in error messages.
struct TourNode {
  let value: JSONValue
  /// The path, for example `stops[3].questions[0]`; empty for the root.
  let place: String
  let file: String

  func fault(_ problem: String) -> GuideError {
    .badFile(path: file, problem: place.isEmpty ? problem : "\(place): \(problem)")
  }

  init(
    json bytes: [UInt8], format: String, mostBytes: Int, file: String
  ) throws(GuideError) {
    guard bytes.count <= mostBytes else {
      throw .badFile(
        path: file, problem: "larger than \(mostBytes >> 20) MB; store media in separate files")
    }
    do throws(JSONFault) {
      value = try JSONReader.value(of: bytes, limits: .init(depth: 16, values: 1_000_000))
    } catch { throw .badFile(path: file, problem: error.message) }
    (place, self.file) = ("", file)
    guard case .object(let members) = value, case .string(let found) = members["format"],
      found.hasPrefix(format.prefix { $0 != "/" } + "/")
    else {
      throw .badFile(path: file, problem: "missing or wrong \"format\"; expected \"\(format)\"")
    }
    guard found == format else { throw .newerFormat(found) }
  }

  private init(_ value: JSONValue, place: String, file: String) {
    (self.value, self.place, self.file) = (value, place, file)
  }

  /// Rejects values that are not objects, and objects with unknown members.
  func checkMembers(_ known: Set<String>) throws(GuideError) {
    guard case .object(let members) = value else { throw fault("must be an object") }
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      throw fault("unknown member \"\(unknown.start(scalars: 40))\"; correct or remove it")
    }
  }

  /// Returns a member, or `nil` if it is missing or `null`.
  subscript(_ name: String) -> TourNode? {
    guard case .object(let members) = value, let value = members[name], value != .null else {
      return nil
    }
    return TourNode(value, place: place.isEmpty ? name : "\(place).\(name)", file: file)
  }

  func required(_ name: String) throws(GuideError) -> TourNode {
    guard let node = self[name] else { throw fault("missing \"\(name)\"") }
    return node
  }

  func list(_ counts: ClosedRange<Int>) throws(GuideError) -> [TourNode] {
    guard case .array(let elements) = value else { throw fault("must be a list") }
    guard counts.contains(elements.count) else {
      throw fault(
        "must have \(counts.lowerBound) to \(counts.upperBound) elements, not \(elements.count)")
    }
    return elements.enumerated().map {
      TourNode($0.element, place: "\(place)[\($0.offset)]", file: file)
    }
  }

  func members(atMost count: Int) throws(GuideError) -> [(name: String, node: TourNode)] {
    guard case .object(let members) = value else { throw fault("must be an object") }
    guard members.count <= count else { throw fault("must have at most \(count) members") }
    return members.sorted { $0.key < $1.key }.map {
      ($0.key, TourNode($0.value, place: "\(place).\($0.key.start(scalars: 40))", file: file))
    }
  }

  func boolean() throws(GuideError) -> Bool {
    guard case .boolean(let value) = value else { throw fault("must be true or false") }
    return value
  }

  func integer(_ range: ClosedRange<Int>) throws(GuideError) -> Int {
    guard case .integer(let value) = value, range.contains(value) else {
      throw fault("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(_ range: ClosedRange<Double>) throws(GuideError) -> Double {
    guard let number = value.double, range.contains(number) else {
      throw fault(
        "must be a number from \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))"
      )
    }
    return number
  }

  /// Returns a nonempty text without control characters; `lines` allows line breaks.
  func text(mostBytes: Int, lines: Bool = false) throws(GuideError) -> String {
    guard case .string(let text) = value else { throw fault("must be a string") }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw fault("empty text; add text or remove the member")
    }
    guard text.utf8.count <= mostBytes else {
      throw fault("longer than \(mostBytes) bytes; shorten it")
    }
    let isClean = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: lines && scalar == "\n"
      case .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    guard isClean else {
      throw fault("control character\(lines ? "" : " or line break") in the text; remove it")
    }
    return text
  }

  /// Returns an identifier: 1 to 64 ASCII letters, digits, `-`, `_`, `.`, `:` and `/`.
  func identifier() throws(GuideError) -> String {
    guard case .string(let text) = value, (1...64).contains(text.utf8.count),
      text.utf8.allSatisfy(Self.isIdentifierByte)
    else {
      throw fault("invalid identifier; use 1 to 64 letters, digits and - _ . : /")
    }
    return text
  }

  private static func isIdentifierByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Returns a text by language; a plain string is in the first language.
  func localized(
    _ languages: [String], mostBytes: Int = Tour.mostTextBytes, lines: Bool = false
  ) throws(GuideError) -> LocalizedText {
    if case .string = value, let first = languages.first {
      return LocalizedText([first: try text(mostBytes: mostBytes, lines: lines)])
    }
    guard case .object = value else {
      throw fault("must be a string, or an object of strings by language")
    }
    var texts: [String: String] = [:]
    for (language, node) in try members(atMost: Tour.mostLanguages) {
      guard languages.contains(language) else {
        throw node.fault("not a language of the tour; add it to \"languages\"")
      }
      texts[language] = try node.text(mostBytes: mostBytes, lines: lines)
    }
    guard !texts.isEmpty else {
      throw fault("no text in any language; add one or remove the member")
    }
    return LocalizedText(texts)
  }

  func time() throws(GuideError) -> Double { try number(-1e12...1e12) }

  func oneOf<Word: RawRepresentable<String>>(_ words: String...) throws(GuideError) -> Word {
    guard case .string(let text) = value, words.contains(text), let word = Word(rawValue: text)
    else {
      throw fault("must be one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))")
    }
    return word
  }

  func date() throws(GuideError) -> LocalDate {
    guard case .string(let text) = value, text.utf8.count == 10,
      let time = LocalTime(text + "T00:00"), time.date.description == text
    else { throw fault("invalid date; write it like 2026-03-09") }
    return time.date
  }
}
