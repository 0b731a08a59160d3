internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// The members of a journal line, before validation.
struct JournalFields {
  /// The names of the members, sorted by bytes.
  enum Key: String, CaseIterable {
    case building, delete, email, error, kind, label, lat, lon, ms, op, photo, photos, place, rating
    case score, set, text, tick, time, title, verified, voice
  }

  var op, ms, tick, rating: Int?
  var set, delete: JournalID?
  var kind: JournalKind?
  var lat, lon, error, time, score: Double?
  var building, place, verified, label, title, text, email: String?
  var photo, voice: JournalMedia?
  var photos: [JournalMedia] = []

  /// Stores a member; returns `false` if its value is invalid.
  private mutating func take(_ value: JSONValue, for key: Key) -> Bool {
    switch (key, value) {
    case (.building, .string(let text)): building = text
    case (.place, .string(let text)): place = text
    case (.verified, .string(let text)): verified = text
    case (.label, .string(let text)): label = text
    case (.title, .string(let text)): title = text
    case (.text, .string(let text)): self.text = text
    case (.email, .string(let text)): email = text
    case (.kind, .string(let name)): return Self.store(JournalKind(rawValue: name), in: &kind)
    case (.set, .string(let id)): return Self.store(JournalID(id), in: &set)
    case (.delete, .string(let id)): return Self.store(JournalID(id), in: &delete)
    case (.photo, .string(let name)): return Self.store(JournalMedia(name: name), in: &photo)
    case (.voice, .string(let name)): return Self.store(JournalMedia(name: name), in: &voice)
    case (.photos, .array(let names)) where names.count <= JournalLimits.photos:
      photos = names.compactMap { name in
        if case .string(let name) = name { JournalMedia(name: name) } else { nil }
      }
      return photos.count == names.count
    case (.op, .integer(let number)): op = number
    case (.ms, .integer(let number)): ms = number
    case (.tick, .integer(let number)): tick = number
    case (.rating, .integer(let number)): rating = number
    case (.lat, _): return Self.store(value.double, in: &lat)
    case (.lon, _): return Self.store(value.double, in: &lon)
    case (.error, _): return Self.store(value.double, in: &error)
    case (.time, _): return Self.store(value.double, in: &time)
    case (.score, _): return Self.store(value.double, in: &score)
    default: return false
    }
    return true
  }

  private static func store<Value>(_ value: Value?, in member: inout Value?) -> Bool {
    member = value
    return value != nil
  }
}

extension JournalFields {
  /// Reads the members of an object; ignores unknown members, which may be from later versions.
  init(_ members: [String: JSONValue]) throws(JournalDataError) {
    self.init()
    for key in Key.allCases {
      guard let value = members[key.rawValue] else { continue }
      guard take(value, for: key) else { throw JournalDataError("invalid \"\(key.rawValue)\"") }
    }
  }

  func operation(of device: String) throws(JournalDataError) -> JournalOperation {
    guard let op, JournalLimits.numbers.contains(op), let ms, let tick,
      JournalLimits.milliseconds.contains(ms), JournalLimits.ticks.contains(tick)
    else { throw JournalDataError("missing or invalid \"op\", \"ms\" or \"tick\"") }
    let clock = HybridClock(milliseconds: ms, tick: tick)
    let stamp = JournalStamp(clock: clock, device: device, number: op)
    switch (set, delete) {
    case (let id?, nil):
      return JournalOperation(stamp: stamp, id: id, entry: try entry(id))
    case (nil, let id?): return JournalOperation(stamp: stamp, id: id, entry: nil)
    default: throw JournalDataError("must have either \"set\" or \"delete\"")
    }
  }

  private func entry(_ id: JournalID) throws(JournalDataError) -> JournalEntry {
    guard let time else { throw JournalDataError("missing \"time\"") }
    let entry = JournalEntry(
      id: id, time: time, position: try position(), building: building, place: place,
      confirmedLabel: verified, content: try content())
    if let problem = entry.problem { throw JournalDataError(problem) }
    return entry
  }

  private func position() throws(JournalDataError) -> Position? {
    guard let lat, let lon else { return nil }
    guard let position = Position(latitude: lat, longitude: lon, horizontalError: error) else {
      throw JournalDataError("invalid position")
    }
    return position
  }

  private func content() throws(JournalDataError) -> JournalContent {
    switch kind {
    case .favorite: return .favorite
    case .note:
      return .note(
        JournalNote(
          title: title ?? "", text: text ?? "", rating: rating, voice: voice, photos: photos))
    case .question:
      guard let text else { throw JournalDataError("question without \"text\"") }
      return .question(JournalQuestion(text: text, email: email))
    case .seen:
      guard let label, let score else {
        throw JournalDataError("sighting without \"label\" or \"score\"")
      }
      return .seen(JournalSighting(label: label, confidence: score, photo: photo))
    case nil: throw JournalDataError("missing \"kind\"")
    }
  }
}

extension JournalOperation {
  /// The operation as a line without a newline: a JSON object without spaces, with sorted names.
  var line: [UInt8] {
    var members = entry?.members ?? [:]
    members["op"] = .integer(stamp.number)
    members["ms"] = .integer(stamp.clock.milliseconds)
    members["tick"] = .integer(stamp.clock.tick)
    members[entry == nil ? "delete" : "set"] = .string(id.description)
    return JSONWriter.bytes(of: .object(members))
  }
}

extension JournalContent {
  /// The members shared by lines and exports; `text` returns the name or path for media.
  func members(_ text: (JournalMedia) -> String) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    switch self {
    case .favorite: break
    case .seen(let sighting): members["label"] = .string(sighting.label)
    case .note(let note):
      if !note.title.isEmpty { members["title"] = .string(note.title) }
      if !note.text.isEmpty { members["text"] = .string(note.text) }
      members["rating"] = note.rating.map { .integer($0) }
      members["voice"] = note.voice.map { .string(text($0)) }
      if !note.photos.isEmpty { members["photos"] = .array(note.photos.map { .string(text($0)) }) }
    case .question(let question):
      members["text"] = .string(question.text)
      members["email"] = question.email.map { .string($0) }
    }
    return members
  }
}

extension JournalEntry {
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["kind": .string(kind.rawValue), "time": .number(time)]
    if let position {
      members["lat"] = .number(position.latitude)
      members["lon"] = .number(position.longitude)
      members["error"] = position.horizontalError.map { .number($0) }
    }
    members["building"] = building.map { .string($0) }
    members["place"] = place.map { .string($0) }
    members["verified"] = confirmedLabel.map { .string($0) }
    if case .seen(let sighting) = content {
      members["score"] = .number(sighting.confidence)
      members["photo"] = sighting.photo.map { .string($0.name) }
    }
    return members.merging(content.members { $0.name }) { _, new in new }
  }
}
