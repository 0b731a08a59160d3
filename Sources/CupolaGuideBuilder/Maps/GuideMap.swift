internal import CupolaGuide
internal import CupolaSupport

// 1. Store points once, by OpenStreetMap's node or by place.
// 2. Store the features and turn restrictions that use these points.
// 3. Store one line for each feature that could not be used.
// 4. Bound the work that a small map may cause.

/// What was read of one or more maps: features that share points where their ways meet.
package struct GuideMap: Sendable {
  private(set) var points: [MapPoint] = []
  /// Points, lines and areas that have tags, in the order of the maps.
  private(set) var features: [MapFeature] = []
  private(set) var restrictions: [TurnRestriction] = []
  private(set) var faults: [MapFault] = []

  /// What a university or college is called of which the map has only a part of the outline; empty for one without a
  /// name.
  var cutGrounds: String?

  /// Numbers of points by OpenStreetMap's node.
  private var nodes: [Int64: Int] = [:]
  /// Numbers of points that were read without a node, by place.
  private var places: [MapPoint: Int] = [:]
  private var ids: [String: Int] = [:]
  /// Points of features that say their floors, once for each floor.
  private(set) var pointsOnFloors = 0
  /// Bytes of identifiers and tags of features, once for each further part and floor of them.
  private(set) var repeatedText = 0
  private var isNode: [Bool] = []

  /// How many points and features all maps together may have.
  static let mostPoints = 4_000_000
  /// How many points features may have on all of their floors together, because a guide has them once for each: a small
  /// file may hold thousands of rooms on 250 floors. Campuses have some ten thousand.
  static let mostPointsOnFloors = 1_000_000
  /// How many bytes of text may be repeated, because a guide has them again each time: a small file may hold a name of
  /// thousands of letters for thousands of points.
  static let mostRepeatedText = 256 << 20
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
    /// Rings of at least three points, the first one not repeated at the end; the first ring is the outer one.
    case area([[Int]])
  }

  /// How OpenStreetMap or another map names it, such as `way/4711`; unique in a map.
  let id: String
  var tags: [String: String]
  var geometry: Geometry

  /// A tag's value; `nil` also for an empty one.
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

/// A turn that vehicles must not make, or the only one that they may (OpenStreetMap's `type=restriction`).
struct TurnRestriction: Equatable, Sendable {
  let id: String
  let isOnly: Bool
  let from: String
  /// The point where they turn; `nil` when `via` is a way.
  let viaPoint: Int?
  var viaWays: [String] = []
  let to: String
  /// Whether it keeps vehicles from turning round on one way, which goes straight on where it is not cut at the point.
  var isTurningRound = false
}

package struct MapFault: Equatable, Sendable, CustomStringConvertible {
  let title: String
  let problem: String
  /// Whether it is of a whole map, so that nobody knows how much is missing.
  package let isOfMap: Bool

  init(_ title: String, _ problem: String, isOfMap: Bool = false) {
    (self.title, self.problem, self.isOfMap) = (title, problem, isOfMap)
  }

  package var description: String { "\(title): \(problem)" }
}

extension MapFault {
  /// How many scalars of a name, or of a tag's value, are shown.
  static let mostScalars = 80

  static func short(_ text: String) -> String { VisibleText.line(text.start(scalars: mostScalars)) }

  /// How to name something of a map to people: by its name, if it has one, and identifier.
  static func title(of id: String, named name: String?) -> String {
    guard let name, !name.isEmpty else { return short(id) }
    return "\(short(name)) (\(short(id)))"
  }

  init(_ id: String, tags: [String: String], _ problem: String) {
    self.init(Self.title(of: id, named: tags["name"]), problem)
  }
}

/// What one kind of work on a map may still cost, and what was left out because it costs more: a small file may hold
/// thousands of features, each of which costs as much as one may.
struct WorkBudget: Sendable {
  /// How many comparisons may still be made.
  var tests: Int
  /// How many lines, points or arcs may still be made.
  var results: Int
  private(set) var leftOut = 0
  private var first = ""
  private var last = ""
  private let what: String
  private let reason: String

  /// - Parameters:
  ///   - what: what the first feature that is left out is, such as `a turn restriction that is left out`.
  ///   - reason: why, and what to do.
  init(tests: Int, results: Int = .max, _ what: String = "", because reason: String = "") {
    (self.tests, self.results, self.what, self.reason) = (tests, results, what, reason)
  }

  /// Whether more was spent than there was, by costs that are known only afterwards.
  var isSpent: Bool { tests < 0 || results < 0 }

  /// Takes what something costs, if so much is left.
  mutating func take(tests: Int = 0, results: Int = 0) -> Bool {
    guard tests <= self.tests, results <= self.results else { return false }
    self.tests -= tests
    self.results -= results
    return true
  }

  /// The same for a feature, which else is left out.
  mutating func take(tests: Int = 0, results: Int = 0, of id: String) -> Bool {
    let isTaken = take(tests: tests, results: results)
    if !isTaken { leaveOut(MapFault.short(id)) }
    return isTaken
  }

  /// Whether something is left for a feature, which else is left out.
  mutating func allows(_ feature: MapFeature) -> Bool {
    if isSpent { leaveOut(feature.title) }
    return !isSpent
  }

  /// - Parameter title: of a feature; counted once where several looks at it come one after the other.
  mutating func leaveOut(_ title: String) {
    guard title != last else { return }
    last = title
    if leftOut == 0 { first = title }
    leftOut += 1
  }

  var fault: MapFault? {
    guard leftOut > 0 else { return nil }
    let others = leftOut == 1 ? "" : ", as are \(leftOut - 1) more"
    return MapFault(first, "\(what)\(others), because \(reason)")
  }
}

extension WorkBudget {
  /// Tests compare walls with pairs of points, some seconds' work; results are lines, some thousands on a campus. One
  /// area takes at most a 50th and a 25th.
  static let areas = WorkBudget(
    tests: 3_000_000_000, results: 2_000_000, "an open area or room that is not crossed",
    because: "the areas of the map have too many corners and entrances together; draw them "
      + "more simply, or make a guide of fewer")

  /// Tests are corners of outlines and pieces of paths, a minute or two. A campus of 500 buildings takes 3,000,000.
  static let places = WorkBudget(
    tests: 1_000_000_000, "a place whose building, room or door is not looked for",
    because: "the outlines and paths around the places of the map have too many corners "
      + "together; draw them more simply, or make a guide of fewer")

  /// Tests compare walls with lines to paths. A campus takes a million.
  static let links = WorkBudget(
    tests: 1_000_000_000, "an entrance that is joined to no path, nor are those behind it",
    because:
      "too many walls and paths are around them; draw them more simply, or make a guide of fewer")

  /// Tests are arcs on ways between, some seconds' work; results are arcs in rows and their beginnings, each of which
  /// needs a state. A country's capital takes far less.
  static let turns = WorkBudget(
    tests: 20_000_000, results: 4_000_000, "a turn restriction that is left out",
    because: "those of the map are too many or too long; correct their members from, via and "
      + "to, or make a guide of less")

  /// Tests compare rings with edges, some seconds' work; results are points: many relations may share a large way.
  static let relations = WorkBudget(tests: 1_000_000_000, results: GuideMap.mostPoints)
}
