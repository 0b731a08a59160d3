/// Something wrong with a map, found by ``CampusCheck``; features are named as a person would find
/// them.
public enum CampusFinding: Equatable, Sendable {
  /// What keeps the map from being used at all.
  case fault(CampusError)
  /// A ring that crosses or touches itself, or two rings of a polygon that cross; `rings` from 1.
  case crossing(String, rings: [Int], times: Int, longitude: Double, latitude: Double)
  /// A feature, and some more, whose edges or those of the fence lie too close together to find all that is wrong.
  case ringsCheckedInPart(String, others: Int)
  /// A hole of which a corner lies outside the outer ring.
  case holeOutside(String, ring: Int, longitude: Double, latitude: Double)
  /// A feature that is said to be the boundary, but has no polygon.
  case boundaryWithoutPolygon(String)
  /// A bounding box that is no list of four or six numbers.
  case badBoundingBox(String)
  /// Coordinates that are not longitude and latitude on WGS 84.
  case otherReferenceSystem(String)
  /// One label at several buildings.
  case duplicateLabel(String, titles: [String])
  /// A building without a label, which no photo can belong to.
  case missingLabel(String)
  /// A building that lies nowhere.
  case missingPlace(String)
  /// A building of which all corners lie outside the fence, some meters away.
  case buildingOutside(String, meters: Double)
  /// A building that would lie inside with latitude and longitude exchanged.
  case buildingSwapped(String, Position)
  /// A building's label that no folder of photos has.
  case labelWithoutPhotos(String)
  /// A folder of photos whose label no building has.
  case photosWithoutBuilding(String)
}

extension CampusFinding {
  /// A short stable name of its kind.
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
    case .missingLabel: "missing_label"
    case .missingPlace: "missing_place"
    case .buildingOutside: "building_outside"
    case .buildingSwapped: "swapped_coordinates"
    case .labelWithoutPhotos: "label_without_photos"
    case .photosWithoutBuilding: "photos_without_building"
    }
  }

  /// Whether the map can be used as it is, and something is only missing.
  public var isAdvice: Bool {
    switch self {
    case .labelWithoutPhotos, .missingLabel, .badBoundingBox, .missingPlace: true
    default: false
    }
  }

  /// One line for people: what is wrong and how to mend it.
  public var message: String {
    switch self {
    case .fault(let fault): fault.message
    case .crossing(let title, let rings, let times, let longitude, let latitude):
      "\(title): \(CampusFinding.meeting(rings)) \(CampusFinding.times(times)) near "
        + "\(CampusFinding.place(longitude, latitude)); "
        + (rings[0] == rings[1] ? "put its corners in order" : "keep holes inside and apart")
    case .ringsCheckedInPart(let title, let others):
      "\(title)\(others == 0 ? "" : " and \(others) more"): checked in part only, because edges lie over "
        + "or beside each other too often; draw this and the fence with fewer corners"
    case .holeOutside(let title, let ring, let longitude, let latitude):
      "\(title): ring \(ring), a hole, lies outside ring 1 at \(CampusFinding.place(longitude, latitude)); "
        + "move it inside, or make it a polygon of its own"
    case .boundaryWithoutPolygon(let title):
      "\(title): a boundary without a polygon; draw the outline of the grounds"
    case .badBoundingBox(let title):
      "\(title): a \"bbox\" that is not [west, south, east, north]; correct or remove it"
    case .otherReferenceSystem(let name):
      "its coordinates are in \(name); convert them: ogr2ogr -t_srs EPSG:4326 OUT.geojson IN.geojson"
    case .duplicateLabel(let label, let titles):
      "label \"\(label)\" stands at \(titles.count) buildings (\(titles.joined(separator: ", "))); "
        + "give each its own"
    case .missingLabel(let title):
      "\(title): a building without a label; give it the name of its folder of photos as \"label\""
    case .missingPlace(let title):
      "\(title): a building without a place; give it a Point or Polygon"
    case .buildingOutside(let title, let meters):
      "\(title): \(Int(meters.rounded(.up))) m outside the fence; move it, or widen the fence"
    case .buildingSwapped(let title, let position):
      "\(title): at \(CampusFinding.place(position.longitude, position.latitude)) it lies outside the "
        + "fence, the other way round inside; GeoJSON puts longitude first, in the fence and in buildings"
    case .labelWithoutPhotos(let label):
      "label \"\(label)\" has no photos; add a folder of that name, or remove the building"
    case .photosWithoutBuilding(let label):
      "the photos in \"\(label)\" have no building; give one this label, or rename the folder"
    }
  }

  /// To 1e-7 degrees, a centimeter.
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
    case .noBoundary: "no_boundary"
    case .emptyPolygon: "empty_polygon"
    case .badPosition: "bad_position"
    case .swappedCoordinates, .probablySwapped: "swapped_coordinates"
    case .unclosedRing: "unclosed_ring"
    case .shortRing: "short_ring"
    case .wideRing: "wide_ring"
    case .poleMissing: "pole_missing"
    case .unknownGeometry: "unknown_geometry"
    case .fileTooLarge, .tooManyPositions: "too_large"
    }
  }
}
