import Testing

@testable import CupolaGuide

@Suite("BarrierRules and Entrances") struct BarrierRulesTests {
  @Test(
    "Barriers stop those whom they are made for, and whom a sign names",
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
    #expect(WayRulesTests.text(BarrierRules.barred(by: WayRulesTests.tags(tags))) == barred)
  }

  @Test(
    "Visitors come in by entrances, not by emergency exits or those of staff only",
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

  @Test("Doors of services are back doors, and signs at doors hold for wheels")
  func doors() {
    #expect(Entrances.isBackDoor(WayRulesTests.feature("entrance=service")))
    #expect(Entrances.isBackDoor(WayRulesTests.feature("entrance=staff")))
    #expect(!Entrances.isBackDoor(WayRulesTests.feature("entrance=main")))
    #expect(Entrances.access(of: WayRulesTests.feature("entrance=main")) == .onFoot)
    #expect(Entrances.access(of: WayRulesTests.feature("entrance=main wheelchair=no")) == .walk)
  }
}
