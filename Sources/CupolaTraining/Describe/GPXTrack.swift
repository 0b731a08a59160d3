package import Cupola

// 1. Read the track points with times from GPX files (`GPXTrack`), without resolving entities.
// 2. Look up the position at a time.
// 3. Supply positions to photos that have a time but no position, and count them (`TrackPositions`).

/// Positions recorded over time by a phone or a GPS receiver (GPX 1.0 and 1.1).
///
/// Foundation's XML parser would load a library with network access and entities, for three kinds of tags.
package struct GPXTrack: Equatable, Sendable {
  struct Point: Equatable, Sendable {
    /// Seconds since January 1, 1970, UTC.
    let seconds: Int
    let position: Position
  }

  /// Sorted by time.
  private(set) var points: [Point] = []

  static let fileLimit = 256 << 20
  static let mostPoints = 2_000_000
  /// The maximum time in seconds between a photo and the nearest point.
  static let reach = 60
  /// The speed of a pedestrian in meters per second, with a margin.
  private static let speed = 1.5

  /// Reads tracks that may overlap.
  package init(contentsOf paths: [String]) throws(TrainingError) {
    for path in paths {
      let bytes = try TrainingError.files { () throws(FileError) in
        try FileAccess.read(path, limit: Self.fileLimit)
      }
      try add(bytes, path: path)
    }
    sort()
  }

  init(_ bytes: [UInt8], path: String) throws(TrainingError) {
    try add(bytes, path: path)
    sort()
  }

  private mutating func sort() { points.sort { $0.seconds < $1.seconds } }

  private mutating func add(_ bytes: [UInt8], path: String) throws(TrainingError) {
    let format = MapFormat(firstBytes: bytes)
    // The reader explains a document type, which can hide the name of the root.
    let isTyped = format == nil && bytes.prefix(1 << 16).contains("<!DOCTYPE".utf8)
    guard format == .gpx || isTyped else {
      let found = format.map { "; this is \($0.name)" } ?? ""
      throw .badTable(path: path, line: 1, problem: "not a GPX track\(found); choose a .gpx file")
    }
    var reader = GPXReader(bytes: bytes)
    let before = points.count
    do throws(GPXReader.Fault) {
      while let point = try reader.next() {
        guard points.count < Self.mostPoints else {
          throw GPXReader.Fault("more than \(Self.mostPoints) track points; split the track by day")
        }
        points.append(point)
      }
    } catch {
      throw .badTable(path: path, line: reader.line, problem: error.problem)
    }
    guard points.count > before else {
      throw .badTable(
        path: path, line: 1,
        problem: "no track points with times; export the track with times (trkpt and time)")
    }
  }

  /// Returns the position at a time, or `nil` if no point is within 60 s.
  ///
  /// Between points that are at most 120 s apart, the position is interpolated. The error is 15 m plus 1.5 m for each
  /// second to the nearest point.
  package func position(at seconds: Int) -> Position? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].seconds < seconds { low = middle + 1 } else { high = middle }
    }
    let before = low > 0 ? points[low - 1] : nil
    let after = low < points.count ? points[low] : nil
    let gaps = [before, after].compactMap(\.self).map { abs($0.seconds - seconds) }
    guard let gap = gaps.min(), gap <= Self.reach else { return nil }
    let error = Position.defaultError + Self.speed * Double(gap)
    guard gap > 0, let before, let after, after.seconds - before.seconds <= 2 * Self.reach else {
      let nearest = before.map { seconds - $0.seconds == gap } ?? false ? before : after
      return nearest?.position.with(horizontalError: error)
    }
    let share = Double(seconds - before.seconds) / Double(max(after.seconds - before.seconds, 1))
    let (start, end) = (before.position, after.position)
    let turn = Degrees.turn(from: start.longitude, to: end.longitude)
    return Position(
      latitude: start.latitude + share * (end.latitude - start.latitude),
      longitude: Degrees.turn(from: 0, to: start.longitude + share * turn), horizontalError: error)
  }
}

/// Returns the track points of a GPX file one after another.
///
/// Document types are rejected, because entities can make small files huge. Other tags are skipped.
private struct GPXReader {
  struct Fault: Error {
    let problem: String
    init(_ problem: String) { self.problem = problem }
  }

  let bytes: [UInt8]
  private var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var line: Int { 1 + bytes[..<min(at, bytes.count)].count { $0 == UInt8(ascii: "\n") } }

  mutating func next() throws(Fault) -> GPXTrack.Point? {
    var position: Position?
    while let tag = try nextTag() {
      switch tag.name {
      case "trkpt":
        let isEmpty = tag.content.last == UInt8(ascii: "/")
        position = isEmpty ? nil : try self.position(tag)
      case "/trkpt": position = nil
      case "time":
        guard let place = position else { continue }
        // A point has one time.
        position = nil
        return GPXTrack.Point(seconds: try time(), position: place)
      case "/gpx": return nil
      default: continue
      }
    }
    throw Fault("the file ends before </gpx>; copy or export it again")
  }

  private struct Tag {
    /// The name without its namespace; end tags start with a slash.
    let name: String
    let content: ArraySlice<UInt8>
  }

  private static let longestTag = 1 << 16

  /// Skips text, comments and processing instructions.
  private mutating func nextTag() throws(Fault) -> Tag? {
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = start
      let rest = bytes[start...]
      if rest.starts(with: "<!--".utf8) {
        try skip(past: "-->")
      } else if rest.starts(with: "<![CDATA[".utf8) {
        try skip(past: "]]>")
      } else if rest.starts(with: "<?".utf8) {
        try skip(past: "?>")
      } else if rest.starts(with: "<!".utf8) {
        throw Fault("contains a document type, which can hide huge content; export the track again")
      } else {
        return try tag()
      }
    }
    return nil
  }

  private mutating func skip(past end: String) throws(Fault) {
    let marks = Array(end.utf8)
    var place = at
    while place + marks.count <= bytes.count {
      if bytes[place] == marks[0], bytes[place...].starts(with: marks) {
        at = place + marks.count
        return
      }
      place += 1
    }
    throw Fault("the file ends inside a comment or text; copy or export it again")
  }

  private mutating func tag() throws(Fault) -> Tag {
    var quote: UInt8?
    for place in (at + 1)..<min(bytes.count, at + Self.longestTag) {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        let content = bytes[(at + 1)..<place]
        at = place + 1
        return Tag(name: Self.name(content), content: content)
      }
    }
    throw Fault("a tag does not end; copy or export the file again")
  }

  private static func name(_ content: ArraySlice<UInt8>) -> String {
    let isEnd = content.first == UInt8(ascii: "/")
    let name = content.dropFirst(isEnd ? 1 : 0).prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let local = name.split(separator: UInt8(ascii: ":")).last ?? []
    return (isEnd ? "/" : "") + String(decoding: local, as: UTF8.self)
  }

  private func position(_ tag: Tag) throws(Fault) -> Position {
    guard let latitude = Self.attribute("lat", tag.content),
      let longitude = Self.attribute("lon", tag.content)
    else { throw Fault("track point without lat and lon; export the track again") }
    guard let north = Double(latitude), let east = Double(longitude),
      let position = Position(latitude: north, longitude: east)
    else {
      throw Fault(
        "\(latitude.start(scalars: 40)), \(longitude.start(scalars: 40)) is not a position in degrees; correct it"
      )
    }
    return position
  }

  /// Returns the value of an attribute such as `lat="48.3"`.
  private static func attribute(_ name: String, _ content: ArraySlice<UInt8>) -> String? {
    let name = Array(name.utf8)
    var rest = content.drop { $0 > 0x20 }
    while true {
      rest = rest.drop { $0 <= 0x20 }
      let key = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }
      rest = rest[key.endIndex...].drop { $0 <= 0x20 }
      guard rest.first == UInt8(ascii: "=") else { return nil }
      rest = rest.dropFirst().drop { $0 <= 0x20 }
      guard let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else { return nil }
      if key.elementsEqual(name) {
        return CSV.trimmed(String(decoding: rest[..<end], as: UTF8.self))
      }
      rest = rest[(end + 1)...]
    }
  }

  /// Reads the text up to the next tag. A time without a zone is UTC.
  private func time() throws(Fault) -> Int {
    let text = bytes[at...].prefix(64).prefix { $0 != UInt8(ascii: "<") }.filter { $0 > 0x20 }
    let time = String(decoding: text, as: UTF8.self)
    guard let parsed = EXIFTime(time), let second = parsed.secondOfDay else {
      throw Fault("\"\(time)\" is not a time such as 2026-05-01T10:00:00Z; correct it")
    }
    return 86_400 * parsed.day + second - (parsed.offset.flatMap(UTCOffset.seconds) ?? 0)
  }
}

/// Parses the difference between local time and UTC.
package enum UTCOffset {
  /// Returns the seconds of an offset such as `+02:00` or `-03:30:15`; `nil` for other text.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard let sign = text.first, sign == "+" || sign == "-", (2...3).contains(parts.count),
      parts.allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let numbers = parts.compactMap { Digits.number($0) }
    guard numbers.count == parts.count, numbers[0] <= 15, numbers[1] < 60, numbers.last ?? 0 < 60
    else { return nil }
    let seconds = 3600 * numbers[0] + 60 * numbers[1] + (numbers.count == 3 ? numbers[2] : 0)
    return sign == "-" ? -seconds : seconds
  }
}

/// Supplies positions from a track to photos without a position.
package struct TrackPositions: Sendable {
  private let track: GPXTrack
  /// The offset of photos without a time zone.
  private let zone: Int?
  /// The results by path, so that a photo that is opened several times counts once.
  private let results = Locked([String: Lookup]())

  private enum Lookup: Sendable { case found, lacksZone, notNear }

  package init(_ track: GPXTrack, zone: Int?) { (self.track, self.zone) = (track, zone) }

  /// Returns the position of a photo from its time.
  package func position(of path: String, _ metadata: PhotoMetadata) -> Position? {
    let offset = metadata.captureTimeOffset.flatMap(UTCOffset.seconds) ?? zone
    let local = metadata.capture?.seconds
    let position: Position? =
      if let local, let offset { track.position(at: local - offset) } else { nil }
    let result: Lookup =
      position != nil ? .found : local != nil && offset == nil ? .lacksZone : .notNear
    results.withLock { $0[path] = result }
    return position
  }

  /// The number of photos that got a position, and why others did not, in one line.
  package var summary: String {
    let all = results.withLock { Array($0.values) }
    func count(_ result: Lookup) -> Int { all.count { $0 == result } }
    let (found, unzoned, others) = (count(.found), count(.lacksZone), count(.notNear))
    var text =
      "track: \(found) of \(FigureText.count(all.count, "photo")) without a position got one"
    if others > 0 {
      text +=
        "; \(others) \(others == 1 ? "was" : "were") not taken within \(GPXTrack.reach) s of a track point"
    }
    if unzoned > 0 {
      text +=
        "; \(unzoned) \(unzoned == 1 ? "has" : "have") no time zone; set it with --track-zone, such as +02:00"
    }
    return text
  }
}

extension Photo {
  /// Adds the time and the position of files next to the photo, and a position from a track.
  package mutating func complete(from path: String, by decoder: PhotoDecoder) {
    sidecar = TakeoutSidecar.find(besides: path, lacking: metadata)?.metadata
    guard metadata.position == nil, let position = decoder.locate?(path, metadata) else { return }
    var added = sidecar ?? PhotoMetadata()
    added.position = position
    sidecar = added
  }
}
