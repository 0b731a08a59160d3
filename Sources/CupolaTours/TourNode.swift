internal import CupolaGuide
internal import CupolaSupport

// Reads JSON of tours, beacons, passkeys and visits:
// 1. the whole file is read, and its format checked;
// 2. members and elements are nodes that know their place;
// 3. each value is checked, and a fault names the place.

/// A value of a file about tours, and where it stands there, so that faults name the place.
struct TourNode {
  let value: JSONValue
  /// Such as `stops[3].questions[0]`; empty for the whole.
  let place: String
  /// The file, as errors call it.
  let file: String

  func fault(_ problem: String) -> GuideError {
    .badFile(path: file, problem: place.isEmpty ? problem : "\(place): \(problem)")
  }

  init(
    json bytes: [UInt8], format: String, mostBytes: Int, file: String
  ) throws(GuideError) {
    guard bytes.count <= mostBytes else {
      throw .badFile(path: file, problem: "more than \(mostBytes >> 20) MB; keep media beside it")
    }
    do throws(JSONFault) {
      value = try JSONReader.value(of: bytes, limits: .init(depth: 16, values: 1_000_000))
    } catch { throw .badFile(path: file, problem: error.message) }
    (place, self.file) = ("", file)
    guard case .object(let members) = value, case .string(let found) = members["format"],
      found.hasPrefix(format.prefix { $0 != "/" } + "/")
    else { throw .badFile(path: file, problem: "no \"format\": \"\(format)\"") }
    guard found == format else { throw .newerFormat(found) }
  }

  private init(_ value: JSONValue, place: String, file: String) {
    (self.value, self.place, self.file) = (value, place, file)
  }

  // MARK: - Parts

  /// Refuses what is no object, and members that are not known.
  func checkMembers(_ known: Set<String>) throws(GuideError) {
    guard case .object(let members) = value else { throw fault("no object") }
    if let stranger = members.keys.filter({ !known.contains($0) }).min() {
      throw fault("\"\(stranger.start(scalars: 40))\" is not known here; correct or remove it")
    }
  }

  /// A member; `nil` when it is missing or `null`.
  subscript(_ name: String) -> TourNode? {
    guard case .object(let members) = value, let value = members[name], value != .null else {
      return nil
    }
    return TourNode(value, place: place.isEmpty ? name : "\(place).\(name)", file: file)
  }

  func required(_ name: String) throws(GuideError) -> TourNode {
    guard let node = self[name] else { throw fault("no \"\(name)\"") }
    return node
  }

  func list(_ counts: ClosedRange<Int>) throws(GuideError) -> [TourNode] {
    guard case .array(let elements) = value else { throw fault("no list") }
    guard counts.contains(elements.count) else {
      throw fault(
        "\(elements.count) are there, \(counts.lowerBound) to \(counts.upperBound) belong")
    }
    return elements.enumerated().map {
      TourNode($0.element, place: "\(place)[\($0.offset)]", file: file)
    }
  }

  /// The names and values of an object, in the order of the names.
  func members(atMost count: Int) throws(GuideError) -> [(name: String, node: TourNode)] {
    guard case .object(let members) = value else { throw fault("no object") }
    guard members.count <= count else { throw fault("more than \(count) members") }
    return members.sorted { $0.key < $1.key }.map {
      ($0.key, TourNode($0.value, place: "\(place).\($0.key.start(scalars: 40))", file: file))
    }
  }

  func boolean() throws(GuideError) -> Bool {
    guard case .boolean(let value) = value else { throw fault("neither true nor false") }
    return value
  }

  func integer(_ range: ClosedRange<Int>) throws(GuideError) -> Int {
    guard case .integer(let value) = value, range.contains(value) else {
      throw fault("no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(_ range: ClosedRange<Double>) throws(GuideError) -> Double {
    guard let number = value.double, range.contains(number) else {
      throw fault(
        "no number from \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))"
      )
    }
    return number
  }

  /// A text that is not empty and, but for line breaks where they are accepted, has no control characters.
  func text(mostBytes: Int, lines: Bool = false) throws(GuideError) -> String {
    guard case .string(let text) = value else { throw fault("no text") }
    guard !text.allSatisfy(\.isWhitespace) else { throw fault("empty; write it, or leave it out") }
    guard text.utf8.count <= mostBytes else { throw fault("more than \(mostBytes) bytes") }
    let isClean = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: lines && scalar == "\n"
      case .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    guard isClean else {
      throw fault("a control character\(lines ? "" : " or line break") in a text; remove it")
    }
    return text
  }

  /// 1 to 64 ASCII letters, digits, `-`, `_`, `.`, `:` and `/`.
  func identifier() throws(GuideError) -> String {
    guard case .string(let text) = value, (1...64).contains(text.utf8.count),
      text.utf8.allSatisfy(Self.isOfIdentifier)
    else {
      throw fault("no identifier; write 1 to 64 letters, digits and - _ . : /")
    }
    return text
  }

  private static func isOfIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// A text by languages, or one in the first of them.
  func localized(
    _ languages: [String], mostBytes: Int = Tour.mostTextBytes, lines: Bool = false
  ) throws(GuideError) -> LocalizedText {
    if case .string = value, let first = languages.first {
      return LocalizedText([first: try text(mostBytes: mostBytes, lines: lines)])
    }
    guard case .object = value else { throw fault("neither a text nor texts by language") }
    var texts: [String: String] = [:]
    for (language, node) in try members(atMost: Tour.mostLanguages) {
      guard languages.contains(language) else {
        throw node.fault("no language of the tour; add it to \"languages\"")
      }
      texts[language] = try node.text(mostBytes: mostBytes, lines: lines)
    }
    guard !texts.isEmpty else { throw fault("in no language; write it, or leave it out") }
    return LocalizedText(texts)
  }

  /// Seconds since 1970.
  func time() throws(GuideError) -> Double { try number(-1e12...1e12) }

  func oneOf<Word: RawRepresentable<String>>(_ words: String...) throws(GuideError) -> Word {
    guard case .string(let text) = value, words.contains(text), let word = Word(rawValue: text)
    else {
      throw fault("none of \(words.map { "\"\($0)\"" }.joined(separator: ", "))")
    }
    return word
  }

  /// A day, as `2026-03-09`.
  func date() throws(GuideError) -> LocalDate {
    guard case .string(let text) = value, text.utf8.count == 10,
      let time = LocalTime(text + "T00:00"), time.date.description == text
    else { throw fault("no day; write it like 2026-03-09") }
    return time.date
  }
}
