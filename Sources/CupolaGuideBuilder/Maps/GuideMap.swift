internal import CupolaGuide
internal import CupolaSupport

// 1. Store each point once, identified by its OpenStreetMap node or its position.
// 2. Store the features, restrictions and faults of the maps, within limits.

/// The content of one or more maps: features that share points where they are connected.
package struct GuideMap: Sendable {
  private(set) var points: [MapPoint] = []
  private(set) var features: [MapFeature] = []
  private(set) var restrictions: [TurnRestriction] = []
  private(set) var faults: [MapFault] = []
  /// The counts of features without a tag for the kind of feature, one for each shape and file.
  var skipped: [MapFault] = []

  /// The name of a university or college that is only partly on the map; empty if it has no name.
  var cutGrounds: String?

  private var nodes: [Int64: Int] = [:]
  private var places: [MapPoint: Int] = [:]
  private var ids: [String: Int] = [:]
  /// Whether each outline of a building or of grounds was read from a closed line, not from an area.
  private var outlines: [Set<Int>: Bool] = [:]
  /// The number of points of features with floors, counted once per floor.
  private(set) var pointsOnFloors = 0
  /// The number of bytes of identifiers and tags, counted once for each additional part and floor of a feature.
  private(set) var repeatedText = 0
  private var isNode: [Bool] = []

  /// The maximum number of points, and of features, in all maps together.
  static let mostPoints = 4_000_000
  /// The maximum number of points on floors in all maps together. A small file may contain thousands of rooms, each on
  /// 250 floors; a campus has about ten thousand points.
  static let mostPointsOnFloors = 1_000_000
  /// The maximum number of repeated text bytes. A small file may repeat a name with thousands of letters thousands of
  /// times.
  static let mostRepeatedText = 256 << 20
  static let mostFaults = 1_000

  init() {}

  /// Returns the point index of an OpenStreetMap node; it is the same point in all maps.
  mutating func point(_ place: MapPoint, node: Int64) -> Int {
    if let number = nodes[node] { return number }
    // An earlier map without nodes may contain a point at this position. At the antimeridian, where ways are split, the
    // nodes on both sides are the same point.
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

  mutating func point(_ place: MapPoint) -> Int {
    if let number = places[place] { return number }
    let number = append(place, isNode: false)
    places[place] = number
    return number
  }

  func point(ofNode node: Int64) -> Int? { nodes[node] }

  func feature(_ id: String) -> MapFeature? { ids[id].map { features[$0] } }

  private mutating func append(_ place: MapPoint, isNode node: Bool) -> Int {
    points.append(place)
    isNode.append(node)
    return points.count - 1
  }

  /// Adds a feature unless one with its identifier exists; maps may overlap.
  mutating func add(_ feature: MapFeature, isPart: Bool = false) {
    guard ids[feature.id] == nil else { return }
    ids[feature.id] = features.count
    features.append(feature)
    let levels = Levels(of: feature)
    if let levels { pointsOnFloors += feature.pointNumbers.count * levels.numbers.count }
    let times = (levels?.numbers.count ?? 1) - (isPart ? 0 : 1)
    if times > 0 { repeatedText += times * feature.textBytes }
  }

  /// Records the outline of a building or of grounds. Returns `false` if it was added as a line and as an area:
  /// programs export closed ways as both.
  mutating func addOutline(
    _ geometry: MapFeature.Geometry, _ tags: [String: String], isLine: Bool
  ) -> Bool {
    guard AreaRules.isOutline(tags), case .area(let rings) = geometry, let ring = rings.first else {
      return true
    }
    let points = Set(ring)
    guard let wasLine = outlines[points] else {
      outlines[points] = isLine
      return true
    }
    return !(isLine || wasLine)
  }

  mutating func setTag(_ key: String, _ value: String, ofFeature number: Int) {
    features[number].tags[key] = value
  }

  mutating func add(_ restriction: TurnRestriction) { restrictions.append(restriction) }

  mutating func fault(_ id: String, _ tags: [String: String], _ problem: String) {
    add(MapFault(id, tags: tags, problem))
  }

  mutating func add(_ fault: MapFault) {
    if fault.isOfMap || faults.count < Self.mostFaults { faults.append(fault) }
  }
}

struct MapFeature: Sendable {
  enum Geometry: Equatable, Sendable {
    case point(Int)
    case line([Int])
    /// Rings of at least three points, the outer ring first; the first point of a ring is not repeated at its end.
    case area([[Int]])
  }

  let id: String
  var tags: [String: String]
  var geometry: Geometry

  subscript(_ key: String) -> String? { tags[key].flatMap { $0.isEmpty ? nil : $0 } }

  var title: String { MapFault.title(of: id, named: tags["name"]) }

  var textBytes: Int {
    tags.reduce(id.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  var pointNumbers: [Int] {
    switch geometry {
    case .point(let point): [point]
    case .line(let points): points
    case .area(let rings): rings.flatMap(\.self)
    }
  }
}

/// A turn that is forbidden for vehicles, or the only permitted one (OpenStreetMap's `type=restriction`).
struct TurnRestriction: Equatable, Sendable {
  let id: String
  let isOnly: Bool
  let from: String
  /// The point of the turn; `nil` if `via` is a way.
  let viaPoint: Int?
  var viaWays: [String] = []
  let to: String
  /// Whether the restriction forbids a U-turn on a single way, which may continue beyond the point.
  var isTurningRound = false
}

package struct MapFault: Equatable, Sendable, CustomStringConvertible {
  let title: String
  let problem: String
  /// Whether the fault affects a whole map, so that the missing part cannot be determined.
  package let isOfMap: Bool
  /// Whether the fault counts features that were skipped for the same reason.
  package let isSummary: Bool

  init(_ title: String, _ problem: String, isOfMap: Bool = false, isSummary: Bool = false) {
    (self.title, self.problem) = (title, problem)
    (self.isOfMap, self.isSummary) = (isOfMap, isSummary)
  }

  package var description: String { "\(title): \(problem)" }
}

extension MapFault {
  static let mostScalars = 80

  static func short(_ text: String) -> String { VisibleText.line(text.start(scalars: mostScalars)) }

  static func title(of id: String, named name: String?) -> String {
    guard let name, !name.isEmpty else { return short(id) }
    return "\(short(name)) (\(short(id)))"
  }

  init(_ id: String, tags: [String: String], _ problem: String) {
    self.init(Self.title(of: id, named: tags["name"]), problem)
  }
}

/// The remaining budget for one kind of work on a map or feed. Without it, a small file could cause an excessive amount
/// of work.
struct WorkBudget: Sendable {
  /// The remaining number of comparisons.
  var tests: Int
  /// The remaining number of lines, points, arcs or entrances.
  var results: Int
  private(set) var skipped = 0
  private var first = ""
  private var last = ""
  private let what: String
  private let reason: String

  /// - Parameter what: What to report for the first skipped feature, such as `turn restriction skipped`; `reason` adds
  ///   the cause and the recommended action.
  init(tests: Int, results: Int = .max, _ what: String = "", because reason: String = "") {
    (self.tests, self.results, self.what, self.reason) = (tests, results, what, reason)
  }

  /// Whether the budget has been exceeded by costs that become known only afterwards.
  var isSpent: Bool { tests < 0 || results < 0 }

  mutating func take(tests: Int = 0, results: Int = 0) -> Bool {
    guard tests <= self.tests, results <= self.results else { return false }
    self.tests -= tests
    self.results -= results
    return true
  }

  /// Deducts the cost of a feature, or records the feature as skipped.
  mutating func take(tests: Int = 0, results: Int = 0, of id: String) -> Bool {
    let isTaken = take(tests: tests, results: results)
    if !isTaken { skip(MapFault.short(id)) }
    return isTaken
  }

  /// Whether the budget has not been exceeded; if it has, records the feature as skipped.
  mutating func allows(_ feature: MapFeature) -> Bool {
    if isSpent { skip(feature.title) }
    return !isSpent
  }

  mutating func skip(_ title: String) {
    guard title != last else { return }
    last = title
    if skipped == 0 { first = title }
    skipped += 1
  }

  var fault: MapFault? {
    guard skipped > 0 else { return nil }
    let others = skipped == 1 ? "" : " (and \(skipped - 1) more)"
    return MapFault(first, "\(what)\(others): \(reason)")
  }
}

extension WorkBudget {
  /// Tests compare walls with pairs of points (a few seconds in total); results are lines, a few thousand on a campus.
  /// One area may use at most 1/50 of the tests and 1/25 of the results.
  static let areas = WorkBudget(
    tests: 3_000_000_000, results: 2_000_000, "open area or room without paths across it",
    because: "the map's areas have too many corners and entrances in total; "
      + "simplify them or use a smaller map")

  /// Tests are outline corners and path segments (one to two minutes in total). A campus with 500 buildings requires
  /// 3,000,000.
  static let places = WorkBudget(
    tests: 1_000_000_000, "place without assigned building, room or door",
    because: "the outlines and paths around the map's places have too many corners "
      + "in total; simplify them or use a smaller map")

  /// Tests compare walls with lines to paths. A campus requires about a million.
  static let links = WorkBudget(
    tests: 1_000_000_000, "entrance and all later ones not connected to a path",
    because:
      "too many walls and paths nearby; simplify them or use a smaller map")

  /// Tests are arcs on via ways (a few seconds in total). Results are arcs in forbidden sequences and their prefixes,
  /// each of which requires a state. A capital city requires far fewer.
  static let turns = WorkBudget(
    tests: 20_000_000, results: 4_000_000, "turn restriction skipped",
    because: "too many or too long restrictions on the map; correct their from, via and "
      + "to members, or use a smaller map")

  /// Tests compare rings with edges (a few seconds in total). Results are points, because many relations may share a
  /// large way.
  static let relations = WorkBudget(tests: 1_000_000_000, results: GuideMap.mostPoints)
}
