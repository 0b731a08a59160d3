internal import CupolaGuide

/// What was read of one or more maps: features that share points where their ways meet.
package struct GuideMap: Sendable {
  /// Where the features' points are.
  private(set) var points: [MapPoint] = []
  /// Points, lines and areas that have tags, in the order of the maps.
  private(set) var features: [MapFeature] = []
  private(set) var restrictions: [TurnRestriction] = []
  /// What could not be used, a line each, in the order of the maps.
  private(set) var faults: [MapFault] = []

  /// What a university or college is called of which the map has only a part of the outline; empty for one without a
  /// name.
  var cutGrounds: String?

  /// Numbers of points by OpenStreetMap's node.
  private var nodes: [Int64: Int] = [:]
  /// Numbers of points that were read without a node, by place.
  private var places: [MapPoint: Int] = [:]
  /// Numbers of features by identifier.
  private var ids: [String: Int] = [:]
  /// Points of features that say their floors, once for each floor.
  private(set) var pointsOnFloors = 0
  /// Bytes of identifiers and tags of features, once for each further part and floor of them.
  private(set) var repeatedText = 0
  /// Whether each point is a node of OpenStreetMap.
  private var isNode: [Bool] = []

  /// How many points and features all maps together may have.
  static let mostPoints = 4_000_000
  /// How many points features may have on all of their floors together, because a guide has them once for each: a small
  /// file may hold thousands of rooms on 250 floors. Campuses have some ten thousand.
  static let mostPointsOnFloors = 1_000_000
  /// How many bytes of text may be repeated, because a guide has them again each time: a small file may hold a name of
  /// thousands of letters for thousands of points.
  static let mostRepeatedText = 256 << 20
  /// How many faults are kept one by one, beside those of whole maps.
  static let mostFaults = 1_000

  init() {}

  /// The number of a node of OpenStreetMap, which is one point however often it is read.
  mutating func point(_ place: MapPoint, node: Int64) -> Int {
    if let number = nodes[node] { return number }
    // A map without nodes that was read before has the same point by its place; ways are cut at the date line, where
    // a node on either side of it is one point.
    if let number = places[place], !isNode[number] || place.isOnDateLine {
      nodes[node] = number
      isNode[number] = true
      return number
    }
    let number = append(place, isNode: true)
    nodes[node] = number
    if places[place] == nil { places[place] = number }
    return number
  }

  /// The number of a point without a name: points at one place are one.
  mutating func point(_ place: MapPoint) -> Int {
    if let number = places[place] { return number }
    let number = append(place, isNode: false)
    places[place] = number
    return number
  }

  /// The point of a node that was read.
  func point(ofNode node: Int64) -> Int? { nodes[node] }

  /// A feature by its identifier.
  func feature(_ id: String) -> MapFeature? { ids[id].map { features[$0] } }

  private mutating func append(_ place: MapPoint, isNode node: Bool) -> Int {
    points.append(place)
    isNode.append(node)
    return points.count - 1
  }

  /// Adds a feature unless one of its identifier is there: maps may overlap.
  ///
  /// - Parameter isPart: whether it has the tags of the one before, as a further part of it.
  mutating func add(_ feature: MapFeature, isPart: Bool = false) {
    guard ids[feature.id] == nil else { return }
    ids[feature.id] = features.count
    features.append(feature)
    let levels = feature["level"].flatMap { Levels($0) }
    if let levels { pointsOnFloors += feature.pointNumbers.count * levels.numbers.count }
    let times = (levels?.numbers.count ?? 1) - (isPart ? 0 : 1)
    if times > 0 { repeatedText += times * feature.textBytes }
  }

  mutating func add(_ restriction: TurnRestriction) { restrictions.append(restriction) }

  mutating func add(_ fault: MapFault) {
    if fault.isOfMap || faults.count < Self.mostFaults { faults.append(fault) }
  }
}
