/// The doors of the buildings, as points on walls where paths end.
enum CampusEntrances {
  static let bellTower = CampusJunction.place("bell_tower", 0, -7)
  static let gateHouse = CampusJunction.gate(12, 5)
  static let waterTower = corner("water_tower", 18)
  static let chapel = CampusJunction.place("chapel", 0, -14)
  static let oldLibrary = CampusJunction.place("old_library", 0, -12)
  static let oldLibraryBack = CampusJunction.place("old_library", 8, 12)
  static let foundersHall = CampusJunction.place("founders_hall", 0, -9)
  static let foundersHallBack = CampusJunction.place("founders_hall", 0, 9)
  static let northHall = CampusJunction.place("north_hall", 0, -8.5)
  static let southHall = CampusJunction.place("south_hall", -6, -11)
  static let scienceBlock = CampusJunction.place("science_block", 0, -10)
  static let observatory = CampusJunction.place("observatory", 0, -9)
  static let palmHouse = CampusJunction.place("palm_house", 0, -9.5)
  static let ovalArena = corner("oval_arena", 18)
  static let ovalArenaBack = corner("oval_arena", 6)

  static let features = [
    entrance("bell_tower", bellTower, ["wheelchair": "no"]),
    entrance("gate_house", gateHouse, ["wheelchair": "no"]),
    entrance("water_tower", waterTower, ["wheelchair": "no"]),
    entrance("chapel", chapel),
    entrance("old_library", oldLibrary),
    entrance("old_library/back", oldLibraryBack, ["entrance": "service"]),
    entrance("founders_hall", foundersHall, ["door": "hinged", "level": "0"]),
    entrance(
      "founders_hall/back", foundersHallBack,
      ["door": "hinged", "entrance": "yes", "level": "0", "name": "Orchard Door"]),
    entrance("north_hall", northHall),
    entrance("south_hall", southHall),
    entrance("science_block", scienceBlock),
    entrance("observatory", observatory),
    entrance("palm_house", palmHouse),
    entrance("oval_arena", ovalArena),
    entrance("oval_arena/back", ovalArenaBack, ["entrance": "yes", "name": "South Gate"]),
  ]

  /// A door. By default, it is a main entrance that is accessible by wheelchair.
  private static func entrance(
    _ id: String, _ place: CampusJunction.Place, _ more: [String: String] = [:]
  ) -> GeoJSONFeature {
    let tags = ["entrance": "main", "wheelchair": "yes"].merging(more) { $1 }
    return GeoJSONFeature(id + "/door", tags, .point(Vector(place.0, place.1, 0)))
  }

  /// A door at a corner of a round building's outline.
  private static func corner(_ label: String, _ number: Int) -> CampusJunction.Place {
    let place = CampusJunction.building(label).footprint[number]
    return (place.x, place.y)
  }
}
