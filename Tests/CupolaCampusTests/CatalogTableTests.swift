import CupolaTestSupport
import Testing
@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Tables of buildings") struct CatalogTableTests {
  private static func campus(_ text: String) throws -> Campus {
    try Campus(geoJSON: Array(text.utf8))
  }

  @Test(
    "Columns may have any order, case and separator",
    arguments: [
      "name,abbreviation,lat,lon,year\nGreat Hall,GH,48.3,10.9,1871\nLibrary,,48.302,10.905,\n",
      "\u{FEFF}Year;LON;Lat;NAME;Short Name\r\n1871;10.9;48.3;Great Hall;GH\r\n;10.905;48.302;Library;\r\n",
      "Building\tLongitude\tLatitude\tABBR\tYear built\nGreat Hall\t10.9\t48.3\tGH\t1871\n"
        + "Library\t10.905\t48.302\t\t\n",
      "\n\"name\",\"abbreviation\",\"lat\",\"lng\",\"year\"\n\"Great Hall\",\"GH\",\"48.3\",\"10.9\",\"1871\"\n"
        + ",,,,\nLibrary,,48.302,10.905,\n",
    ])
  func forms(text: String) throws {
    let campus = try Self.campus(text)
    let (hall, library) = (campus.buildings[0], campus.buildings[1])
    #expect(campus.buildings.map(\.name) == ["Great Hall", "Library"])
    #expect(campus.buildings.map(\.label) == ["Great Hall", "Library"])
    #expect(hall.abbreviation == "GH" && library.abbreviation == nil)
    #expect(hall.yearBuilt == "1871" && library.yearBuilt == nil)
    #expect(hall.position == Position(latitude: 48.3, longitude: 10.9))
    #expect(hall.footprint.isEmpty && hall.properties.isEmpty)
    #expect(try Campus(geoJSON: campus.geoJSON()) == campus)
    #expect(try Campus(geoJSON: campus.geoJSONWithRoles()).buildings == campus.buildings)
    #expect(CampusCheck(geoJSON: Array(text.utf8)).findings.isEmpty)
  }

  @Test("Only coordinates and names are required, and other columns become properties")
  func columns() throws {
    let campus = try Self.campus(
      "label,name,lat,lon,category,Floors\nhall,\"Hall, \"\"Old\"\"\",48.3,10.9,study,3\nshed,,,,,\n"
    )
    #expect(campus.buildings.map(\.label) == ["hall", "shed"])
    #expect(campus.buildings[0].name == "Hall, \"Old\"" && campus.buildings[0].category == "study")
    #expect(campus.buildings[0].properties == ["Floors": .string("3")])
    #expect(campus.buildings[1].position == nil)
  }

  @Test("The fence is 250 m outside the buildings, also across the antimeridian")
  func fence() throws {
    let campus = try Self.campus("name,lat,lon\na,-17,179.999\nb,-17,-179.999\n")
    for building in campus.buildings {
      let position = try #require(building.position)
      #expect(abs(campus.geofence.signedDistance(to: position) + 250) < 5)
    }
    let far = try #require(Position(latitude: -17, longitude: 0))
    #expect(!campus.geofence.contains(far))
  }

  @Test(
    "Faults state the line, the cause and what to do",
    arguments: [
      (
        "name;lat;lon\nHall;48,3;10,9\n", 2,
        "latitude \"48,3\" has a decimal comma; use a decimal point"
      ),
      (
        "name,lat,lon\nHall,48.3,10.9\n\nLab,north,10.9\n", 4,
        "latitude \"north\" is not a number; use degrees such as 48.3000"
      ),
      (
        "name,lat,lon\nHall,48.3,190\n", 2,
        "longitude \"190\" is not between -180 and 180 degrees; correct it"
      ),
      (
        "name,lat,lon\nHall,nan,10\n", 2,
        "latitude \"nan\" is not between -90 and 90 degrees; correct it"
      ),
      (
        "name,lat,lon\nHall,48.3,\n", 2,
        "the longitude is missing; fill in both or neither"
      ),
      ("name,lat,lon\n,48.3,10.9\n", 2, "building without a name; fill in the column name"),
      ("name,lat,lon\nHall,48.3\n", 2, "2 fields, but the header has 3"),
      (
        "name,lat,lon,Floors,Floors\n", 1, "the header contains Floors twice; rename one column"
      ),
      (
        "name,year\nHall,1871\n", 1,
        "no columns lat and lon; name the columns name, abbreviation, lat, lon and year"
      ),
      (
        "name,lat,lon\nHall,,\n", 1, "no building has coordinates; fill in lat and lon"
      ),
    ])
  func faults(text: String, line: Int, problem: String) {
    let fault = CampusError.badTable(line: line, problem: problem)
    #expect(throws: fault) { try Self.campus(text) }
    #expect(CampusCheck(geoJSON: Array(text.utf8)).findings == [.fault(fault)])
  }

  @Test("Rejects tables that are not UTF-8")
  func notUTF8() {
    let bytes = Array("name,lat,lon\nCaf".utf8) + [0xE9] + Array(",48.3,10.9\n".utf8)
    #expect {
      try Campus(geoJSON: bytes)
    } throws: { error in
      guard case CampusError.badTable(1, let problem) = error else { return false }
      return problem.contains("save the table as UTF-8")
    }
  }
}
