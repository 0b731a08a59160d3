import Cupola
import Testing

@testable import CupolaGuide

@Suite("Map drawings with a route")
struct MapDrawingTests {
  private let drawing = MapDrawing(
    DrawingSamples.ground, route: DrawingSamples.route, attribution: "© the map's makers")

  @Test("A small campus matches its snapshot")
  func snapshot() throws {
    let svg = drawing.svg()
    try expectDrawing(svg, "map")
    #expect(svg == drawing.svg())
    expectValid(svg)
  }

  @Test("Shows names, numbers, instructions, ends, scale and attribution")
  func content() throws {
    let svg = drawing.svg()
    for text in [
      "Old Library to Room 1.04", "231 m · 3 min · on foot", "College Avenue", "Elm Walk",
      "Oak Lawn", "Café Noir", "Cross College Avenue", "© the map&#39;s makers", ">20 m<",
      "prefers-color-scheme: dark",
    ] {
      #expect(svg.contains(text), "\(text)")
    }
    for number in 1...6 {
      #expect(svg.matches(of: try Regex(">\(number)</text>")).count == 2, "\(number)")
    }
    #expect(!svg.contains("Collection of Minerals"), "rooms are not on the map")
    #expect(!drawing.svg().contains("Lecture Hall"))
  }

  @Test("Draws the whole ground without a route, and a note if it is empty")
  func empty() {
    let ground = MapDrawing(DrawingSamples.ground, title: "Campus").svg()
    expectValid(ground)
    #expect(ground.contains("Hall of Natural"))
    #expect(ground.contains("<title>Campus</title>"))
    let nothing = MapDrawing(MapDrawing.Ground()).svg()
    expectValid(nothing)
    #expect(nothing.contains("nothing to draw"))
  }

  @Test("A route with one point is drawn as its end")
  func onePoint() {
    let route = Route(
      mode: .drive, points: [DrawingSamples.place(25, 30)], segments: [], maneuvers: [],
      destination: "Here")
    let svg = MapDrawing(DrawingSamples.ground, route: route).svg()
    expectValid(svg)
    #expect(svg.contains("class=\"end\""))
    #expect(!svg.contains("class=\"start\""))
    #expect(svg.contains("To Here"))
    #expect(svg.contains("0 m · 0 s · by car"))
  }

  @Test("A map across the antimeridian looks the same")
  func antimeridian() throws {
    func moved(_ place: RoutePoint) -> RoutePoint {
      let longitude = place.longitude - DrawingSamples.longitude + 179.9988
      return RoutePoint(
        latitude: place.latitude, longitude: longitude > 180 ? longitude - 360 : longitude,
        level: place.level)
    }
    let route = DrawingSamples.route
    let other = Route(
      mode: .walk, points: route.points.map(moved), segments: route.segments,
      maneuvers: route.maneuvers, origin: route.origin, destination: route.destination)
    var ground = DrawingSamples.ground
    for index in ground.areas.indices {
      ground.areas[index].rings = ground.areas[index].rings.map { $0.map(moved) }
    }
    for index in ground.lines.indices {
      ground.lines[index].points = ground.lines[index].points.map(moved)
    }
    for index in ground.marks.indices {
      ground.marks[index].point = moved(ground.marks[index].point)
    }
    let svg = MapDrawing(ground, route: other, attribution: "© the map's makers").svg()
    expectValid(svg)
    // Sizes differ only by rounding to a tenth of a pixel.
    let here = drawing.svg()
    #expect(svg.matches(of: /<text/).count == here.matches(of: /<text/).count)
    #expect(abs(svg.utf8.count - here.utf8.count) < 60)
  }

  @Test("Limits the size of a drawing with 100,000 ways")
  func bounded() {
    var random = SplitMix64(seed: 7)
    var ground = DrawingSamples.ground
    for number in 0..<100_000 {
      let points = (0..<4).map { _ in
        DrawingSamples.place(
          .random(in: -2_000...2_000, using: &random), .random(in: -2_000...2_000, using: &random))
      }
      ground.lines.append(.init(kind: .path, points: points, label: "Way \(number)"))
    }
    let svg = MapDrawing(ground, route: DrawingSamples.route).svg()
    #expect(svg.utf8.count < 3_000_000, "\(svg.utf8.count) bytes")
  }

  @Test("Draws a comb-like outline and a long name quickly")
  func comb() {
    var ground = DrawingSamples.ground
    let teeth = (0..<20_000).map { number in
      DrawingSamples.place(Double(number) * 0.008, number % 2 == 0 ? 0 : 120)
    }
    ground.areas.append(
      .init(kind: .building, rings: [teeth], label: String(repeating: "long name ", count: 5_000)))
    let svg = MapDrawing(ground).svg()
    expectValid(svg)
    #expect(svg.utf8.count < 1_000_000)
  }

  @Test("Omits invalid points")
  func noPlaces() {
    let wrong = [
      RoutePoint(latitude: .nan, longitude: 8), RoutePoint(latitude: 47, longitude: .infinity),
      RoutePoint(latitude: 91, longitude: 0), RoutePoint(latitude: 0, longitude: 400),
    ]
    var ground = DrawingSamples.ground
    ground.areas.append(.init(kind: .building, rings: [wrong, [], wrong], label: "Nowhere"))
    ground.lines.append(.init(kind: .street, points: wrong, label: "Nowhere"))
    ground.marks += wrong.map { .init(kind: .stop, point: $0, label: "Nowhere", levels: [.nan]) }
    let good = MapDrawing(DrawingSamples.ground, route: DrawingSamples.route).svg()
    #expect(MapDrawing(ground, route: DrawingSamples.route).svg() == good)
    let route = Route(
      mode: .walk, points: wrong,
      segments: Array(repeating: .init(kind: .path, meters: .nan, seconds: .infinity), count: 3),
      maneuvers: [Maneuver(.right, at: 99, text: "?", meters: .nan, seconds: -1)])
    expectValid(MapDrawing(DrawingSamples.ground, route: route, width: .min).svg())
    expectValid(MapDrawing(MapDrawing.Ground(), route: route, width: .max).svg())
  }

  @Test("A street around the other side of the Earth does not cross the map")
  func otherSide() {
    var ground = DrawingSamples.ground
    let far = [170.0, -172, -171].map {
      RoutePoint(latitude: DrawingSamples.latitude, longitude: $0)
    }
    ground.lines.append(.init(kind: .street, points: far))
    let good = MapDrawing(DrawingSamples.ground, route: DrawingSamples.route).svg()
    #expect(MapDrawing(ground, route: DrawingSamples.route).svg() == good)
  }

  @Test("Escapes hostile names")
  func hostile() {
    let names = [
      "<script>alert(1)</script>", "\"/><image href='x'/>", "a\u{0}b\u{1B}[2J\nc",
      "\u{202E}exe.txt",
      "]]>&amp;<!--", "\u{FFFE}\u{FFFF}", "مكتبة الجامعة",
      String(repeating: "e\u{301}", count: 9_000),
      "", " ", "日本語の名前がとても長い建物の名前です",
    ]
    for name in names {
      var ground = DrawingSamples.ground
      for index in ground.areas.indices { ground.areas[index].label = name }
      for index in ground.lines.indices { ground.lines[index].label = name }
      for index in ground.marks.indices { ground.marks[index].label = name }
      let route = DrawingSamples.route
      let named = Route(
        mode: .walk, points: route.points, segments: route.segments,
        maneuvers: route.maneuvers.map {
          Maneuver(
            $0.kind, at: $0.point, name: name, text: name, meters: $0.meters, seconds: $0.seconds)
        }, origin: name, destination: name)
      let map = MapDrawing(ground, route: named, title: name, attribution: name).svg()
      expectValid(map)
      expectValid(
        MapDrawing(ground, route: named, title: name, attribution: name, names: [1: name]).floors())
      #expect(!map.contains("\u{202E}") && !map.contains("\u{1B}"))
      #expect(map.utf8.count < 60_000)
    }
  }
}

@Suite("Floor drawings with a route")
struct FloorDrawingTests {
  private let drawing = MapDrawing(
    DrawingSamples.ground, route: DrawingSamples.route, names: [0: "Ground floor"])

  @Test("The floors of a route match their snapshot")
  func snapshot() throws {
    let svg = drawing.floors()
    try expectDrawing(svg, "floors")
    #expect(svg == drawing.floors())
    expectValid(svg)
  }

  @Test("Floors follow the order of the route with their instructions")
  func order() throws {
    let svg = drawing.floors()
    let places = [
      "Outdoors<", "Cross College", ">Ground floor<", "Take the stairs", ">Floor 1<", "Turn right",
    ]
    .map { svg.firstRange(of: $0)?.lowerBound }
    #expect(!places.contains(nil))
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(svg.contains(">to floor 1<"))
    #expect(svg.contains(">from Ground floor<"))
  }

  @Test("A floor shows only its own rooms")
  func oneFloor() {
    let first = drawing.floor(1)
    expectValid(first)
    #expect(first.contains("<title>Collection of Minerals</title>"))
    #expect(!first.contains("Lecture Hall"))
    #expect(!first.contains("Cross College"))
    let unknown = MapDrawing(DrawingSamples.ground).floor(17)
    expectValid(unknown)
    #expect(unknown.contains("nothing to draw"))
    expectValid(drawing.floor(.nan))
  }

  @Test("Draws all floors without a route, highest first")
  func allFloors() throws {
    let svg = MapDrawing(DrawingSamples.ground).floors()
    expectValid(svg)
    let (high, low) = (svg.firstRange(of: ">Floor 1<"), svg.firstRange(of: ">Floor 0<"))
    #expect(try #require(high).lowerBound < #require(low).lowerBound)
    #expect(svg.contains(">elevator<") && svg.contains(">stairs<") && svg.contains(">toilets<"))
  }

  @Test("Landings and floors an elevator passes are not floors of a route")
  func routeFloors() {
    let floors = RouteFloors(DrawingSamples.route)
    #expect(floors.levels == [nil, 0, 1])
    #expect(floors.changes(on: 0) == [.init(point: 9, other: 1, isDeparture: true)])
    #expect(floors.changes(on: 1) == [.init(point: 11, other: 0, isDeparture: false)])
    #expect(floors.changes(on: nil).isEmpty)
    #expect(floors.pointsInView(on: 0) == Array(7...11))
    #expect(floors.segments(on: 0) == Array(0...10))
    #expect(floors.segments(on: 1) == Array(9...13))
    #expect(floors.segments(on: nil) == Array(0...6))
    #expect(floors.maneuvers(on: 0) == [3])
    #expect(floors.maneuvers(on: 1) == [4, 5])
  }

  @Test("Limits the size of a drawing with many floors")
  func manyFloors() {
    let count = 400
    let route = Route(
      mode: .walk,
      points: (0..<count).map { DrawingSamples.place(Double($0 % 2) * 9, 0, Double($0 / 2)) },
      segments: (1..<count).map { number in
        .init(kind: number % 2 == 1 ? .corridor : .elevator, meters: 9, seconds: 9, isIndoor: true)
      }, maneuvers: [])
    let svg = MapDrawing(DrawingSamples.ground, route: route).floors()
    expectValid(svg)
    #expect(svg.contains("and 184 more floors"))
    #expect(svg.utf8.count < 200_000)
  }
}

@Suite("Guide drawings") struct GuideDrawingTests {
  @Test("A place with several kinds has the icon of the first known kind")
  func severalKinds() {
    let kinds = ["cafe", "ice_cream;cafe", "library; toilets", "bench;fountain", nil]
    let guide = Guide(
      name: "A", attribution: nil, timeZone: nil,
      places: kinds.enumerated().map { number, kind in
        PlaceIndexTests.place("node/\(number)", .poi, "Uno", kind)
      },
      graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    #expect(guide.drawnGround.marks.map(\.kind) == [.food, .food, .place])
  }
}
