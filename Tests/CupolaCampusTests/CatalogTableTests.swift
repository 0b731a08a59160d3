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

  @Test("A table without coordinates names buildings by label, abbreviation or folder")
  func names() throws {
    let campus = try Self.campus(
      "label,name,abbr,lat,lon\nway/1,Great Hall,GH,48.3,10.9\nway/2,Library,LIB,48.302,10.905\n")
    func named(_ rows: String, _ folders: [String]) throws -> [String] {
      let table = Array(("Folder;Name\n" + rows).utf8)
      let found = try #require(try Campus.naming(campus, by: table, folders: folders))
      #expect(found.campus.geofence == campus.geofence)
      let again = try Campus(geoJSON: found.campus.geoJSON())
      return again.buildings.map { "\($0.label): \($0.name)" } + ["\(found.count)"] + found.problems
    }
    #expect(
      try named("GH;Aula\nway/2;Bücherei\n\n", [])
        == ["way/1: Aula", "way/2: Bücherei", "2"])
    // A folder whose name is on the map gets that building; another folder gets a building without a position.
    #expect(
      try named("Old hall;Great Hall\nshed;The Shed\nnone;X\n", ["old_hall", "shed"])
        == [
          "old_hall: Great Hall", "way/2: Library", "shed: The Shed", "2",
          "line 4: none is neither a folder nor a building on the map",
        ])
    let table = Array("folder,name\nGH,Aula\n".utf8)
    #expect(try Campus.naming(campus, by: Array("name,lat,lon\n".utf8), folders: []) == nil)
    #expect(try Campus.naming(campus, by: campus.geoJSON(), folders: []) == nil)
    #expect(throws: CampusError.self) { try Campus.naming(nil, by: table, folders: []) }
    #expect(throws: CampusError.self) {
      try Campus.naming(campus, by: Array("Ordner,Titel\na,b\n".utf8), folders: [])
    }
    #expect(throws: CampusError.self) {
      try Campus.naming(campus, by: Array("folder,name\na,b\n".utf8), folders: [])
    }
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
      (
        "name,lat,lon\nHall,48.3,10.9\nLab,0,0.0\n", 3,
        "Lab: the coordinates 0, 0 are a placeholder; correct them, or leave both empty"
      ),
      (
        "name,lat,lon\nHall,48.3,10.9\nLab,49.3,10.9\n", 3,
        "Lab: 111 km from the nearest other building; correct lat and lon, leave both empty, or draw a GeoJSON map"
      ),
      (
        "name,lat,lon\nFar,8.3,10.9\nHall,48.3,10.9\nLab,48.31,10.9\nEast,48.3,19.9\n", 2,
        "Far and 1 other row: 4434 km from the nearest other building; correct lat and lon, leave both empty, or "
          + "draw a GeoJSON map"
      ),
      (
        "name,lat,lon,year\nHall,48.3,10.9,187\n", 2,
        "year \"187\" is not a year from 1000 to 2199 or a date such as ~1900, 1890s or 480 BC; correct it, or leave "
          + "it empty"
      ),
      (
        "name,built,lat,lon\nHall,unknown,48.3,10.9\n", 2,
        "year \"unknown\" is not a year from 1000 to 2199 or a date such as ~1900, 1890s or 480 BC; correct it, or "
          + "leave it empty"
      ),
    ])
  func faults(text: String, line: Int, problem: String) {
    let fault = CampusError.badTable(line: line, problem: problem)
    #expect(throws: fault) { try Self.campus(text) }
    #expect(CampusCheck(geoJSON: Array(text.utf8)).findings == [.fault(fault)])
  }

  @Test(
    "Rows with swapped coordinates are found by the other rows or by the range of latitudes",
    arguments: [
      ("Hall,48.3,10.9\nLab,10.91,48.31\nShop,48.3,10.91\n", "line 3: Lab", [48.31, 10.91]),
      (
        "Hall,10.9,48.3\nLab,48.31,10.91\nShop,48.3,10.9\nGym,10.9,48.31\nPub,48.32,10.9\n",
        "line 2: Hall and 1 other row", [48.3, 10.9]
      ),
      ("Hall,-123.25,49.26\n", "line 2: Hall", [49.26, -123.25]),
    ])
  func swapped(rows: String, title: String, numbers: [Double]) throws {
    let fault = CampusError.swappedCoordinates(title, numbers)
    let text = "name,lat,lon\n" + rows
    #expect(throws: fault) { try Self.campus(text) }
    let finding = try #require(CampusCheck(geoJSON: Array(text.utf8)).findings.first)
    #expect(finding.kind == "swapped_coordinates")
    #expect(
      finding.message == "\(title): longitude and latitude \(numbers) look swapped; exchange them")
  }

  @Test("Each site of several buildings has its own part of the fence")
  func sites() throws {
    let campus = try Self.campus(
      "name,lat,lon\nA,48.3,10.9\nB,48.8,10.9\nC,48.31,10.91\nD,48.81,10.91\n")
    #expect(campus.geofence.polygons.count == 2)
    for building in campus.buildings {
      #expect(campus.geofence.contains(try #require(building.position)))
    }
    let between = try #require(Position(latitude: 48.55, longitude: 10.9))
    #expect(!campus.geofence.contains(between))
    #expect(try Campus(geoJSON: campus.geoJSONWithRoles()).geofence == campus.geofence)
  }

  @Test(
    "Years may be any date that the search can interpret",
    arguments: ["~1900", "C19", "12.05.1897", "480 BC"])
  func dates(year: String) throws {
    let campus = try Self.campus("name,lat,lon,year\nHall,48.3,10.9,\(year)\n")
    #expect(campus.buildings[0].yearBuilt == year)
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
