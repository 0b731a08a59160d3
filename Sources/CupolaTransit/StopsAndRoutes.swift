public import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Define stops, and search for them by text.
// 2. Define routes, and find those that serve a stop.

/// A stop, platform or station.
public struct TransitStop: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    case stop
    case station
    case entrance
    case node
    case boardingArea
  }

  /// `stop_id`.
  public let id: String
  /// `stop_code`, the number on the stop's sign.
  public let code: String?
  /// The name of the stop.
  public let name: String
  /// The position, if the feed contains it.
  public let position: Position?
  package let kind: Kind
  /// The identifier of the parent station.
  public let station: String?
  /// `platform_code`.
  public let platform: String?
  /// Whether the stop is wheelchair accessible; inherited from the station if unspecified; `nil` if unknown.
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
  package func isCalled(_ text: String) -> Bool {
    var asked = ExactName(text)
    return id == text || code == text || asked.isSame(as: name)
  }
}

extension Timetable {
  /// Returns the stops that match a text, in feed order. If a station matches, its platforms are omitted.
  ///
  /// A text matches, in order of priority, the identifier, the code, the whole name, or the beginnings of words in the
  /// name, and finally the same with typing errors. Numbers must match exactly.
  public func stops(matching text: String) -> [TransitStop] {
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
      let stations = Set(found.filter { $0.kind == .station }.map(\.id))
      return found.filter { !($0.station.map(stations.contains) ?? false) }
    }
    // "Gate 1" must not match "Gate 10".
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

/// A bus, tram or train route.
public struct TransitRoute: Equatable, Sendable {
  /// `route_id`.
  public let id: String
  /// `route_short_name`, for example `55`.
  package let shortName: String?
  /// `route_long_name`, for example `Airport - Downtown`.
  package let longName: String?
  package let kind: Kind
  /// The color as `RRGGBB`.
  public let color: String?
  package let agency: String?

  init(_ route: TransitFeed.Route, agency: TransitFeed.Agency?) {
    (id, shortName, longName) = (route.id, route.shortName, route.longName)
    (kind, color, self.agency) = (Kind(routeType: Int(route.type)), route.color, agency?.name)
  }

  /// The short name, if there is one; otherwise, the long name or the identifier.
  public var title: String { shortName ?? longName ?? id }

  package enum Kind: String, CaseIterable, Codable, Sendable {
    case tram, subway, rail, bus, ferry, cableTram = "cable_tram", aerialLift = "aerial_lift"
    case funicular, trolleybus, monorail, other

    /// - Parameter type: The GTFS `route_type`, including the extended types.
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
  /// Returns the routes that serve a stop or a platform of a station, in feed order.
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
