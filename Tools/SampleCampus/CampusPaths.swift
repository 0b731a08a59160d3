/// A second map of the campus, with OpenStreetMap tags: streets, walks, entrances, two indoor floors and amenities.
///
/// Paths are connected at shared points, which ``CampusJunction`` defines.
enum CampusPaths {
  static func geoJSON() -> String {
    GeoJSONFeature.collection(
      streets + walks + doorPaths + CampusCrossings.features + areas + CampusEntrances.features
        + FoundersHallFloors.features + CampusAmenities.features)
  }

  private typealias Junction = CampusJunction

  private static let streets = [
    street(
      "college_row/south", "College Row", [(-122, -203), Junction.southHallGate, (-122, -72)]),
    street(
      "college_row/north", "College Row",
      [(-122, -72), (-122, -6), (-122, 62), Junction.northHallGate, (-122, 190)],
      ["oneway": "yes"]),
    street(
      "meridian_street", "Meridian Street",
      [
        (-122, -72), Junction.observatoryFoot, (2, -72), Junction.palmHouseFoot, (128, -72),
        (128, -34), (128, -20), (128, 62), Junction.scienceGate, (128, 190), (128, 203),
      ]),
    street(
      "orchard_street", "Orchard Street",
      [(-122, 190), (-52, 190), (2, 190), Junction.foundersBackFoot, (128, 190)]),
    line(
      "mill_path/service", ["highway": "service", "name": "Mill Path"],
      [(128, -34), (150, -34), (162, -34), Junction.bollard]),
    line(
      "car_park/aisle", ["highway": "service", "service": "parking_aisle"],
      [(162, -34), (162, -62)]),
  ]

  private static let walks = [
    walk("campus_walk/west", "Campus Walk", [(-236, 62), Junction.northHallFoot, (-126.5, 62)]),
    walk(
      "campus_walk/middle", "Campus Walk",
      [(-117.5, 62), (-60, 62), (2, 62), Junction.foundersFoot, (123.5, 62)]),
    walk("campus_walk/east", "Campus Walk", [(132.5, 62), Junction.scienceFoot, (236, 62)]),
    walk(
      "abbey_lane/west", "Abbey Lane",
      [Junction.gate(0, -58), Junction.westWalk, Junction.gate(0, -5)]),
    walk(
      "abbey_lane/gate", "Abbey Lane", [Junction.gate(0, -5), Junction.gate(0, 5)],
      ["tunnel": "building_passage"]),
    walk(
      "abbey_lane/middle", "Abbey Lane", [Junction.gate(0, 5), Junction.gate(0, 12), (-126.5, -6)]),
    walk(
      "abbey_lane/east", "Abbey Lane",
      [(-117.5, -6), (-84, -17), Junction.chapelFoot, Junction.greenWest]),
    walk("west_walk", "West Walk", [(-236, 62), Junction.westWalk, (-236, -72)]),
    walk("south_walk", "South Walk", [(-236, -72), (-160, -72), (-122, -72)]),
    walk("long_walk", "Long Walk", [Junction.greenNorth, (2, 62), (2, 104), (2, 190)]),
    walk(
      "garden_walk/north", "Garden Walk", [Junction.greenSouth, (2, -67.5)]),
    walk(
      "garden_walk/south", "Garden Walk",
      [
        (2, -76.5), (2, -112), (2, -186), (112, -186), (150, -178), (192, -180),
        Junction.arenaSouth,
      ]
    ),
    walk(
      "bell_walk/west", "Bell Walk", [Junction.greenEast, Junction.bellFoot, (123.5, -20)]),
    walk("bell_walk/east", "Bell Walk", [(132.5, -20), (150, -34)]),
    walk(
      "mill_path/walk", "Mill Path",
      [Junction.bollard, Junction.waterTowerFoot, (214, -22), (232, 0), (236, 62)]),
    walk("arena_way", "Arena Way", [(128, -72), (150, -88), Junction.arenaNorth]),
    walk("green/northwest", nil, [(-26, 44), (-60, 62)]),
    walk("green/northeast", nil, [(30, 44), Junction.foundersFoot]),
    walk("green/southwest", nil, [(-26, -46), Junction.observatoryFoot]),
    walk("green/southeast", nil, [(30, -46), Junction.palmHouseFoot]),
    walk("garden_walk/observatory", nil, [(2, -112), Junction.observatoryFront]),
    walk("garden_walk/palm_house", nil, [(2, -112), Junction.palmHouseFront]),
    walk(
      "library_walk", "Library Walk", [Junction.libraryFront, (2, 104), Junction.foundersFront]),
  ]

  private static let doorPaths = [
    walk("bell_tower/path", nil, [Junction.bellFoot, CampusEntrances.bellTower]),
    walk("gate_house/path", nil, [Junction.gate(0, 12), CampusEntrances.gateHouse]),
    walk("water_tower/path", nil, [Junction.waterTowerFoot, CampusEntrances.waterTower]),
    walk("chapel/path", nil, [Junction.chapelFoot, CampusEntrances.chapel]),
    walk(
      "old_library/path", "Portico Walk",
      [(-60, 62), Junction.libraryFront, (-60, 111), (-60, 115)]),
    line(
      "old_library/steps",
      [
        "handrail": "yes", "highway": "steps", "incline": "up", "name": "Library Steps",
        "step_count": "8",
      ], [(-60, 115), (-60, 118)]),
    walk(
      "old_library/ramp", "Library Ramp", [(-60, 111), (-78, 111), (-78, 118), (-60, 118)],
      ["incline": "3%", "ramp:wheelchair": "yes", "wheelchair": "yes"]),
    walk("old_library/portico", nil, [(-60, 118), CampusEntrances.oldLibrary]),
    walk("old_library/yard", nil, [(-52, 190), CampusEntrances.oldLibraryBack]),
    walk(
      "founders_hall/path", "Founders Walk",
      [Junction.foundersFoot, Junction.foundersFront, CampusEntrances.foundersHall]),
    walk("founders_hall/yard", nil, [Junction.foundersBackFoot, CampusEntrances.foundersHallBack]),
    walk(
      "north_hall/path", nil,
      [Junction.northHallFoot, Junction.northHallFront, CampusEntrances.northHall]),
    walk("north_hall/drive", nil, [Junction.northHallFront, Junction.northHallGate]),
    walk(
      "south_hall/path", nil, [(-160, -72), Junction.southHallFront, CampusEntrances.southHall]),
    walk("south_hall/drive", nil, [Junction.southHallFront, Junction.southHallGate]),
    walk(
      "science_block/path", nil,
      [Junction.scienceFoot, Junction.scienceFront, CampusEntrances.scienceBlock]),
    walk("science_block/drive", nil, [Junction.scienceFront, Junction.scienceGate]),
    walk(
      "observatory/path", nil,
      [Junction.observatoryFoot, Junction.observatoryFront, CampusEntrances.observatory]),
    walk(
      "palm_house/path", nil,
      [Junction.palmHouseFoot, Junction.palmHouseFront, CampusEntrances.palmHouse]),
  ]

  private static let areas = [
    area(
      "campus_green", ["area": "yes", "highway": "pedestrian", "name": "Campus Green"],
      [
        (-26, -46), Junction.greenSouth, (30, -46), (40, -36), Junction.greenEast, (40, 34),
        (30, 44), Junction.greenNorth, (-26, 44), (-36, 34), Junction.greenWest, (-36, -36),
      ]),
    area(
      "car_park",
      ["access": "yes", "amenity": "parking", "capacity": "48", "name": "Mill Path Car Park"],
      [(146, -66), (178, -66), (178, -38), (146, -38)]),
    area(
      "palm_garden", ["leisure": "garden", "name": "Palm Garden"],
      [(14, -178), (118, -178), (118, -152), (14, -152)]),
    area("lawn/west", ["landuse": "grass"], [(-112, 14), (-82, 14), (-82, 54), (-112, 54)]),
    area("lawn/east", ["landuse": "grass"], [(84, -8), (118, -8), (118, 54), (84, 54)]),
  ]

  // MARK: - Features

  private static func street(
    _ id: String, _ name: String, _ places: [(Double, Double)], _ more: [String: String] = [:]
  ) -> GeoJSONFeature {
    let tags = [
      "highway": "residential", "maxspeed": "30", "name": name, "sidewalk": "both",
      "surface": "asphalt",
    ]
    return line(id, tags.merging(more) { $1 }, places)
  }

  private static func walk(
    _ id: String, _ name: String?, _ places: [(Double, Double)], _ more: [String: String] = [:]
  ) -> GeoJSONFeature {
    var tags = ["highway": "footway", "surface": "paving_stones"].merging(more) { $1 }
    tags["name"] = name
    return line(id, tags, places)
  }

  private static func line(
    _ id: String, _ tags: [String: String], _ places: [(Double, Double)]
  ) -> GeoJSONFeature {
    GeoJSONFeature(id, tags, .line(places.map { Vector($0.0, $0.1, 0) }))
  }

  private static func area(
    _ id: String, _ tags: [String: String], _ corners: [(Double, Double)]
  ) -> GeoJSONFeature {
    GeoJSONFeature(id, tags, .area(corners.map { Vector($0.0, $0.1, 0) }))
  }
}

extension GeoJSONFeature {
  init(_ id: String, _ tags: [String: String], _ geometry: Geometry) {
    let all = tags.merging(["id": id]) { $1 }.sorted { $0.key < $1.key }
    self.init(properties: all.map { ($0.key, Self.quoted($0.value)) }, geometry: geometry)
  }
}
