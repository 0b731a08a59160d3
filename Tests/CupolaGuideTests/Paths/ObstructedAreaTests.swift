import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Obstacles on squares") struct ObstructedAreaTests {
  typealias Place = (Double, Double)

  /// Returns a square of 100 m by 60 m between a path from Alpha in the west and one to Beta in the east.
  private static func maker(
    ring: [Place] = [(0, 30), (0, 0), (100, 0), (100, 30), (100, 60), (0, 60)]
  )
    -> MapMaker
  {
    var maker = MapMaker()
    maker.line("way/1", [(-50, 30), (0, 30)], ["highway": "footway"])
    maker.line("way/2", [(100, 30), (150, 30)], ["highway": "footway"])
    maker.area("way/3", ring, ["highway": "pedestrian", "area": "yes", "name": "Plaza"])
    return maker
  }

  /// Returns the length of the route from the start of the western path to the end of the eastern one.
  private static func meters(
    _ maker: MapMaker, _ mode: TravelMode, from: Place = (-50, 30), to: Place = (150, 30)
  ) -> Double? {
    let guide = maker.guide
    let router = guide.directions(mode).router
    func end(_ place: Place) -> PathEnd? {
      let (latitude, longitude) = MapMaker.place(place.0, place.1)
      let point = MapPoint(latitude: latitude, longitude: longitude)
      let vertex = guide.graph.vertices.firstIndex { $0.point == point }
      return vertex.map { PathEnd([PathEnd.Choice(.vertex($0))]) }
    }
    guard let start = end(from), let goal = end(to),
      let found = router.find(from: start, to: goal)
    else { return nil }
    return found.arcs.reduce(0) { $0 + guide.graph.lengths[$1 >> 1] }
  }

  private static func isClose(_ meters: Double?, _ expected: Double) -> Bool {
    meters.map { abs($0 - expected) < 0.5 } ?? false
  }

  @Test("Crosses a square without obstacles straight")
  func free() {
    let maker = Self.maker()
    #expect(Self.isClose(Self.meters(maker, .walk), 200))
    #expect(Self.isClose(Self.meters(maker, .stepFree), 200))
  }

  @Test(
    "Goes around the free end of a barrier",
    arguments: [
      ["barrier": "wall"], ["barrier": "retaining_wall"], ["barrier": "fence"],
      ["barrier": "hedge"], ["waterway": "stream"],
    ])
  func barriers(tags: [String: String]) {
    var maker = Self.maker()
    maker.line("way/4", [(50, 0), (50, 45)], tags)
    let expected = 100 + 2 * (50.0 * 50 + 15 * 15).squareRoot()
    #expect(Self.isClose(Self.meters(maker, .walk), expected))
    #expect(Self.isClose(Self.meters(maker, .stepFree), expected))
  }

  @Test(
    "Does not pass a barrier from edge to edge",
    arguments: [
      [(50, 0), (50, 60)], [(50, -5), (50, 65)], [(50, 0.5), (50, 59.5)], [(40, 0), (60, 60)],
      [(50, 0), (60, 20), (40, 40), (50, 60)],
    ] as [[Place]])
  func closedBarriers(line: [Place]) {
    var maker = Self.maker()
    maker.line("way/4", line, ["barrier": "wall"])
    #expect(Self.meters(maker, .walk) == nil)
    #expect(Self.meters(maker, .stepFree) == nil)
    #expect(GuideCheckTests.kinds(maker).contains("island"))
  }

  @Test("Does not pass a barrier that shares points with the outline")
  func sharedPoints() {
    var maker = Self.maker(
      ring: [(0, 30), (0, 0), (50, 0), (100, 0), (100, 30), (100, 60), (50, 60), (0, 60)])
    maker.line("way/4", [(50, 0), (50, 60)], ["barrier": "wall"])
    #expect(Self.meters(maker, .walk) == nil)
    maker.node("node/1", (50, 0), ["barrier": "gate"])
    let expected = 100 + 2 * (50.0 * 50 + 30 * 30).squareRoot()
    #expect(Self.isClose(Self.meters(maker, .walk), expected))
  }

  @Test("Paths join a square where they end, unless they are on another layer")
  func layers() {
    for (area, path, joins) in [
      (nil, nil, true), (nil, "0", true), (nil, "-1", false), ("1", "1", true), ("1", nil, true),
      ("1", "-1", false),
    ] as [(String?, String?, Bool)] {
      var maker = MapMaker()
      maker.line("way/1", [(100, 30), (150, 30)], ["highway": "footway"])
      var tags = ["highway": "pedestrian", "area": "yes"]
      tags["layer"] = area
      maker.area("way/2", [(0, 0), (100, 0), (100, 30), (100, 60), (0, 60)], tags)
      maker.line("way/3", [(80, 0), (80, 20)], ["barrier": "wall"])
      var footway = ["highway": "footway"]
      footway["layer"] = path
      maker.line("way/4", [(-50, 30), (50, 30)], footway)
      #expect((Self.meters(maker, .walk) != nil) == joins, "\(tags) \(footway)")
    }
  }

  @Test("Steps and ramps from a tunnel join the square above only at their other end")
  func waysFromTunnel() {
    let around = 170 + 2900.0.squareRoot()
    for (layer, way, expected) in [
      ("-1", "steps", around), ("-1", "footway", around), ("0", "steps", 200),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(100, 30), (150, 30)], ["highway": "footway"])
      maker.area(
        "way/2", [(0, 0), (100, 0), (100, 30), (100, 60), (0, 60)],
        ["highway": "pedestrian", "area": "yes"])
      maker.line("way/3", [(80, 0), (80, 5)], ["barrier": "wall"])
      maker.line("way/4", [(-50, 30), (50, 30)], ["highway": "footway", "layer": layer])
      maker.line("way/5", [(50, 30), (50, 10)], ["highway": way])
      #expect(Self.isClose(Self.meters(maker, .walk), expected), "\(layer) \(way)")
    }
  }

  @Test("Passes a gate, but not a locked one")
  func gates() {
    for (tags, isOpen) in [
      (["barrier": "gate"], true), (["barrier": "gate", "locked": "yes"], false),
    ] {
      var maker = Self.maker()
      maker.line("way/4", [(50, 0), (50, 40), (50, 60)], ["barrier": "fence"])
      maker.node("node/1", (50, 40), tags)
      let meters = Self.meters(maker, .walk)
      let expected = 100 + 2 * (50.0 * 50 + 10 * 10).squareRoot()
      #expect(isOpen ? Self.isClose(meters, expected) : meters == nil, "\(tags)")
    }
  }

  @Test(
    "Goes around areas",
    arguments: [
      ["natural": "water"], ["amenity": "fountain"], ["barrier": "hedge", "area": "yes"],
      ["building": "yes"],
    ])
  func areas(tags: [String: String]) {
    for ring in [
      [(40, 20), (60, 20), (60, 50), (40, 50)], [(40, 20), (60, 20), (60, 70), (40, 70)],
    ] as [[Place]] {
      var maker = Self.maker()
      maker.area("way/4", ring, tags)
      let expected = 120 + 2 * (40.0 * 40 + 10 * 10).squareRoot()
      #expect(Self.isClose(Self.meters(maker, .walk), expected), "\(tags) \(ring)")
    }
  }

  @Test("Walks over a pier and under a roof")
  func covered() {
    for tags in [["natural": "water"], ["building": "yes"], ["building": "roof"]] {
      var maker = Self.maker()
      maker.area("way/4", [(-20, -20), (120, -20), (120, 80), (-20, 80)], tags)
      #expect(Self.isClose(Self.meters(maker, .walk), 200), "\(tags)")
    }
    var tunnel = Self.maker()
    tunnel.line("way/4", [(50, 0), (50, 60)], ["waterway": "stream", "tunnel": "culvert"])
    #expect(Self.isClose(Self.meters(tunnel, .walk), 200))
  }

  @Test(
    "Step-free routes do not pass steps across a square",
    arguments: [
      [(50, 0), (50, 60)], [(45, 30), (55, 30)], [(48, 30), (52, 31)],
      [(0, 30), (10, 30)], [(90, 30), (100, 30)],
    ] as [[Place]])
  func steps(line: [Place]) {
    for tags in [[:], ["incline": "up"], ["step_count": "5"]] {
      var maker = Self.maker()
      maker.line("way/4", line, tags.merging(["highway": "steps"]) { own, _ in own })
      #expect(Self.isClose(Self.meters(maker, .walk), 200), "\(line) \(tags)")
      #expect(Self.meters(maker, .stepFree) == nil, "\(line) \(tags)")
      let found = GuideCheckTests.findings(maker).filter { $0.kind == "steps_in_square" }
      #expect(found.map(\.subject) == ["Plaza (way/3)"])
      #expect(!GuideCheckTests.kinds(maker).contains("steps_only"))
    }
  }

  @Test("Step-free routes stay possible on one side of steps")
  func oneSide() {
    var maker = Self.maker(
      ring: [(0, 30), (0, 0), (50, 0), (100, 0), (100, 30), (100, 60), (50, 60), (0, 60)])
    maker.line("way/4", [(50, 0), (50, 60)], ["highway": "steps", "step_count": "5"])
    maker.line("way/5", [(0, 60), (-50, 60)], ["highway": "footway"])
    #expect(Self.meters(maker, .stepFree) == nil)
    #expect(Self.isClose(Self.meters(maker, .stepFree, to: (-50, 60)), 130))
  }

  @Test("Step-free routes use a ramp beside steps")
  func ramp() {
    var maker = Self.maker()
    maker.line("way/4", [(45, 30), (55, 30)], ["highway": "steps", "incline": "up"])
    maker.line("way/5", [(40, 40), (60, 40)], ["highway": "footway", "incline": "5%"])
    let expected = 120 + 2 * (40.0 * 40 + 10 * 10).squareRoot()
    #expect(Self.isClose(Self.meters(maker, .stepFree), expected))
    var tagged = Self.maker()
    tagged.line("way/4", [(45, 30), (55, 30)], ["highway": "steps", "ramp:wheelchair": "yes"])
    #expect(Self.isClose(Self.meters(tagged, .stepFree), 200))
    #expect(!GuideCheckTests.kinds(tagged).contains("steps_in_square"))
  }

  @Test("Step-free routes do not change between squares over steps along their common edge")
  func alongEdge() {
    for tags in [[:], ["step_count": "4"]] {
      var maker = Self.maker(ring: [(0, 30), (0, 0), (50, 0), (50, 60), (0, 60)])
      maker.area(
        "way/4", [(50, 0), (100, 0), (100, 30), (100, 60), (50, 60)],
        ["highway": "pedestrian", "area": "yes", "name": "Terrace"])
      maker.line(
        "way/5", [(50, 0), (50, 60)], tags.merging(["highway": "steps"]) { own, _ in own })
      #expect(Self.meters(maker, .walk) != nil)
      #expect(Self.meters(maker, .stepFree) == nil, "\(tags)")
      let found = GuideCheckTests.findings(maker).filter { $0.kind == "steps_in_square" }
      #expect(found.map(\.subject) == ["Plaza (way/3)", "Terrace (way/4)"])
    }
  }

  @Test("Steps through a wall are the only way, and not step-free")
  func stepsThroughWall() {
    var maker = Self.maker()
    maker.line("way/4", [(50, 0), (50, 60)], ["barrier": "retaining_wall"])
    maker.line("way/5", [(45, 40), (55, 40)], ["highway": "steps"])
    let expected = 110 + 2 * (45.0 * 45 + 10 * 10).squareRoot()
    #expect(Self.isClose(Self.meters(maker, .walk), expected))
    #expect(Self.meters(maker, .stepFree) == nil)
  }

  @Test("Obstacles outside or along the edge of a square change nothing")
  func outside() {
    let plain = Self.maker().guide.graph
    for line in [[(20, 0), (20, -40)], [(0, 60), (100, 60)], [(20, -0.1), (80, 0.1)]] as [[Place]] {
      var maker = Self.maker()
      maker.line("way/4", line, ["barrier": "fence"])
      let graph = maker.guide.graph
      #expect(
        graph.edges == plain.edges && graph.vertices.map(\.point) == plain.vertices.map(\.point))
    }
  }
}
