internal import CupolaGuide

/// A line of buses, trams or trains.
public struct TransitRoute: Equatable, Sendable {
  /// `route_id`.
  public let id: String
  /// Such as `55`.
  public let shortName: String?
  /// Such as `Airport - Downtown`.
  public let longName: String?
  /// What runs.
  public let kind: Kind
  /// `RRGGBB`.
  public let color: String?
  /// Who runs it.
  public let agency: String?

  init(_ route: TransitFeed.Route, agency: TransitFeed.Agency?) {
    (id, shortName, longName) = (route.id, route.shortName, route.longName)
    (kind, color, self.agency) = (Kind(routeType: Int(route.type)), route.color, agency?.name)
  }

  /// What to call it: its short name, else its long one.
  public var title: String { shortName ?? longName ?? id }

  /// What runs on a route.
  public enum Kind: String, CaseIterable, Codable, Sendable {
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
