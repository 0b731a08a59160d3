internal import CupolaCampus
internal import CupolaGuide

// 1. List the kinds of findings.
// 2. Describe each with the way to correct the map.

/// What a visitor would stumble over in a guide, found by `cupola guide check`; each says how to mend the map.
package enum GuideFinding: Equatable, Sendable {
  /// A map of which nobody knows how much is missing.
  case incomplete(String, problem: String)
  case unusable(String, problem: String)
  /// Buildings, of which the first is named, that are near to paths only with latitude and longitude exchanged.
  case swappedCoordinates(String, buildings: Int)
  case unreachable(String, meters: Double?)
  case cutOff(String)
  case entranceMissing(String)
  case island(String, meters: Double, latitude: Double, longitude: Double)
  /// Steps whose ends no step-free way joins within some meters.
  case stepsOnly(String, latitude: Double, longitude: Double)
  /// Rooms and corridors on floors that nothing leads to.
  case floorCutOff(String, floors: [String])
  case roomCutOff(String)
  /// A room without a door, which is entered through the wall that it shares with a corridor.
  case doorMissing(String)
  case sameName(String, ids: [String])
  case openingHours(String, text: String, problem: String)
}

extension GuideFinding {
  package var kind: String {
    switch self {
    case .incomplete: "incomplete"
    case .unusable: "unusable"
    case .swappedCoordinates: "swapped_coordinates"
    case .unreachable: "unreachable"
    case .cutOff: "cut_off"
    case .entranceMissing: "entrance_missing"
    case .island: "island"
    case .stepsOnly: "steps_only"
    case .floorCutOff: "floor_cut_off"
    case .roomCutOff: "room_cut_off"
    case .doorMissing: "door_missing"
    case .sameName: "same_name"
    case .openingHours: "opening_hours"
    }
  }

  /// Whether visitors find their way all the same.
  package var isAdvice: Bool {
    switch self {
    case .entranceMissing, .sameName, .openingHours, .doorMissing, .unusable, .stepsOnly: true
    case .incomplete, .swappedCoordinates, .unreachable, .cutOff, .island, .floorCutOff,
      .roomCutOff:
      false
    }
  }

  package var subject: String {
    switch self {
    case .incomplete(let title, _), .unusable(let title, _), .swappedCoordinates(let title, _),
      .unreachable(let title, _), .cutOff(let title), .entranceMissing(let title),
      .island(let title, _, _, _),
      .stepsOnly(let title, _, _), .floorCutOff(let title, _), .roomCutOff(let title),
      .doorMissing(let title), .sameName(let title, _), .openingHours(let title, _, _):
      title
    }
  }

  /// One line for people: what is wrong and how to mend it in OpenStreetMap.
  package var message: String {
    "\(subject): \(problem)"
  }

  private var problem: String {
    switch self {
    case .incomplete(_, let problem), .unusable(_, let problem): problem
    case .swappedCoordinates(_, let count):
      "\(Self.withOthers(count)) near to paths only with latitude and longitude exchanged; "
        + "correct the map that has them so: GeoJSON has the longitude first"
    case .unreachable(_, let meters):
      (meters.map { "the nearest path is \(Self.whole($0)) m away" } ?? "no path is near")
        + "; draw a highway=footway to its entrance"
    case .cutOff:
      "its paths meet no others; let them share a node with the next highway=footway or street"
    case .entranceMissing:
      "no entrance; add entrance=main or entrance=yes to a node of its outline where the door is"
    case .island(_, let meters, let latitude, let longitude):
      "\(Self.whole(meters)) m of ways near \(Self.place(latitude, longitude)) meet no others; "
        + "let them share a node, or add the crossing that is missing"
    case .stepsOnly(_, let latitude, let longitude):
      "steps near \(Self.place(latitude, longitude)) without a step-free way round within "
        + "\(Int(GuideCheck.roundReach)) m; draw the ramp, or highway=elevator, if there is one"
    case .floorCutOff(_, let floors):
      "nothing leads to it and what is around it on floor\(floors.count == 1 ? "" : "s") "
        + "\(floors.joined(separator: ", ")); draw highway=steps or highway=elevator with level=* "
        + "over the floors, or the door"
    case .roomCutOff:
      "no door for visitors leads to it; add a door=* node to its outline that the corridor shares"
    case .doorMissing:
      "no door; it is entered through the wall that it shares with the corridor; add a door=* node"
    case .sameName(_, let ids):
      "\(ids.count) buildings have this name (\(ids.joined(separator: ", "))); "
        + "if it is one, join them in a multipolygon; else give each its own"
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
