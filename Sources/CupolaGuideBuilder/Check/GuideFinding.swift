internal import CupolaCampus
package import CupolaGuide

/// A problem for visitors found by `cupola guide check`, with advice for correcting the map.
package enum GuideFinding: Equatable, Sendable {
  /// A map that lacks an unknown part of its content.
  case incomplete(String, problem: String)
  case unusable(String, problem: String)
  /// A schedule whose last service is in the past.
  case expiredTimetable(String, end: LocalDate)
  /// A schedule whose first service is in the future.
  case futureTimetable(String, start: LocalDate)
  /// Buildings that are near paths only after latitude and longitude are swapped; the first building is named.
  case swappedCoordinates(String, buildings: Int)
  case unreachable(String, meters: Double?)
  case cutOff(String)
  case entranceMissing(String)
  case island(String, meters: Double, latitude: Double, longitude: Double)
  /// Steps for which there is no step-free route between the ends.
  case stepsOnly(String, latitude: Double, longitude: Double)
  /// A square with steps on it or along its edge, which step-free routes avoid.
  case stepsInSquare(String, latitude: Double, longitude: Double)
  /// Rooms and corridors on floors that are not connected to the rest.
  case floorCutOff(String, floors: [String])
  case roomCutOff(String)
  /// A room with doors from which no way leads to the rest of the map.
  case roomIsolated(String)
  /// A room without a door. Routes enter it from a corridor through the wall.
  case doorMissing(String)
  case sameName(String, ids: [String])
  case openingHours(String, text: String, problem: String)
}

extension GuideFinding {
  package var kind: String {
    switch self {
    case .incomplete: "incomplete"
    case .unusable: "unusable"
    case .expiredTimetable: "expired_timetable"
    case .futureTimetable: "future_timetable"
    case .swappedCoordinates: "swapped_coordinates"
    case .unreachable: "unreachable"
    case .cutOff: "cut_off"
    case .entranceMissing: "entrance_missing"
    case .island: "island"
    case .stepsOnly: "steps_only"
    case .stepsInSquare: "steps_in_square"
    case .floorCutOff: "floor_cut_off"
    case .roomCutOff, .roomIsolated: "room_cut_off"
    case .doorMissing: "door_missing"
    case .sameName: "same_name"
    case .openingHours: "opening_hours"
    }
  }

  /// Whether visitors can find their way despite the finding.
  package var isAdvice: Bool {
    switch self {
    case .entranceMissing, .sameName, .openingHours, .doorMissing, .unusable, .stepsOnly,
      .stepsInSquare:
      true
    case .incomplete, .expiredTimetable, .futureTimetable, .swappedCoordinates, .unreachable,
      .cutOff, .island, .floorCutOff, .roomCutOff, .roomIsolated:
      false
    }
  }

  package var subject: String {
    switch self {
    case .incomplete(let title, _), .unusable(let title, _), .expiredTimetable(let title, _),
      .futureTimetable(let title, _),
      .swappedCoordinates(let title, _),
      .unreachable(let title, _), .cutOff(let title), .entranceMissing(let title),
      .island(let title, _, _, _),
      .stepsOnly(let title, _, _), .stepsInSquare(let title, _, _), .floorCutOff(let title, _),
      .roomCutOff(let title), .roomIsolated(let title),
      .doorMissing(let title), .sameName(let title, _), .openingHours(let title, _, _):
      title
    }
  }

  package var message: String {
    "\(subject): \(problem)"
  }

  private var problem: String {
    switch self {
    case .incomplete(_, let problem), .unusable(_, let problem): problem
    case .expiredTimetable(_, let end): "the timetable ended on \(end); use a newer feed"
    case .futureTimetable(_, let start):
      "the timetable begins on \(start); use the current feed until then"
    case .swappedCoordinates(_, let count):
      "\(Self.withOthers(count)) near paths only after swapping latitude and longitude; "
        + "fix the map with swapped coordinates (GeoJSON puts longitude first)"
    case .unreachable(_, let meters):
      (meters.map { "the nearest path is \(Self.whole($0)) m away" } ?? "no path nearby")
        + "; draw a highway=footway to its entrance"
    case .cutOff:
      "its paths are not connected to others; join them to the nearest footway or street at a shared node"
    case .entranceMissing:
      "no entrance; add entrance=main or entrance=yes to the node of its outline at the door"
    case .island(_, let meters, let latitude, let longitude):
      "\(Self.whole(meters)) m of paths near \(Self.place(latitude, longitude)) are not connected; "
        + "join them to other paths at a shared node, or add the missing crossing"
    case .stepsOnly(_, let latitude, let longitude):
      "steps near \(Self.place(latitude, longitude)) without a step-free detour within "
        + "\(Int(GuideCheck.roundReach)) m; draw the ramp or highway=elevator if there is one"
    case .stepsInSquare(_, let latitude, let longitude):
      "step-free routes across it avoid the steps near \(Self.place(latitude, longitude)); "
        + "draw the ramp beside them as a highway=footway, or tag the steps ramp:wheelchair=yes"
    case .floorCutOff(_, let floors):
      "no path leads to it and the area around it on floor\(floors.count == 1 ? "" : "s") "
        + "\(floors.joined(separator: ", ")); draw highway=steps or highway=elevator with level=* "
        + "for both floors, or the missing door"
    case .roomCutOff:
      "no public door; add a door=* node to its outline, shared with the corridor, or an IMDF opening"
    case .roomIsolated:
      "no path leads from its doors to the rest of the map; draw the missing door, opening or corridor"
    case .doorMissing:
      "no door; routes enter through its wall to the corridor; add a door=* node"
    case .sameName(_, let ids):
      "\(ids.count) buildings have this name (\(ids.joined(separator: ", "))); "
        + "if they are one building, join them in a multipolygon; otherwise give each its own name"
    case .openingHours(_, let text, let problem):
      "opening_hours=\(text) cannot be read: \(problem)"
    }
  }

  private static func withOthers(_ count: Int) -> String {
    count < 2 ? "it is" : "it and \(count - 1) other building\(count == 2 ? "" : "s") are"
  }

  private static func whole(_ meters: Double) -> Int { Int(saturating: meters.rounded()) }

  private static func place(_ latitude: Double, _ longitude: Double) -> String {
    "\((latitude * 1e6).rounded() / 1e6),\((longitude * 1e6).rounded() / 1e6)"
  }
}
