import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Building coverage")
struct BuildingCoverageTests {
  private static func campus() throws -> Campus {
    try Campus(geoJSON: FileAccess.read(Repository.sampleMap))
  }

  private static func check(_ table: String? = nil) async throws -> DatasetCheck {
    let folder = try TemporaryFolder()
    let file = try table.map { try folder.write($0, to: "split.csv") }
    return try await DatasetCheck(
      of: PhotoSet(root: Repository.sampleCampus, splitFile: file), campus: try campus(),
      decoder: PhotoDecoder(), threads: 2)
  }

  @Test("sides, distances and times of the sample campus, and nothing wrong with its places")
  func sampleCampus() async throws {
    let check = try await Self.check()
    #expect(check.coverage.count == 12)
    for building in check.coverage {
      #expect(building.knowsSides)
      #expect(building.sides.reduce(0, +) == 16)
      #expect(building.distances.reduce(0, +) == 16)
      #expect(building.times.reduce(0, +) == 16)
    }
    let kinds = check.findings.map(\.kind)
    for kind in [CheckFinding.Kind.farFromBuilding, .offCampus, .swappedMap, .notOnMap] {
      #expect(!kinds.contains(kind))
    }
  }

  @Test("shots stand on the campus beside the building, on a side without photos, and look at it")
  func shots() async throws {
    // Four photos of each building leave sides open.
    var table = "path,label,split\n"
    for photo in try PhotoSet(root: Repository.sampleCampus).photos
    where ["01.jpg", "02.jpg", "03.jpg", "04.jpg"].contains(where: photo.name.hasSuffix) {
      table += "\(photo.name),\(photo.label),train\n"
    }
    let campus = try Self.campus()
    let coverage = try await Self.check(table).coverage
    let shots = coverage.flatMap { building in building.shots.map { (building, $0) } }
    #expect(shots.count > 12)
    for (coverage, shot) in shots {
      let building = try #require(campus.building(labeled: coverage.label))
      let center = try #require(building.position)
      let side = try #require(BuildingCoverage.sideNames.firstIndex(of: shot.side))
      #expect(coverage.sides[side] == 0)
      #expect(campus.geofence.contains(shot.position))
      #expect(campus.buildings(near: shot.position, within: 0).isEmpty)
      #expect((15...220).contains(building.distance(from: shot.position) ?? 0))
      let bearing = Geodesic(from: center, to: shot.position).azimuth
      #expect(abs((bearing - 45 * Double(side)).remainder(dividingBy: 360)) < 3)
      #expect(abs((shot.heading - bearing - 180).remainder(dividingBy: 360)) < 2)
    }
  }

  @Test("photos under the label of another building are far from it, and off a moved campus")
  func places() async throws {
    let text = String(decoding: try FileAccess.read(Repository.sampleMap), as: UTF8.self)
    let moved = text.replacing("10.9", with: "10.5").replacing("10.8", with: "10.4")
    let check = try await DatasetCheck(
      of: PhotoSet(root: Repository.sampleCampus), campus: try Campus(geoJSON: Array(moved.utf8)),
      decoder: PhotoDecoder(), threads: 2)
    let kinds = check.findings.map(\.kind)
    #expect(kinds.contains(.offCampus) && kinds.contains(.farFromBuilding))
  }

  @Test("a place moved comes where it was told to")
  func moved() throws {
    let start = try #require(Position(latitude: 52.4, longitude: 16.9))
    for bearing in stride(from: 0.0, to: 360, by: 45) {
      let end = try #require(start.moved(meters: 100, toward: bearing))
      let way = Geodesic(from: start, to: end)
      #expect(abs(way.distance - 100) < 1)
      #expect(abs((way.azimuth - bearing).remainder(dividingBy: 360)) < 0.5)
    }
    #expect(Position(latitude: 90, longitude: 0)?.moved(meters: 100, toward: 0) == nil)
  }
}
