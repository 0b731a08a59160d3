internal import CupolaGuide
internal import CupolaSupport

/// What stands in a line of a journal, before anybody asked whether it makes sense.
struct JournalFields {
  /// The names of members, in the order of their bytes, as lines have them. None has more than 8 bytes.
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

  /// Takes a text in; `false` where it is none of this name.
  mutating func take(_ text: String, for key: Key) -> Bool {
    switch key {
    case .building: building = text
    case .place: place = text
    case .verified: verified = text
    case .label: label = text
    case .title: title = text
    case .text: self.text = text
    case .email: email = text
    case .kind:
      kind = JournalKind(rawValue: text)
      return kind != nil
    case .set, .delete: return JournalID(text).map { take($0, for: key) } ?? false
    case .photo, .voice: return JournalMedia(name: text).map { take($0, for: key) } ?? false
    case .error, .lat, .lon, .ms, .op, .photos, .rating, .score, .tick, .time: return false
    }
    return true
  }

  mutating func take(_ id: JournalID, for key: Key) -> Bool {
    if key == .set { set = id } else { delete = id }
    return true
  }

  mutating func take(_ media: JournalMedia, for key: Key) -> Bool {
    switch key {
    case .photo: photo = media
    case .voice: voice = media
    default: photos.append(media)
    }
    return true
  }

  mutating func take(_ integer: Int, for key: Key) -> Bool {
    switch key {
    case .op: op = integer
    case .ms: ms = integer
    case .tick: tick = integer
    case .rating: rating = integer
    default: return take(Double(integer), for: key)
    }
    return true
  }

  mutating func take(_ number: Double, for key: Key) -> Bool {
    switch key {
    case .lat: lat = number
    case .lon: lon = number
    case .error: error = number
    case .time: time = number
    case .score: score = number
    default: return false
    }
    return true
  }

  private mutating func take(_ value: JSONValue, for key: Key) -> Bool {
    switch value {
    case .string(let text): take(text, for: key)
    case .integer(let value): take(value, for: key)
    case .unsigned, .number: value.double.map { take($0, for: key) } ?? false
    case .array(let values) where key == .photos && values.count <= JournalLimits.photos:
      values.allSatisfy { value in
        guard case .string(let text) = value, let media = JournalMedia(name: text) else {
          return false
        }
        return take(media, for: key)
      }
    default: false
    }
  }
}

extension JournalFields {
  /// Reads the members of an object; those of other names, which a later version may have, are passed over.
  ///
  /// - Throws: what is wrong.
  init(_ members: [String: JSONValue]) throws(JournalProblem) {
    self.init()
    for key in Key.allCases {
      guard let value = members[key.rawValue] else { continue }
      guard take(value, for: key) else { throw JournalProblem("\"\(key.rawValue)\" means nothing") }
    }
  }
}
