import Testing

@testable import CupolaGuide

@Suite("Real maps", .enabled(if: MapTexts.isThere, MapTexts.absent))
struct RealMapTests {
  @Test("Northwestern: buildings, ways, areas and turns")
  func northwestern() throws {
    let map = try GuideMap(reading: [MapTexts.northwestern])
    let buildings = map.features.filter { $0["building"] != nil && $0.id.hasPrefix("way/") }
    #expect(map.points.count == 15_070 && map.features.count == 3_514)
    #expect(buildings.count == 467 && buildings.count { $0["name"] != nil } == 164)
    for building in buildings {
      guard case .area = building.geometry else {
        Issue.record("\(building.title) is no area")
        continue
      }
    }
    #expect(
      map.features.count {
        if case .line = $0.geometry { $0["highway"] == "footway" } else { false }
      } > 600)
    #expect(map.features.count { $0["entrance"] != nil } == 46)
    // Two of twelve are for some hours only, of one the ways lie beyond the map.
    #expect(map.restrictions.count == 9 && map.restrictions.count { $0.viaPoint == nil } == 4)
    // A lake and the campus go on beyond the map.
    #expect(
      map.faults.map(\.title) == [
        "Lake Michigan (relation/1205149)", "Northwestern University (relation/2105485)",
      ])
    guard case .area(let rings) = map.feature("relation/7088849")?.geometry else {
      throw MapReadError.unknownKind(path: "")
    }
    #expect(rings.count == 3)
    guard case .area(let square) = map.feature("relation/9081982")?.geometry else {
      throw MapReadError.unknownKind(path: "")
    }
    #expect(square.count > 5)
  }

  @Test("A station: rooms and halls with their floors")
  func station() throws {
    let map = try GuideMap(reading: [MapTexts.station])
    #expect(map.faults.isEmpty && map.features.count == 244 && map.points.count == 4_918)
    #expect(map.feature("relation/6021911")?["name"] == "Hall Central")
    #expect(map.features.count { $0["indoor"] == "room" } == 81)
    #expect(map.features.count { $0["indoor"] == "corridor" } == 24)
    #expect(map.features.count { $0["level"].flatMap { Levels($0) } != nil } > 150)
  }

  @Test("A house of seven floors")
  func house() throws {
    let map = try GuideMap(reading: [MapTexts.westport])
    #expect(map.faults.isEmpty && map.features.count == 866)
    #expect(
      map.features.filter { $0["building"] != nil }.map(\.title) == [
        "Westport House (westport_house)"
      ])
    #expect(map.features.count { $0["highway"] == "corridor" } == 43)
    #expect(map.features.count { $0["room"] == "toilets" } == 6)
    #expect(
      Set(map.features.compactMap { $0["level:ref"] }) == ["G", "1", "2", "3", "4", "5", "6"])
    let lift = try #require(map.feature("westport_house/main-paths/603"))
    #expect(lift["level"] == "0;1;2" && lift.pointNumbers.count == 1)
    // The ways of two floors end there.
    for id in ["westport_house/0-paths/4", "westport_house/2-paths/2030"] {
      #expect(map.feature(id)?.pointNumbers.contains(lift.pointNumbers[0]) ?? false)
    }
    let steps = try #require(map.feature("westport_house/main-paths/601"))
    let upper = try #require(map.feature("westport_house/2-paths/2028"))
    #expect(steps["incline"] == "down" && upper.pointNumbers.last == steps.pointNumbers.first)
    let entrance = MapTexts.places(map, "westport_house/0-paths/1/entrance")
    #expect(entrance == [MapPoint(latitude: 56.460278, longitude: -2.9786378)].compactMap(\.self))
  }
}
