import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Way rules") struct WayRulesTests {
  static func tags(_ text: String) -> [String: String] {
    var tags: [String: String] = [:]
    for tag in text.split(separator: " ") {
      let parts = tag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      tags[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    return tags
  }

  static func feature(_ text: String) -> MapFeature {
    MapFeature(id: "way/1", tags: tags(text), geometry: .line([0, 1]))
  }

  /// Returns modes as letters: w (walk), s (step-free), d (drive). Lowercase means forward, a minus sign backward, and
  /// uppercase both.
  static func text(_ access: WayAccess) -> String {
    zip(["w", "s", "d"], TravelMode.allCases).map { letter, mode in
      switch (access.includes(mode, forward: true), access.includes(mode, forward: false)) {
      case (true, true): letter.uppercased()
      case (true, false): letter
      case (false, true): "-" + letter
      case (false, false): ""
      }
    }.joined()
  }

  static func access(_ text: String) -> String {
    WayRules.way(of: feature(text)).map { Self.text($0.access) } ?? ""
  }

  @Test(
    "Ways have OpenStreetMap's default access",
    arguments: [
      ("motorway", "d"), ("motorway_link", "d"), ("trunk", "WSD"), ("primary", "WSD"),
      ("secondary", "WSD"), ("tertiary", "WSD"), ("unclassified", "WSD"), ("residential", "WSD"),
      ("living_street", "WSD"), ("road", "WSD"), ("service", "WSD"), ("track", "WSD"),
      ("pedestrian", "WS"), ("footway", "WS"), ("path", "WS"), ("cycleway", ""), ("steps", "W"),
      ("bridleway", ""), ("busway", ""), ("construction", ""), ("proposed", ""), ("raceway", ""),
      ("corridor", "WS"), ("platform", "WS"), ("", ""),
    ])
  func defaults(highway: String, access: String) {
    #expect(Self.access("highway=\(highway)") == access)
  }

  @Test(
    "Access tags override defaults, specific modes first",
    arguments: [
      ("highway=service access=private", ""), ("highway=service access=no foot=yes", "WS"),
      ("highway=service access=customers", "WSD"), ("highway=service access=delivery", ""),
      ("highway=residential motor_vehicle=no", "WS"), ("highway=residential vehicle=no", "WS"),
      ("highway=residential motor_vehicle=destination", "WSD"),
      ("highway=residential motor_vehicle=no motorcar=yes", "WSD"),
      ("highway=residential access=no motorcar=yes", "D"),
      ("highway=residential vehicle=private motor_vehicle=permissive", "WSD"),
      ("highway=footway motor_vehicle=yes", "WSD"),
      ("highway=pedestrian motorcar=destination", "WSD"),
      ("highway=footway vehicle=yes", "WS"), ("highway=pedestrian area=yes motorcar=yes", "WS"),
      ("highway=steps motorcar=yes", "W"), ("highway=cycleway motor_vehicle=yes", "D"),
      ("highway=residential foot=no", "D"), ("highway=residential foot=use_sidepath", "D"),
      ("highway=footway foot=private", ""), ("highway=footway access=private", ""),
      ("highway=path foot=no bicycle=designated", ""), ("highway=bridleway foot=yes", "WS"),
      ("highway=cycleway foot=yes", "WS"),
      ("highway=motorway foot=yes", "WSd"), ("highway=busway foot=designated", "WS"),
      ("highway=footway access=unknown", "WS"), ("highway=service area=yes", "WS"),
      ("highway=footway access=", "WS"), ("railway=platform", "WS"),
      ("public_transport=platform", "WS"), ("railway=platform access=private", ""),
      ("building=yes", ""), ("highway=residential access=permit", ""),
      ("highway=track motor_vehicle=agricultural;forestry", "WS"),
      ("highway=service access=private;customers", "WSD"),
      ("highway=footway access=staff;students", ""), ("highway=service access=some;no", ""),
      ("highway=trunk motorroad=yes", "D"), ("highway=trunk motorroad=no", "WSD"),
      ("highway=primary motorroad=yes foot=yes", "WSD"),
    ])
  func access(tags: String, access: String) { #expect(Self.access(tags) == access) }

  @Test("Ways open only to some drivers have no through traffic")
  func severalValues() {
    func isLocal(_ tags: String) -> Bool? { WayRules.way(of: Self.feature(tags))?.way.isLocal }
    #expect(isLocal("highway=service access=private;customers") == true)
    #expect(isLocal("highway=track motor_vehicle=destination;agricultural") == true)
    #expect(isLocal("highway=service access=yes;official") == false)
    for service in ["driveway", "parking_aisle", "drive-through", "emergency_access"] {
      #expect(isLocal("highway=service service=\(service)") == true)
    }
    #expect(isLocal("highway=service service=alley") == false)
    for (service, isAisle) in [("driveway", false), ("parking_aisle", true)] {
      let way = WayRules.way(of: Self.feature("highway=service service=\(service)"))?.way
      #expect(way?.isParkingAisle == isAisle)
    }
  }

  @Test("Alleys, tunnels and passages are marked")
  func forms() {
    for (tags, form) in [
      ("highway=service service=alley", PathGraph.Way.Form.alley),
      ("highway=footway tunnel=yes", .tunnel), ("highway=footway covered=yes", .passage),
      ("highway=service service=alley tunnel=building_passage", .passage),
      ("highway=residential tunnel=no", .open), ("highway=footway covered=no", .open),
      ("highway=steps tunnel=yes", .open), ("highway=path tunnel=culvert", .open),
    ] {
      #expect(WayRules.way(of: Self.feature(tags))?.way.form == form)
    }
  }

  @Test("Motorways, ramps and turning lanes are marked, and main roads")
  func ramps() {
    for (tags, isRamp, isMain) in [
      ("highway=motorway", true, false), ("highway=motorway_link", true, false),
      ("highway=secondary_link", true, false), ("highway=trunk motorroad=yes", true, true),
      ("highway=trunk", false, true), ("highway=secondary", false, true),
      ("highway=tertiary", false, false),
    ] {
      let way = WayRules.way(of: Self.feature(tags))?.way
      #expect(way?.isRamp == isRamp && way?.isMain == isMain)
    }
  }

  @Test(
    "One-way streets apply to cars and to walkers only if tagged",
    arguments: [
      ("highway=residential oneway=yes", "WSd"), ("highway=residential oneway=1", "WSd"),
      ("highway=residential oneway=true", "WSd"), ("highway=residential oneway=-1", "WS-d"),
      ("highway=residential oneway=reverse", "WS-d"), ("highway=residential oneway=no", "WSD"),
      ("highway=residential oneway=reversible", "WS"),
      ("highway=residential junction=roundabout", "WSd"),
      ("highway=residential junction=roundabout oneway=no", "WSD"),
      ("highway=motorway oneway=no", "D"), ("highway=motorway_link oneway=no", "D"),
      ("highway=footway oneway=yes", "WS"),
      ("highway=footway oneway:foot=yes", "ws"), ("highway=footway foot:oneway=-1", "-w-s"),
      ("highway=residential oneway=yes oneway:motorcar=no", "WSD"),
      ("highway=steps conveying=forward", "w"), ("highway=steps conveying=backward", "-w"),
      ("highway=steps conveying=reversible", "W"), ("highway=steps conveying=yes", "W"),
      ("highway=steps conveying=no", "W"), ("highway=footway conveying=forward", "w"),
    ])
  func oneway(tags: String, access: String) { #expect(Self.access(tags) == access) }

  @Test(
    "Step-free routes avoid steps, steep ways and unsuitable tags",
    arguments: [
      ("highway=steps", "W"), ("highway=steps wheelchair=yes", "W"),
      ("highway=steps ramp:wheelchair=yes", "W"), ("highway=footway wheelchair=no", "W"),
      ("highway=footway wheelchair=limited", "WS"), ("highway=footway incline=12%", "W"),
      ("highway=footway incline=-12%", "W"), ("highway=footway incline=6%", "WS"),
      ("highway=footway incline=10%", "WS"), ("highway=footway incline=8°", "W"),
      ("highway=footway incline=12-15%", "W"), ("highway=footway incline=1:5", "W"),
      ("highway=footway incline=8%-12%", "W"), ("highway=footway incline=1:12", "WS"),
      ("highway=footway incline=1:1", "W"), ("highway=footway incline=4-8%", "WS"),
      ("highway=footway incline=up", "WS"), ("highway=path sac_scale=mountain_hiking", "W"),
      ("highway=path sac_scale=hiking", "WS"), ("highway=footway conveying=yes", "W"),
      ("highway=path sac_scale=demanding_mountain_hiking", "W"),
      ("highway=path sac_scale=alpine_hiking", "W"),
      ("highway=path sac_scale=demanding_alpine_hiking", "W"),
      ("highway=path sac_scale=difficult_alpine_hiking", "W"),
    ])
  func stepFree(tags: String, access: String) { #expect(Self.access(tags) == access) }

  @Test(
    "Tags map to kinds of ways",
    arguments: [
      ("highway=residential", .street), ("highway=footway", .path), ("highway=steps", .steps),
      ("highway=footway footway=crossing", .crossing), ("highway=path path=crossing", .crossing),
      ("highway=cycleway cycleway=crossing foot=yes", .crossing),
      ("highway=footway crossing=marked", .crossing),
      ("highway=residential crossing=marked", .street),
      ("highway=steps crossing=unmarked", .steps), ("highway=steps conveying=forward", .escalator),
      ("highway=footway conveying=yes", .escalator), ("highway=corridor", .corridor),
      ("highway=track", .path), ("railway=platform", .path),
    ] as [(String, WayKind)])
  func kinds(tags: String, kind: WayKind) throws {
    #expect(try #require(WayRules.way(of: Self.feature(tags))).way.kind == kind)
  }

  @Test(
    "Uses the signed speed or the default of the street kind",
    arguments: [
      ("highway=residential", 30), ("highway=residential maxspeed=50", 50),
      ("highway=residential maxspeed=20mph", 32), ("highway=residential maxspeed=walk", 7),
      ("highway=residential maxspeed=none", 30), ("highway=residential maxspeed=0", 30),
      ("highway=residential maxspeed=-10", 30), ("highway=residential maxspeed=1e99", 1),
      ("highway=residential maxspeed=999999999999", 30), ("highway=motorway maxspeed=300", 200),
      ("highway=residential maxspeed=nan", 30), ("highway=residential maxspeed=٣٠", 30),
      ("highway=footway maxspeed=50", 0), ("highway=residential motor_vehicle=no maxspeed=50", 0),
    ])
  func speeds(tags: String, speed: UInt8) throws {
    #expect(try #require(WayRules.way(of: Self.feature(tags))).way.speed == speed)
  }

  @Test(
    "Default speeds match Guide.md",
    arguments: [
      ("motorway", 105), ("motorway_link", 60), ("trunk", 85), ("primary", 60), ("secondary", 50),
      ("tertiary", 45), ("trunk_link", 50), ("primary_link", 45), ("secondary_link", 40),
      ("tertiary_link", 35), ("unclassified", 40), ("residential", 30), ("road", 30),
      ("service", 15), ("living_street", 10), ("track", 10),
    ])
  func usualSpeeds(highway: String, speed: UInt8) throws {
    #expect(try #require(WayRules.way(of: Self.feature("highway=\(highway)"))).way.speed == speed)
  }

  @Test(
    "Parses inclines as rise over run",
    arguments: [
      ("7%", 0.07), ("-3.5%", -0.035), ("+2%", 0.02), ("8", 0.08), ("45°", 0.785), ("-4°", -0.0698),
      ("steep", 0), ("", 0), ("nan", 0), ("1e9%", 0.01), ("999%", 0), ("--3%", 0), ("∞", 0),
      ("12-15%", 0.15), ("-12--15 %", -0.15), ("8% - 6%", 0.08), ("12–15%", 0.15), ("1:5", 0.2),
      ("-1:20", -0.05), ("7,5%", 0.075), ("5-10°", 0.1745), ("1:0", 0.01), ("10 percent", 0.1),
      ("-", 0), ("1:", 0.01), ("5-", 0),
    ] as [(String, Float)])
  func inclines(text: String, incline: Float) {
    #expect((WayRules.incline(text) - incline).magnitude < 0.001)
  }

  @Test("Railway platforms have numbers or letters; bus stops do not name a way")
  func platforms() {
    for (tags, name) in [
      ("railway=platform name=6", "platform 6"), ("railway=platform ref=1;2", "platform 1/2"),
      ("railway=platform name=C ref=4;5", "platform C"),
      ("railway=platform name=Nord", "Nord"), ("railway=platform", "the platform"),
      ("public_transport=platform name=Market", nil), ("public_transport=platform bus=yes", nil),
      ("public_transport=platform tram=yes", "the platform"), ("highway=footway name=6", "6"),
    ] as [(String, String?)] {
      #expect(WayRules.way(of: Self.feature(tags))?.way.name == name)
    }
  }

  @Test("Parses step counts and inclines of steps")
  func steps() throws {
    let way = try #require(
      WayRules.way(of: Self.feature("highway=steps incline=up step_count=12 name=Stairs"))
    ).way
    #expect(way.stepCount == 12 && way.incline > 0 && way.name == "Stairs")
    #expect(WayRules.incline("down") == -WayRules.incline("up"))
    for text in ["-5", "x", "99999999999999", "12.5"] {
      let way = WayRules.way(of: Self.feature("highway=steps step_count=\(text)"))?.way
      #expect(way?.stepCount == 0)
    }
  }
}

@Suite("Barrier rules and entrances") struct BarrierRulesTests {
  @Test(
    "Barriers block modes by kind and by access tags",
    arguments: [
      ("barrier=gate", ""), ("barrier=lift_gate", ""), ("barrier=entrance", ""),
      ("barrier=bollard", "D"), ("barrier=block", "D"), ("barrier=cycle_barrier", "D"),
      ("barrier=chain", "D"), ("barrier=stile", "SD"), ("barrier=turnstile", "SD"),
      ("barrier=kissing_gate", "SD"), ("barrier=stile wheelchair=yes", "D"),
      ("barrier=gate access=private", "WSD"), ("barrier=gate access=private foot=yes", "D"),
      ("barrier=gate motor_vehicle=no", "D"), ("barrier=gate foot=no", "WS"),
      ("barrier=gate locked=yes", "WSD"), ("barrier=gate locked=yes foot=yes", "D"),
      ("barrier=gate locked=yes access=yes", ""), ("barrier=gate locked=no", ""),
      ("barrier=swing_gate locked=yes", "D"), ("locked=yes", ""),
      ("barrier=bollard motor_vehicle=yes", ""), ("barrier=bollard access=yes", ""),
      ("barrier=kerb", ""), ("barrier=kerb kerb=raised", "S"), ("kerb=raised", "S"),
      ("kerb=rolled", "S"), ("kerb=lowered", ""), ("kerb=flush", ""),
      ("kerb=raised wheelchair=yes", ""), ("highway=crossing kerb=raised", "S"),
      ("highway=crossing wheelchair=no", "S"), ("highway=crossing", ""),
      ("highway=bus_stop wheelchair=no", ""), ("highway=elevator wheelchair=no", "S"),
      ("public_transport=stop_position wheelchair=no", ""), ("railway=tram_stop wheelchair=no", ""),
      ("railway=subway_entrance wheelchair=no", "S"), ("amenity=cafe wheelchair=no", ""),
      ("amenity=cafe entrance=yes wheelchair=no", "S"), ("wheelchair=no", "S"),
      ("highway=crossing foot=no", "WS"), ("highway=street_lamp", ""), ("access=private", ""),
      ("entrance=yes access=private", ""), ("amenity=cafe access=customers", ""),
      ("barrier=no", ""), ("barrier=", ""), ("", ""),
    ])
  func barriers(tags: String, barred: String) {
    #expect(WayRulesTests.text(BarrierRules.blocked(by: WayRulesTests.tags(tags))) == barred)
  }

  @Test(
    "Visitors use entrances but not emergency or private doors",
    arguments: [
      ("entrance=yes", true), ("entrance=main", true), ("entrance=service", true),
      ("entrance=staircase", true), ("entrance=emergency", false), ("entrance=exit", false),
      ("entrance=no", false), ("entrance=garage", false), ("entrance=yes access=private", false),
      ("entrance=yes access=no foot=yes", true), ("entrance=yes access=customers", true),
      ("entrance=", false), ("door=yes", false), ("", false),
    ])
  func entrances(tags: String, isWayIn: Bool) {
    #expect(Entrances.isWayIn(WayRulesTests.feature(tags)) == isWayIn)
  }

  @Test("Service doors are back doors; wheelchair tags apply to doors")
  func doors() {
    #expect(Entrances.isBackDoor(WayRulesTests.feature("entrance=service")))
    #expect(Entrances.isBackDoor(WayRulesTests.feature("entrance=staff")))
    #expect(!Entrances.isBackDoor(WayRulesTests.feature("entrance=main")))
    #expect(Entrances.access(of: WayRulesTests.feature("entrance=main")) == .onFoot)
    #expect(Entrances.access(of: WayRulesTests.feature("entrance=main wheelchair=no")) == .walk)
  }
}
