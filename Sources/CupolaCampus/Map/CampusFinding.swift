/// A problem in a map, found by ``CampusCheck``. Titles identify features in messages.
public enum CampusFinding: Equatable, Sendable {
  /// The map cannot be used.
  case fault(CampusError)
  /// A ring that crosses or touches itself, or two rings of a polygon that cross; `rings` start at 1.
  case crossing(String, rings: [Int], times: Int, longitude: Double, latitude: Double)
  /// Features that were checked only partly, because too many edges overlap.
  case ringsCheckedInPart(String, others: Int)
  /// A hole with a corner outside the outer ring.
  case holeOutside(String, ring: Int, longitude: Double, latitude: Double)
  /// A feature with an explicit boundary role but no polygon.
  case boundaryWithoutPolygon(String)
  /// A bounding box that is not a list of four or six numbers.
  case badBoundingBox(String)
  /// Coordinates in a reference system other than WGS 84.
  case otherReferenceSystem(String)
  /// A label shared by several buildings.
  case duplicateLabel(String, titles: [String])
  /// A name that several buildings without labels and identifiers have.
  case duplicateName(String, count: Int)
  /// A building without a label, identifier or name, so no photos can refer to it.
  case missingLabel(String)
  /// Areas and named points that have neither a role nor a tag that identifies their type; up to three names.
  case notBuildings(polygons: Int, points: Int, names: [String])
  /// A building without a position.
  case missingPosition(String)
  /// A building whose corners are all outside the fence.
  case buildingOutside(String, meters: Double)
  /// A building that would be inside the fence with latitude and longitude swapped.
  case buildingSwapped(String, Position)
  /// A building's label that has no photo folder.
  case labelWithoutPhotos(String)
  /// A photo folder that is not the label of any building.
  case photosWithoutBuilding(String)
}

extension CampusFinding {
  /// A stable identifier of the kind of finding.
  public var kind: String {
    switch self {
    case .fault(let fault): fault.kind
    case .crossing: "crossing_ring"
    case .ringsCheckedInPart: "rings_checked_in_part"
    case .holeOutside: "hole_outside"
    case .boundaryWithoutPolygon: "boundary_without_polygon"
    case .badBoundingBox: "bad_bounding_box"
    case .otherReferenceSystem: "other_reference_system"
    case .duplicateLabel: "duplicate_label"
    case .duplicateName: "duplicate_name"
    case .missingLabel: "missing_label"
    case .notBuildings: "not_buildings"
    case .missingPosition: "missing_place"
    case .buildingOutside: "building_outside"
    case .buildingSwapped: "swapped_coordinates"
    case .labelWithoutPhotos: "label_without_photos"
    case .photosWithoutBuilding: "photos_without_building"
    }
  }

  /// Whether the map is usable and the finding is only advice.
  public var isAdvice: Bool {
    switch self {
    case .labelWithoutPhotos, .missingLabel, .duplicateName, .notBuildings, .badBoundingBox,
      .missingPosition:
      true
    default: false
    }
  }

  /// A one-line message that describes the problem and how to fix it.
  public var message: String {
    switch self {
    case .fault(let fault): fault.message
    case .crossing(let title, let rings, let times, let longitude, let latitude):
      "\(title): \(CampusFinding.meeting(rings)) \(CampusFinding.times(times)) near "
        + "\(CampusFinding.place(longitude, latitude)); "
        + (rings[0] == rings[1]
          ? "reorder its corners" : "keep holes inside the outer ring and apart from each other")
    case .ringsCheckedInPart(let title, let others):
      "\(title)\(others == 0 ? "" : " and \(others) more"): checked only partly, because too many edges "
        + "overlap; draw the outline and the fence with fewer corners"
    case .holeOutside(let title, let ring, let longitude, let latitude):
      "\(title): hole (ring \(ring)) is outside ring 1 at \(CampusFinding.place(longitude, latitude)); "
        + "move it inside, or make it a separate polygon"
    case .boundaryWithoutPolygon(let title):
      "\(title): boundary without a polygon; draw the outline of the campus as a polygon or a closed line"
    case .badBoundingBox(let title):
      "\(title): \"bbox\" is not [west, south, east, north]; correct or remove it"
    case .otherReferenceSystem(let name):
      "coordinates are in \(name); convert them: ogr2ogr -t_srs EPSG:4326 OUT.geojson IN.geojson"
    case .duplicateLabel(let label, let titles):
      "\(titles.count) buildings have the label \"\(label)\" (\(titles.joined(separator: ", "))); "
        + "use a different label for each"
    case .duplicateName(let name, let count):
      "\(count) buildings have the name \"\(name)\" and no label; set \"label\" to tell them apart"
    case .missingLabel(let title):
      "\(title): building without a label or name; set \"label\" to the name of its photo folder"
    case .notBuildings(let polygons, let points, let names):
      CampusFinding.notBuildings(polygons: polygons, points: points, names: names)
    case .missingPosition(let title):
      "\(title): building without a position; add a Point or Polygon"
    case .buildingOutside(let title, let meters):
      "\(title): \(Int(meters.rounded(.up))) m outside the fence; move it, or widen the fence"
    case .buildingSwapped(let title, let position):
      "\(title): \(CampusFinding.place(position.longitude, position.latitude)) is outside the fence, but "
        + "inside with longitude and latitude swapped; GeoJSON puts longitude first"
    case .labelWithoutPhotos(let label):
      "label \"\(label)\" has no photos; add a folder with this name, or remove the building"
    case .photosWithoutBuilding(let label):
      "no building has the label of the photos in \"\(label)\"; add it to a building, or rename the folder"
    }
  }

  private static func notBuildings(polygons: Int, points: Int, names: [String]) -> String {
    let isOne = polygons + points == 1
    let counts = list([(polygons, "polygon"), (points, "point")]) ?? ""
    let more = polygons + points > names.count && !names.isEmpty ? ", ..." : ""
    return
      "\(counts) \(isOne ? "is not a building" : "are not buildings"): give \(isOne ? "it" : "them") "
      + "building=yes or role building"
      + (names.isEmpty ? "" : " (\(names.joined(separator: ", "))\(more))")
  }

  /// Returns counts in words, for example "2 polygons, 1 line and 3 points", or `nil` if all are 0.
  static func list(_ counts: [(count: Int, noun: String)]) -> String? {
    let parts = counts.filter { $0.count > 0 }
      .map { "\($0.count) \($0.noun)\($0.count == 1 ? "" : "s")" }
    guard let last = parts.last else { return nil }
    return parts.count == 1
      ? last : parts.dropLast().joined(separator: ", ") + " and " + last
  }

  private static func place(_ longitude: Double, _ latitude: Double) -> String {
    "[\((longitude * 1e7).rounded() / 1e7), \((latitude * 1e7).rounded() / 1e7)]"
  }

  private static func meeting(_ rings: [Int]) -> String {
    rings[0] == rings[1]
      ? "ring \(rings[0]) crosses or touches itself" : "rings \(rings[0]) and \(rings[1]) cross"
  }

  private static func times(_ times: Int) -> String {
    times == 1 ? "once," : times < RingCrossings.limit ? "\(times) times, first" : "often, first"
  }
}

extension CampusError {
  fileprivate var kind: String {
    switch self {
    case .notJSON: "not_json"
    case .notGeoJSON: "not_geojson"
    case .badTable: "bad_table"
    case .noBoundary: "no_boundary"
    case .emptyPolygon: "empty_polygon"
    case .badPosition: "bad_position"
    case .swappedCoordinates, .probablySwapped: "swapped_coordinates"
    case .projected: "other_reference_system"
    case .unclosedRing: "unclosed_ring"
    case .shortRing: "short_ring"
    case .wideRing: "wide_ring"
    case .poleMissing: "pole_missing"
    case .unknownGeometry: "unknown_geometry"
    case .fileTooLarge, .tooManyPositions: "too_large"
    }
  }
}
