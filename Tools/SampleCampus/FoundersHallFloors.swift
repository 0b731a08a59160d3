/// Two floors of Founders Hall as OpenStreetMap Simple Indoor Tagging, in the building's local coordinates.
enum FoundersHallFloors {
  static let features =
    [ground, upper].flatMap { floor in
      [corridor(of: floor)] + floor.rooms.flatMap { room($0, on: floor.level) }
    }
    + [
      feature(
        "stairs",
        [
          "highway": "steps", "incline": "up", "indoor": "yes", "level": "0;1",
          "name": "Grand Stair", "step_count": "28",
        ], line: [(-1.5, 3), (-1.5, 8)]),
      feature(
        "elevator", ["highway": "elevator", "level": "0;1", "wheelchair": "yes"],
        at: (1.8, 7)),
    ]

  private typealias Place = (x: Double, y: Double)

  private struct Room {
    let ref: String
    let name: String?
    let left: Double
    let right: Double
    /// The door's position along the corridor. The doors on the two floors are at different positions.
    let door: Double
    let isFront: Bool
    var tags: [String: String] = [:]
  }

  private struct Floor {
    let level: String
    /// The outline of the hall behind the main entrance, between doors in the corridor's front wall.
    let lobby: [Place]
    /// The outline of the stair hall behind the corridor.
    let stairHall: [Place]
    let rooms: [Room]
  }

  // Half the building's width and depth, half the corridor's width, and half the width of the halls.
  private static let (end, front, wall, hall) = (23.0, 9.0, 1.5, 3.0)

  private static let ground = Floor(
    level: "0",
    lobby: [(-hall, -wall), (-hall, -front), (0, -front), (hall, -front), (hall, -wall)],
    stairHall: [(hall, wall), (hall, front), (0, front), (-hall, front), (-hall, wall)],
    rooms: [
      Room(
        ref: "0.1", name: "Lecture Hall", left: -end, right: -hall, door: -13,
        isFront: true, tags: ["capacity": "120", "room": "auditorium"]),
      Room(
        ref: "0.2", name: "Exhibition Room", left: hall, right: 13, door: 6,
        isFront: true),
      Room(
        ref: "0.3", name: "Registrar's Office", left: 13, right: end, door: 18,
        isFront: true,
        tags: [
          "office": "educational_institution", "opening_hours": "Mo-Th 09:00-12:00,13:00-16:00",
        ]
      ),
      Room(
        ref: "0.4", name: "Seminar Room", left: -end, right: -9, door: -14,
        isFront: false, tags: ["room": "class"]),
      Room(
        ref: "0.5", name: nil, left: -9, right: -hall, door: -6.5, isFront: false,
        tags: ["amenity": "toilets", "room": "toilets", "wheelchair": "yes"]),
      Room(
        ref: "0.6", name: "Reading Room", left: hall, right: end, door: 13,
        isFront: false),
    ])

  private static let upper = Floor(
    level: "1", lobby: [],
    stairHall: [(hall, wall), (hall, front), (-hall, front), (-hall, wall)],
    rooms: [
      Room(
        ref: "1.1", name: "Drawing Studio", left: -end, right: -8, door: -15,
        isFront: true, tags: ["room": "class"]),
      Room(
        ref: "1.2", name: "Senate Room", left: -8, right: 8, door: 0, isFront: true),
      Room(
        ref: "1.3", name: "Dean's Office", left: 8, right: end, door: 15,
        isFront: true, tags: ["room": "office"]),
      Room(
        ref: "1.4", name: "Computer Room", left: -end, right: -9, door: -16,
        isFront: false, tags: ["room": "computer"]),
      Room(
        ref: "1.5", name: nil, left: -9, right: -hall, door: -5.5, isFront: false,
        tags: ["amenity": "toilets", "room": "toilets", "wheelchair": "no"]),
      Room(
        ref: "1.6", name: "Archive", left: hall, right: end, door: 12,
        isFront: false),
    ])

  /// The corridor and its halls. Its ring contains the doors of all rooms.
  private static func corridor(of floor: Floor) -> GeoJSONFeature {
    func doors(_ isFront: Bool, _ isLeft: Bool) -> [Place] {
      let places = floor.rooms.filter { $0.isFront == isFront && ($0.door < 0) == isLeft }
        .map { Place($0.door, isFront ? -wall : wall) }
      return places.sorted { isFront ? $0.x < $1.x : $0.x > $1.x }
    }
    let ring =
      [(-end, -wall)] + doors(true, true) + floor.lobby + doors(true, false)
      + [(end, -wall), (end, wall)] + doors(false, false) + floor.stairHall + doors(false, true)
      + [(-end, wall)]
    return GeoJSONFeature(
      "founders_hall/corridor/\(floor.level)", ["indoor": "corridor", "level": floor.level],
      .area(ring.map(place)))
  }

  private static func room(_ room: Room, on level: String) -> [GeoJSONFeature] {
    let (near, far) = room.isFront ? (-wall, -front) : (wall, front)
    let corners: [Place] = [
      (room.left, near), (room.left, far), (room.right, far), (room.right, near),
    ]
    let ring = [(room.door, near)] + corners
    var tags = room.tags.merging(["indoor": "room", "level": level, "ref": room.ref]) { $1 }
    tags["name"] = room.name
    return [
      // For rooms behind the corridor, the corners are in reverse order.
      GeoJSONFeature(
        "founders_hall/\(room.ref)", tags,
        .area((room.isFront ? ring : ring.reversed()).map(place))),
      feature("\(room.ref)/door", ["door": "hinged", "level": level], at: (room.door, near)),
    ]
  }

  private static func feature(
    _ id: String, _ tags: [String: String], at point: Place
  ) -> GeoJSONFeature {
    GeoJSONFeature("founders_hall/" + id, tags, .point(place(point)))
  }

  private static func feature(
    _ id: String, _ tags: [String: String], line: [Place]
  ) -> GeoJSONFeature {
    GeoJSONFeature("founders_hall/" + id, tags, .line(line.map(place)))
  }

  private static func place(_ place: Place) -> Vector {
    CampusJunction.building("founders_hall").frame.place(place.x, place.y)
  }
}
