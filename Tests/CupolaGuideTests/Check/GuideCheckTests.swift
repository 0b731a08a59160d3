import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Guide check") struct GuideCheckTests {
  static let path = ["highway": "footway"]

  static func findings(_ maker: MapMaker) -> [GuideFinding] {
    GuideCheck(GuideBuilder(maker.map)).findings
  }

  static func kinds(_ maker: MapMaker) -> [String] { findings(maker).map(\.kind) }

  static func sound() -> MapMaker {
    var maker = MapMaker()
    maker.line("way/1", [(-200, 0), (-100, 0), (20, 0), (200, 0)], ["highway": "residential"])
    maker.line("way/2", [(20, 0), (20, 20)], path)
    maker.area(
      "way/3", [(0, 20), (20, 20), (40, 20), (40, 40), (0, 40)],
      ["building": "yes", "name": "Hall"])
    maker.node("node/1", (20, 20), ["entrance": "main"])
    return maker
  }

  @Test("A valid map has no findings")
  func soundMaps() {
    #expect(Self.findings(Self.sound()) == [])
    #expect(GuideCheck(TestCampus(flawed: false).builder).findings == [])
    #expect(GuideCheck(GuideBuilder(GuideMap())).findings == [])
  }

  @Test("Finds the built-in flaws of the test campus")
  func campus() {
    let findings = GuideCheck(TestCampus().builder).findings
    #expect(findings.map(\.kind) == ["entrance_missing", "island"])
    #expect(findings.map(\.subject) == ["Gym (way/32)", "Lost Path (way/40)"])
    #expect(findings == GuideCheck(TestCampus().builder).findings)
  }

  @Test("Reports unusable turn restrictions")
  func unusable() {
    var maker = Self.sound()
    maker.line("way/9", [(500, 0), (200, 0)], ["highway": "residential"])
    maker.restriction("relation/1", from: "way/1", at: (500, 0), to: "way/9")
    #expect(Self.kinds(maker) == ["unusable"])
  }

  @Test("Reports unreadable inclines of usable ways only")
  func inclines() {
    var maker = Self.sound()
    maker.line("way/7", [(-100, 0), (-100, 50)], ["highway": "footway", "incline": "steep"])
    maker.line("way/8", [(-100, 50), (-100, 90)], ["highway": "footway", "incline": "1:12"])
    maker.line("way/9", [(-100, 0), (-100, 90)], ["railway": "tram", "incline": "steep"])
    let findings = Self.findings(maker)
    #expect(findings.map(\.kind) == ["unusable"])
    #expect(findings.first?.message.hasPrefix("way/7: incline=steep is invalid") ?? false)
  }

  @Test("Messages handle meters that are not finite")
  func oddMeters() {
    for meters in [Double.nan, .infinity, -1e300] {
      #expect(!GuideFinding.unreachable("Hall", meters: meters).message.isEmpty)
      #expect(
        !GuideFinding.island("Path", meters: meters, latitude: 0, longitude: 0).message.isEmpty)
    }
  }

  @Test("Reports a building far from all paths with its distance")
  func unreachable() {
    var maker = Self.sound()
    maker.building("way/9", "Barn", x: 0...40, y: 200...240)
    let findings = Self.findings(maker)
    #expect(findings.map(\.kind) == ["unreachable", "entrance_missing"])
    guard case .unreachable("Barn (way/9)", let meters?) = findings.first else {
      Issue.record("\(findings)")
      return
    }
    #expect((meters - 180).magnitude < 1)
  }

  @Test("Reports a building as unreachable if the map has no paths")
  func noPath() {
    var maker = MapMaker()
    maker.building("way/9", "Barn", x: 0...40, y: 200...240)
    #expect(Self.findings(maker).first == .unreachable("Barn (way/9)", meters: nil))
  }

  @Test("Reports buildings with swapped coordinates as one finding")
  func swapped() {
    var maker = Self.sound()
    for (number, name) in ["Barn", "Hut", "Mill"].enumerated() {
      let corners = [(0.0, 60.0), (0.0, 80.0), (20.0, 80.0)].compactMap { x, y -> MapPoint? in
        let (latitude, longitude) = MapMaker.place(Double(number) * 30 + x, y)
        return MapPoint(latitude: longitude, longitude: latitude)
      }
      maker.area("way/\(number + 10)", corners, ["building": "yes", "name": name])
    }
    #expect(Self.findings(maker) == [.swappedCoordinates("Barn (way/10)", buildings: 3)])
  }

  @Test("Reports a building on an island and names the island's path")
  func cutOff() {
    var maker = Self.sound()
    maker.line("way/9", [(0, 400), (100, 400)], Self.path.merging(["name": "Lost"]) { $1 })
    maker.building("way/10", "Hut", x: 100...120, y: 380...420, passing: [])
    maker.node("node/2", (100, 380), ["entrance": "yes"])
    let findings = Self.findings(maker)
    #expect(findings.map(\.kind) == ["cut_off", "island"])
    #expect(findings.map(\.subject) == ["Hut (way/10)", "Lost (way/9)"])
  }

  @Test("Names an island after a path, not after a touching motorway")
  func islandOfPaths() {
    var maker = MapMaker()
    maker.line("way/8", [(0, 400), (-100, 400)], ["highway": "motorway", "name": "A 1"])
    maker.line("way/9", [(0, 400), (100, 400)], ["highway": "footway", "name": "Lost"])
    maker.line("way/1", [(-200, 0), (200, 0)], ["highway": "residential"])
    #expect(Self.findings(maker).map(\.subject) == ["Lost (way/9)"])
  }

  @Test("Reports a building behind a private gate as cut off")
  func gate() {
    var maker = MapMaker()
    maker.line("way/1", [(-200, 0), (20, 0), (200, 0)], ["highway": "residential"])
    maker.line("way/2", [(20, 0), (20, 100), (20, 200)], Self.path)
    maker.node("node/2", (20, 100), ["barrier": "gate", "access": "private"])
    maker.area(
      "way/3", [(0, 200), (20, 200), (40, 200), (40, 240), (0, 240)],
      ["building": "yes", "name": "Hall"])
    maker.node("node/1", (20, 200), ["entrance": "main"])
    #expect(Self.kinds(maker) == ["cut_off"])
  }

  @Test("Reports a building without entrances on any of its parts")
  func entranceMissing() {
    var maker = Self.sound()
    maker.building("way/9", "Hut", x: 60...80, y: 10...30)
    #expect(Self.findings(maker) == [.entranceMissing("Hut (way/9)")])
    maker.building("relation/5", "Twin", x: -60 ... -50, y: 10...30)
    maker.building("relation/5#2", "Twin", x: -90 ... -80, y: 10...30)
    #expect(Self.kinds(maker) == ["entrance_missing", "entrance_missing"])
    maker.node("node/2", (-80, 10), ["entrance": "yes"])
    #expect(Self.findings(maker) == [.entranceMissing("Hut (way/9)")])
  }

  @Test("Reports steps only if no other path leads around them")
  func stepsOnly() {
    var maker = Self.sound()
    maker.line("way/8", [(-100, 0), (-100, 20)], ["highway": "steps"])
    maker.line("way/9", [(-100, 20), (-100, 60)], Self.path)
    #expect(Self.kinds(maker) == ["steps_only"])
    maker.line("way/10", [(-100, 0), (-120, 10), (-100, 20)], Self.path)
    #expect(Self.findings(maker) == [])
  }

  @Test("Checks the ends of steps, not an entrance between them")
  func splitSteps() {
    var maker = Self.sound()
    maker.line("way/8", [(-100, 0), (-100, 40)], ["highway": "steps"])
    maker.line("way/10", [(-100, 0), (-120, 20), (-100, 40)], Self.path)
    maker.building("way/11", "Annex", x: -95 ... -92, y: 18...22)
    maker.node("node/3", (-95, 22), ["entrance": "main"])
    #expect(!Self.kinds(maker).contains("steps_only"))
  }

  @Test("Reports two buildings with the same name once")
  func sameName() {
    var maker = Self.sound()
    maker.area(
      "way/8", [(60, 0), (80, 0), (80, 30)], ["building": "yes", "name": "Hall"])
    maker.node("node/2", (60, 0), ["entrance": "yes"])
    #expect(Self.findings(maker) == [.sameName("Hall", ids: ["way/3", "way/8"])])
  }

  @Test("Reports unreadable opening hours with their text")
  func openingHours() {
    var maker = Self.sound()
    maker.node(
      "node/2", (30, 5), ["amenity": "cafe", "name": "Uno", "opening_hours": "Mo-Fr 8-18 Uhr"])
    let findings = Self.findings(maker)
    #expect(findings.map(\.kind) == ["opening_hours"])
    #expect(findings.first?.message.contains("opening_hours=Mo-Fr 8-18 Uhr") == true)
  }

  @Test("Reports unreachable rooms and rooms without a door")
  func rooms() {
    var maker = Self.sound()
    maker.area(
      "way/20", [(0, 24), (40, 24), (40, 30), (0, 30)],
      ["indoor": "corridor", "level": "0", "name": "Aisle"])
    maker.area(
      "way/21", [(0, 30), (40, 30), (40, 36), (0, 36)],
      ["indoor": "room", "level": "0", "ref": "1"])
    maker.area(
      "way/22", [(2, 37), (38, 37), (38, 39), (2, 39)],
      ["indoor": "room", "level": "3", "ref": "2"])
    let kinds = Set(Self.kinds(maker))
    #expect(kinds.contains("room_cut_off") && kinds.contains("door_missing"))
  }

  @Test("Reports unreachable corridors with their floors")
  func floors() {
    var maker = Self.sound()
    maker.line("way/20", [(5, 25), (35, 25)], ["highway": "corridor", "level": "3"])
    maker.line("way/21", [(5, 30), (30, 30)], ["highway": "corridor", "level": "4"])
    maker.line(
      "way/22", [(30, 30), (30, 35)], ["highway": "steps", "level": "4-5"])
    maker.line("way/23", [(30, 35), (5, 35)], ["highway": "corridor", "level": "5"])
    let found = Self.findings(maker).compactMap { finding -> [String]? in
      guard case .floorCutOff(_, let floors) = finding else { return nil }
      return floors
    }
    #expect(found == [["4", "5"], ["3"]])
  }

  @Test("Prints hostile names as one line of visible characters")
  func names() {
    var maker = Self.sound()
    maker.building("way/9", "Evil\n\u{1B}[31m\u{202E}Hall", x: 60...80, y: 10...30)
    let findings = Self.findings(maker)
    #expect(findings.contains { $0.message.contains("Evil") && $0.message.contains("Hall") })
    for finding in findings {
      #expect(!finding.message.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    }
  }

  @Test("Truncates long names and values")
  func longNames() {
    var maker = Self.sound()
    let long = "e" + String(repeating: "\u{301}", count: 10_000)
    maker.building("way/9", long, x: 300...320, y: 300...320)
    maker.building("way/" + long, long, x: 340...360, y: 300...320)
    maker.line("way/10", [(300, 500), (400, 500)], ["highway": "footway", "name": long])
    maker.node("node/2", (30, 5), ["amenity": "cafe", "name": long, "opening_hours": long])
    let findings = Self.findings(maker)
    let kinds: Set = ["unreachable", "island", "same_name", "opening_hours"]
    #expect(kinds.isSubset(of: findings.map(\.kind)))
    #expect(findings.allSatisfy { $0.message.utf8.count < 1500 })
  }

  @Test("Each finding has a one-line message with a fix")
  func messages() {
    let all: [GuideFinding] = [
      .unusable("a", problem: "b"), .unreachable("a", meters: nil), .unreachable("a", meters: 70),
      .cutOff("a"), .entranceMissing("a"),
      .island("a", meters: 20, latitude: 1.23456789, longitude: -2),
      .stepsOnly("a", latitude: 1, longitude: 2), .floorCutOff("a", floors: ["1"]),
      .floorCutOff("a", floors: ["1", "2"]), .roomCutOff("a"), .doorMissing("a"),
      .sameName("a", ids: ["b", "c"]), .openingHours("a", text: "b", problem: "c"),
      .swappedCoordinates("a", buildings: 1), .swappedCoordinates("a", buildings: 2),
      .incomplete("a", problem: "b"),
    ]
    #expect(Set(all.map(\.kind)).count == 13)
    for finding in all {
      #expect(finding.message.hasPrefix("a: ") && !finding.message.contains("\n"))
      #expect(finding.subject == "a")
    }
    #expect(all[5].message.contains("1.234568,-2.0"))
  }
}
