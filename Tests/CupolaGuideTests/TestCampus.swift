import CupolaCampus

@testable import CupolaGuide
@testable import CupolaGuideBuilder

/// A small campus for tests:
///
/// ```
///      First Ave        Library Walk      Second Ave (oneway)  Third Ave
/// 200  +---- Park St -------+--------- Park St ---+--- Park St ---+
///      |    [Library]east > | . . > [Science]     |               |
///      |      [Gym]         |                     |               |
///   0  +------ Main Street -+ crossing -----------+---------------+------ 400
///                           | Café, toilets
/// ```
struct TestCampus {
  let builder: GuideBuilder
  let guide: Guide

  /// - Parameter flawed: Whether to add a gym without an entrance, and a disconnected path.
  init(flawed: Bool = true) {
    var maker = MapMaker()
    Self.addStreets(&maker)
    Self.addPaths(&maker)
    Self.addPlaces(&maker)
    if flawed {
      maker.building("way/32", "Gym", x: 40...80, y: 20...50)
      maker.line("way/40", [(500, 500), (560, 500)], ["highway": "footway", "name": "Lost Path"])
    }
    builder = GuideBuilder(maker.map)
    guide = builder.guide
  }

  private static func addStreets(_ maker: inout MapMaker) {
    func street(_ name: String, oneway: Bool = false) -> [String: String] {
      ["highway": "residential", "name": name, "oneway": oneway ? "yes" : "no"]
    }
    maker.line("way/1", [(-200, 0), (-100, 0), (0, 0)], street("Main Street"))
    maker.line("way/2", [(0, 0), (100, 0), (200, 0)], street("Main Street"))
    maker.line("way/3", [(200, 0), (300, 0)], street("Main Street"))
    maker.line("way/4", [(300, 0), (400, 0)], street("Main Street"))
    maker.line("way/5", [(0, 0), (0, 100), (0, 200)], street("First Avenue"))
    maker.line("way/6", [(200, 0), (200, 200)], street("Second Avenue", oneway: true))
    maker.line("way/7", [(300, 0), (300, 200)], street("Third Avenue"))
    maker.line("way/8", [(0, 200), (100, 200), (200, 200)], street("Park Street"))
    maker.line("way/9", [(200, 200), (300, 200)], street("Park Street"))
    maker.line(
      "way/10", [(-100, 0), (-100, 100), (-50, 100), (0, 100)],
      ["highway": "service", "name": "Back Lane"])
    maker.node("node/1", (-50, 100), ["barrier": "gate", "motor_vehicle": "no"])
    maker.restriction("relation/1", from: "way/1", at: (0, 0), to: "way/5")
    maker.restriction("relation/2", from: "way/5", over: ["way/8"], to: "way/9")
    maker.restriction("relation/3", only: true, from: "way/3", at: (300, 0), to: "way/7")
  }

  private static func addPaths(_ maker: inout MapMaker) {
    let walk = ["highway": "footway", "name": "Library Walk"]
    maker.line(
      "way/20", [(100, -10), (100, 0), (100, 10)],
      ["highway": "footway", "footway": "crossing"])
    maker.node("node/2", (100, 0), ["highway": "crossing"])
    maker.line("way/21", [(100, 10), (100, 100)], walk)
    maker.line(
      "way/22", [(100, 100), (100, 110)],
      ["highway": "steps", "incline": "up", "step_count": "12"])
    maker.line(
      "way/23", [(100, 100), (115, 100), (115, 110), (100, 110)],
      ["highway": "footway", "wheelchair": "yes"])
    maker.line("way/24", [(100, 110), (100, 145), (100, 200)], walk)
    maker.line("way/25", [(100, -10), (100, -60)], ["highway": "footway"])
    maker.line(
      "way/26", [(0, 100), (50, 100), (100, 100)],
      ["highway": "footway", "name": "Short Cut"])
    maker.node("node/3", (50, 100), ["barrier": "gate", "access": "private"])
    maker.line("way/27", [(100, 145), (90, 145)], ["highway": "footway"])
  }

  private static func addPlaces(_ maker: inout MapMaker) {
    maker.building("way/30", "Library", x: 60...90, y: 130...160, passing: [(90, 145)])
    maker.node("node/10", (90, 145), ["entrance": "main", "name": "East door"])
    maker.area(
      "way/31", [(120, 130), (160, 130), (160, 170), (120, 170), (120, 150)],
      ["building": "yes", "name": "Science Hall"])
    // No path reaches it.
    maker.node("node/11", (120, 150), ["entrance": "yes"])
    maker.node(
      "node/20", (110, -40),
      ["amenity": "cafe", "name": "Café Uno", "opening_hours": "Mo-Fr 08:00-18:00"])
    maker.node("node/21", (104, -60), ["amenity": "toilets"])
  }
}

extension TestCampus {
  func place(_ name: String) throws -> Place {
    guard let place = guide.places.first(where: { $0.name == name }) else {
      throw GuideError.unknownPlace(name)
    }
    return place
  }

  static func end(_ x: Double, _ y: Double, level: Double? = nil) throws -> RouteEnd {
    let (latitude, longitude) = MapMaker.place(x, y)
    guard let position = Position(latitude: latitude, longitude: longitude) else {
      throw GuideError.unknownPlace("\(x), \(y)")
    }
    return .position(position, level: level)
  }
}
