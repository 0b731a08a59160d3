internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// A GeoJSON feature from ``JournalGeoJSON`` or another program, for conversion to an entry.
struct JournalFeature {
  private let members: [String: JSONValue]
  private let properties: [String: JSONValue]

  init(_ value: JSONValue) throws(JournalDataError) {
    guard case .object(let members) = value, members["type"] == .string("Feature") else {
      throw JournalDataError("not a GeoJSON Feature")
    }
    self.members = members
    if case .object(let properties)? = members["properties"] {
      self.properties = properties
    } else {
      properties = [:]
    }
  }

  func entry(named id: JournalID, now: Double) throws(JournalDataError) -> JournalEntry {
    let entry = JournalEntry(
      id: id, time: try time ?? now, position: try position(), building: try name("building"),
      place: try name("place"), confirmedLabel: try name("confirmed_label"),
      content: try content())
    if let problem = entry.problem { throw JournalDataError(problem) }
    return entry
  }

  /// The identifier of an exported entry; `nil` for features from other programs, because their IDs are not unique.
  var id: JournalID? {
    guard let kind = properties["kind"]?.text, JournalKind(rawValue: kind) != nil,
      properties["seconds"]?.double != nil, let text = members["id"]?.text,
      let id = JournalID(text), id.number <= JournalLimits.foreignNumber
    else { return nil }
    return id
  }

  var digest: String { SHA256.hexadecimal(of: JSONWriter.bytes(of: .object(members))) }

  private var time: Double? {
    get throws(JournalDataError) {
      if let seconds = try number("seconds") { return seconds }
      let times = ["time", "timestamp", "date", "datetime"].compactMap { properties[$0] }
      // Prefer values that contain a time of day to plain dates.
      return times.lazy.compactMap(Self.moment).first ?? times.lazy.compactMap(Self.day).first
    }
  }

  private static func moment(_ value: JSONValue) -> Double? {
    if let seconds = value.text.flatMap({ JournalMoment.seconds($0) }) { return seconds }
    if let seconds = value.text.flatMap({ local($0) }) { return seconds }
    // Values of at least 1e11 are milliseconds, as in JavaScript; as seconds, they would be after the year 5100.
    guard let number = value.double else { return nil }
    return known(number >= 1e11 ? number / 1000 : number)
  }

  private static func day(_ value: JSONValue) -> Double? {
    value.text.flatMap { local($0 + "T00:00") }
  }

  /// Parses a local time without a time zone, such as `2026-11-23 15:30:05`; seconds are optional.
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

  private static func known(_ seconds: Double) -> Double? {
    JournalLimits.times.contains(seconds) ? seconds : nil
  }

  private func position() throws(JournalDataError) -> Position? {
    guard case .object(let geometry)? = members["geometry"] else { return nil }
    // Phones report a negative accuracy if it is unknown.
    let error = try number("accuracy").flatMap { $0 < 0 ? nil : $0 }
    guard geometry["type"] == .string("Point"), case .array(let numbers)? = geometry["coordinates"],
      numbers.count >= 2, let longitude = numbers[0].double,
      let latitude = numbers[1].double,
      let position = Position(
        latitude: latitude, longitude: longitude, horizontalError: error)
    else { throw JournalDataError("geometry must be a Point with valid coordinates") }
    return position
  }

  private func content() throws(JournalDataError) -> JournalContent {
    guard let kind = try text("kind") else { return .note(try note()) }
    switch JournalKind(rawValue: kind) {
    case .favorite: return .favorite
    // The `kind` of features from other programs can have any value.
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

  private func note() throws(JournalDataError) -> JournalNote {
    let (title, name) = (try text("title"), try text("name"))
    let (text, description) = (try text("text"), try text("description"))
    return JournalNote(
      title: title ?? name ?? "", text: text ?? description ?? "",
      rating: try number("rating").flatMap { Int(exactly: $0) }, voice: try media("voice").first,
      photos: try media("photos"))
  }

  private func text(_ name: String) throws(JournalDataError) -> String? {
    guard let value = properties[name], value != .null else { return nil }
    guard let text = value.text else { throw JournalDataError("\"\(name)\" must be a string") }
    return text
  }

  /// Returns a text; `nil` if it is empty, because tables contain empty texts for unknown values.
  private func name(_ member: String) throws(JournalDataError) -> String? {
    try text(member).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func number(_ name: String) throws(JournalDataError) -> Double? {
    guard let value = properties[name], value != .null else { return nil }
    guard let number = value.double else { throw JournalDataError("\"\(name)\" must be a number") }
    return number
  }

  /// Returns media for paths such as `media/ab/ab...cd.jpg`, and ignores other paths.
  private func media(_ name: String) throws(JournalDataError) -> [JournalMedia] {
    let values: [JSONValue] =
      switch properties[name] {
      case .array(let values)?: values
      case let value?: [value]
      case nil: []
      }
    guard values.count <= JournalLimits.photos else { throw JournalDataError("too many photos") }
    return values.compactMap { value in
      guard case .string(let path) = value else { return nil }
      let media = path.split(separator: "/").last.flatMap { JournalMedia(name: String($0)) }
      return media?.path == path ? media : nil
    }
  }
}
