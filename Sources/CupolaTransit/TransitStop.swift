public import CupolaCampus
internal import CupolaGuide

/// A stop, a platform or a station of a schedule.
public struct TransitStop: Equatable, Sendable {
  /// `location_type` of GTFS.
  public enum Kind: UInt8, Sendable {
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
  public let kind: Kind
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
