/// Junctions of campus paths, in meters east and north.
enum CampusJunction {
  typealias Place = (Double, Double)

  // MARK: - The edge of the Campus Green

  static let greenNorth: Place = (2, 44)
  static let greenEast: Place = (40, -16)
  static let greenSouth: Place = (2, -46)
  static let greenWest: Place = (-36, -18)

  // MARK: - In front of buildings

  static let bellFoot = place("bell_tower", 0, -12)
  static let waterTowerFoot = place("water_tower", 0, -17)
  static let chapelFoot = place("chapel", 0, -22)
  static let libraryFront: Place = (-60, 104)
  static let foundersFront = place("founders_hall", 0, -34)
  static let foundersFoot = ahead("founders_hall", north: 62)
  static let foundersBackFoot = ahead("founders_hall", north: 190)
  static let northHallFront = place("north_hall", 0, -16)
  static let northHallFoot = ahead("north_hall", north: 62)
  static let northHallGate: Place = (-122, 118)
  static let southHallFront = place("south_hall", -6, -20)
  static let southHallGate: Place = (-122, -118)
  static let scienceFront = place("science_block", 0, -40)
  static let scienceFoot = ahead("science_block", north: 62)
  static let scienceGate: Place = (128, 100)
  static let observatoryFront = place("observatory", 0, -14)
  static let observatoryFoot = ahead("observatory", north: -72)
  static let palmHouseFront = place("palm_house", 0, -14)
  static let palmHouseFoot = ahead("palm_house", north: -72)
  static let arenaNorth = CampusEntrances.ovalArena
  static let arenaSouth = CampusEntrances.ovalArenaBack
  /// The junction of Abbey Lane and the West Walk.
  static let westWalk = gate(0, -44)
  static let bollard: Place = (182, -34)

  static func gate(_ x: Double, _ y: Double) -> Place { place("gate_house", x, y) }

  static func building(_ label: String) -> Building {
    Campus.buildings.first { $0.label == label } ?? Campus.buildings[0]
  }

  static func place(_ label: String, _ x: Double, _ y: Double) -> Place {
    let place = building(label).frame.place(x, y)
    return (place.x, place.y)
  }

  /// The point on a building's axis at a given north coordinate.
  private static func ahead(_ label: String, north: Double) -> Place {
    let frame = building(label).frame
    let meters = (north - frame.origin.y) / Angle.cosine(frame.facing)
    return (frame.origin.x + meters * Angle.sine(frame.facing), north)
  }
}
