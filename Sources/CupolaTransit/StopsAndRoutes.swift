public import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. A stop, and the search for stops by text.
// 2. A route, and the routes that call at a stop.

/// A stop, a platform or a station of a schedule.
public struct TransitStop: Equatable, Sendable {
  /// `location_type` of GTFS.
  package enum Kind: UInt8, Sendable {
    /// Where people get on and off.
    case stop
    /// What holds platforms.
    case station
    case entrance
    case node
    case boardingArea
  }

  /// `stop_id`.
  public let id: String
  /// The number on the sign.
  public let code: String?
  /// What people call it.
  public let name: String
  /// Where it is; `nil` when the schedule does not say.
  public let position: Position?
  /// What it is.
  package let kind: Kind
  /// The identifier of the station that it belongs to.
  public let station: String?
  /// The platform's number or letter.
  public let platform: String?
  /// Whether wheelchairs can board; a platform that says nothing is as its station. `nil`: unknown.
  public let isWheelchairAccessible: Bool?

  init(_ stop: TransitFeed.Stop, in station: TransitFeed.Stop?) {
    (id, code, name) = (stop.id, stop.code, stop.name)
    position = stop.point.flatMap { Position(latitude: $0.latitude, longitude: $0.longitude) }
    kind = Kind(rawValue: stop.locationType) ?? .stop
    (self.station, platform) = (station?.id, stop.platform)
    let wheelchair = stop.wheelchair == 0 ? station?.wheelchair ?? 0 : stop.wheelchair
    isWheelchairAccessible = wheelchair == 1 ? true : wheelchair == 2 ? false : nil
  }
}

extension TransitStop {
  /// Whether a text is its name, the number on its sign or its identifier.
  package func isCalled(_ text: String) -> Bool {
    var asked = VeryName(text)
    return id == text || code == text || asked.isSame(as: name)
  }
}

extension Timetable {
  /// The stops that somebody means who types a text: the one of that identifier, those with that number on the sign,
  /// else those of that very name, else those with all words in their names. A station stands for its platforms.
  ///
  /// - Returns: in the feed's order; small errors in typing, none of them in numbers, count only where nothing fits without.
  public func stops(meantBy text: String) -> [TransitStop] {
    if let stop = stop(text) { return [stop] }
    let boarding = stops.filter { $0.kind == .stop || $0.kind == .station }
    let coded = boarding.filter { $0.code == text }
    if !coded.isEmpty { return coded }
    var folding = Folding()
    let wanted = folding.words(of: text)
    guard !wanted.isEmpty else { return [] }
    let words = boarding.map { folding.words(of: $0.name) }
    func fitting(_ fits: ([[UInt32]]) -> Bool) -> [TransitStop] {
      let found = zip(boarding, words).filter { _, words in fits(words) }.map(\.0)
      // Whoever names the station means its platforms.
      let stations = Set(found.filter { $0.kind == .station }.map(\.id))
      return found.filter { !($0.station.map(stations.contains) ?? false) }
    }
    // Gate 1 is not Gate 10.
    let called = fitting { $0 == wanted }
    if !called.isEmpty { return called }
    let exact = fitting { words in
      wanted.allSatisfy { typed in words.contains { $0.starts(with: typed) } }
    }
    if !exact.isEmpty { return exact }
    var errors = TypingErrors()
    return fitting { words in
      wanted.allSatisfy { typed in
        let limit = TypingErrors.forgiven(in: typed)
        return words.contains {
          $0.starts(with: typed)
            || limit > 0 && errors.count(typed: typed, word: $0, limit: limit).beginning != nil
        }
      }
    }
  }
}

/// A line of buses, trams or trains.
public struct TransitRoute: Equatable, Sendable {
  /// `route_id`.
  public let id: String
  /// Such as `55`.
  package let shortName: String?
  /// Such as `Airport - Downtown`.
  package let longName: String?
  /// What runs.
  package let kind: Kind
  /// `RRGGBB`.
  public let color: String?
  /// Who runs it.
  package let agency: String?

  init(_ route: TransitFeed.Route, agency: TransitFeed.Agency?) {
    (id, shortName, longName) = (route.id, route.shortName, route.longName)
    (kind, color, self.agency) = (Kind(routeType: Int(route.type)), route.color, agency?.name)
  }

  /// What to call it: its short name, else its long one.
  public var title: String { shortName ?? longName ?? id }

  /// What runs on a route.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case tram, subway, rail, bus, ferry, cableTram = "cable_tram", aerialLift = "aerial_lift"
    case funicular, trolleybus, monorail, other

    /// - Parameter type: `route_type` of GTFS or of its extended route types.
    init(routeType type: Int) {
      self =
        switch type {
        case 0, 900..<1000: .tram
        case 1, 400..<405: .subway
        case 2, 100..<200: .rail
        case 3, 200..<300, 700..<800: .bus
        case 4, 1000..<1100, 1200..<1300: .ferry
        case 5: .cableTram
        case 6, 1300..<1400: .aerialLift
        case 7, 1400..<1500: .funicular
        case 11, 800: .trolleybus
        case 12, 405: .monorail
        default: .other
        }
    }
  }
}

extension Timetable {
  /// The routes whose trips call at a stop, or at a platform of a station; in the feed's order.
  public func routes(at stop: String) -> [TransitRoute] {
    var numbers: Set<Int32> = []
    for stop in self.numbers(ofStops: [stop]) {
      for place in index.lines.places[stop] {
        let line = index.lines.lines[Int(place.line)]
        numbers.insert(tables.patterns[Int(line.pattern)].route)
      }
    }
    return numbers.sorted().map { index.routes[Int($0)] }
  }
}
