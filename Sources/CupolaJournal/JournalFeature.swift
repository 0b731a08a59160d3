internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. A GeoJSON feature is split into members and properties.
// 2. `time` tries the journal's own member first, then those of other programs.
// 3. `position` and `content` are read and checked.
// 4. `entry` combines them and rejects what a journal cannot keep.

/// A feature of GeoJSON as an entry of a journal: of one that ``JournalGeoJSON`` wrote, or of anybody's points.
struct JournalFeature {
  private let members: [String: JSONValue]
  private let properties: [String: JSONValue]

  init(_ value: JSONValue) throws(JournalProblem) {
    guard case .object(let members) = value, members["type"] == .string("Feature") else {
      throw JournalProblem("no Feature")
    }
    self.members = members
    if case .object(let properties)? = members["properties"] {
      self.properties = properties
    } else {
      properties = [:]
    }
  }

  func entry(named id: JournalID, now: Double) throws(JournalProblem) -> JournalEntry {
    let entry = JournalEntry(
      id: id, time: try time ?? now, position: try position(), building: try name("building"),
      place: try name("place"), confirmedLabel: try name("confirmed_label"),
      content: try content())
    if let problem = entry.problem { throw JournalProblem(problem) }
    return entry
  }

  /// The name of the entry that it was exported from; `nil` for features of others, whose ids may be such as `point-1` in
  /// each of their files.
  var id: JournalID? {
    guard let kind = properties["kind"]?.text, JournalKind(rawValue: kind) != nil,
      properties["seconds"]?.double != nil, let text = members["id"]?.text,
      let id = JournalID(text), id.number <= JournalLimits.othersNumber
    else { return nil }
    return id
  }

  /// Of all that it says.
  var digest: String { SHA256.hexadecimal(of: JSONWriter.bytes(of: .object(members))) }

  private var time: Double? {
    get throws(JournalProblem) {
      if let seconds = try number("seconds") { return seconds }
      let said = ["time", "timestamp", "date", "datetime"].compactMap { properties[$0] }
      // A day alone says less than what another member may say.
      return said.lazy.compactMap(Self.moment).first ?? said.lazy.compactMap(Self.day).first
    }
  }

  /// Of a text or number that says a time of a day.
  private static func moment(_ value: JSONValue) -> Double? {
    if let seconds = value.text.flatMap({ JournalMoment.seconds($0) }) { return seconds }
    if let seconds = value.text.flatMap({ local($0) }) { return seconds }
    // Milliseconds, as JavaScript counts them: as seconds they would be after the year 5100.
    guard let number = value.double else { return nil }
    return known(number >= 1e11 ? number / 1000 : number)
  }

  private static func day(_ value: JSONValue) -> Double? {
    value.text.flatMap { local($0 + "T00:00") }
  }

  /// Of what clocks here showed, as programs write it that name no zone: `2026-11-23 15:30:05`, or without seconds.
  private static func local(_ text: String) -> Double? {
    var (minutes, seconds) = (text, 0)
    if text.utf8.count == 19, text.utf8.dropFirst(16).first == UInt8(ascii: ":"),
      let number = Digits.number(text.suffix(2)), number < 60
    {
      (minutes, seconds) = (String(text.prefix(16)), number)
    }
    return LocalTime(minutes)?.secondsSince1970(timeZone: LocalTime.deviceTimeZone)
      .flatMap { known($0 + Double(seconds)) }
  }

  /// No visit was before 1970.
  private static func known(_ seconds: Double) -> Double? {
    JournalLimits.times.contains(seconds) ? seconds : nil
  }

  private func position() throws(JournalProblem) -> Position? {
    guard case .object(let geometry)? = members["geometry"] else { return nil }
    // Phones give a negative one where they do not know it.
    let error = try number("accuracy").flatMap { $0 < 0 ? nil : $0 }
    guard geometry["type"] == .string("Point"), case .array(let numbers)? = geometry["coordinates"],
      numbers.count >= 2, let longitude = numbers[0].double,
      let latitude = numbers[1].double,
      let position = Position(
        latitude: latitude, longitude: longitude, horizontalError: error)
    else { throw JournalProblem("a geometry that is no Point on Earth") }
    return position
  }

  private func content() throws(JournalProblem) -> JournalContent {
    guard let kind = try text("kind") else { return .note(try note()) }
    switch JournalKind(rawValue: kind) {
    case .favorite: return .favorite
    // Or a word of somebody else's.
    case .note, nil: return .note(try note())
    case .question:
      return .question(JournalQuestion(text: try text("text") ?? "", email: try text("email")))
    case .seen:
      return .seen(
        JournalSighting(
          label: try text("label") ?? "", confidence: try number("confidence") ?? .nan,
          photo: try media("photos").first))
    }
  }

  private func note() throws(JournalProblem) -> JournalNote {
    let (title, name) = (try text("title"), try text("name"))
    let (text, description) = (try text("text"), try text("description"))
    return JournalNote(
      title: title ?? name ?? "", text: text ?? description ?? "",
      rating: try number("rating").flatMap { Int(exactly: $0) }, voice: try media("voice").first,
      photos: try media("photos"))
  }

  // MARK: - Members

  private func text(_ name: String) throws(JournalProblem) -> String? {
    guard let value = properties[name], value != .null else { return nil }
    guard let text = value.text else { throw JournalProblem("\"\(name)\" is no text") }
    return text
  }

  /// A text that is none where nothing stands, as tables write what they do not know.
  private func name(_ member: String) throws(JournalProblem) -> String? {
    try text(member).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func number(_ name: String) throws(JournalProblem) -> Double? {
    guard let value = properties[name], value != .null else { return nil }
    guard let number = value.double else { throw JournalProblem("\"\(name)\" is no number") }
    return number
  }

  /// Paths such as `media/ab/ab...cd.jpg`; of others' paths, which no journal has, none.
  private func media(_ name: String) throws(JournalProblem) -> [JournalMedia] {
    let values: [JSONValue] =
      switch properties[name] {
      case .array(let values)?: values
      case let value?: [value]
      case nil: []
      }
    guard values.count <= JournalLimits.photos else { throw JournalProblem("too many photos") }
    return values.compactMap { value in
      guard case .string(let path) = value else { return nil }
      let media = path.split(separator: "/").last.flatMap { JournalMedia(name: String($0)) }
      return media?.path == path ? media : nil
    }
  }
}
