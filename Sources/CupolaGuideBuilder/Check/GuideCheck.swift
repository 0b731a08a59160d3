package import CupolaGuide
internal import CupolaSupport
internal import CupolaTransit

// 1. Report expired and future timetables, and then map data and schedule data that could not be used.
// 2. Report places that visitors cannot reach, and names and opening hours that need to be corrected.

package struct GuideCheck {
  /// The findings, in an order that depends only on the maps.
  package private(set) var findings: [GuideFinding] = []

  private let guide: Guide
  private let walk: Router
  private let stepFree: Router
  /// Whether each vertex belongs to the largest part of the graph that can be reached without passing a barrier.
  private let isReached: [Bool]

  /// Buildings farther from a path than this, in meters, count as not connected.
  private static let far = 60.0
  /// The maximum length in meters of an acceptable detour that avoids steps.
  static let roundReach = 500.0
  /// Disconnected parts shorter than this number of meters are not reported.
  private static let smallIsland = 15.0

  /// Checks a guide; `now`, in seconds since 1970, is compared with the dates of the timetable.
  package init(_ builder: GuideBuilder, now: Double? = nil) {
    guide = builder.guide
    walk = guide.directions(.walk).router
    stepFree = guide.directions(.stepFree).router
    isReached = Self.reached(guide.graph)
    addDates(of: builder, now)
    findings += builder.faults.map { fault in
      let (title, problem) = (Self.line(fault.title), Self.line(fault.problem))
      return fault.isOfMap
        ? .incomplete(title, problem: problem) : .unusable(title, problem: problem)
    }
    findings += builder.feedFaults.map {
      .unusable(Self.line($0.place), problem: $0.problemWithCount)
    }
    addBuildings(builder.withoutEntrance)
    addIslands()
    findings += builder.stepAreas.map {
      .stepsInSquare(
        $0.title, latitude: $0.place.latitude, longitude: $0.place.longitude)
    }
    addSteps(except: builder.stepAreas.reduce(into: []) { $0.formUnion($1.steps) })
    findings += builder.indoorFindings
    addIsolatedRooms()
    addNames()
    addHours()
  }

  private mutating func addDates(of builder: GuideBuilder, _ now: Double?) {
    guard let feed = builder.feedPath, let now, let timetable = builder.timetable else { return }
    if let end = timetable.endDate(before: now) {
      findings.append(.expiredTimetable(Self.line(feed), end: end))
    } else if let start = timetable.startDate(after: now) {
      findings.append(.futureTimetable(Self.line(feed), start: start))
    }
  }

  private static func line(_ text: String) -> String { VisibleText.line(text) }

  private func title(_ place: Place) -> String {
    MapFault.title(of: place.id, named: place.title)
  }

  private func title(_ way: PathGraph.Way) -> String { MapFault.title(of: way.id, named: way.name) }

  private mutating func addBuildings(_ withoutEntrance: Set<String>) {
    let swapped = guide.swappedBuildings
    if let first = swapped.first {
      findings.append(.swappedCoordinates(title(first), buildings: swapped.count))
    }
    // Other faults of misplaced buildings cannot be determined until the position is corrected.
    let misplaced = Set(swapped.map(\.id))
    for place in guide.places where place.kind == .building && !misplaced.contains(place.id) {
      let choices = walk.end(at: RouteEnd.place(place).doors).choices
      let near = choices.map(\.offset).min()
      if near.map({ $0 > Self.far }) ?? true {
        findings.append(.unreachable(title(place), meters: near))
      } else if !choices.contains(where: { $0.offset <= Self.far && isReached($0.anchor) }) {
        findings.append(.cutOff(title(place)))
      }
      if withoutEntrance.contains(place.id) { findings.append(.entranceMissing(title(place))) }
    }
  }

  /// If the anchor is at a barrier, check the other ends of its edges.
  private func isReached(_ anchor: PathEnd.Anchor) -> Bool {
    switch anchor {
    case .edge(let edge, _):
      isReached[guide.graph.edges[edge].from] || isReached[guide.graph.edges[edge].to]
    case .vertex(let vertex):
      isReached[vertex]
        || walk.search.leaving[vertex].contains { isReached[guide.graph.head(Int($0))] }
    }
  }

  private static func reached(_ graph: PathGraph) -> [Bool] {
    let parts = StrongParts(
      vertexCount: graph.vertices.count,
      leaving: SearchGraph.Leaving(graph, .walk, passesBarriers: false), head: graph.head)
    var meters: [Int32: Double] = [:]
    for (number, edge) in graph.edges.enumerated() where !edge.access.isDisjoint(with: .walk) {
      let part = parts.numbers[edge.from]
      if part == parts.numbers[edge.to] { meters[part, default: 0] += graph.lengths[number] }
    }
    let main = meters.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return parts.numbers.map { $0 == main }
  }

  private mutating func addIslands() {
    var firstEdges: [Int: Int] = [:]
    for edge in guide.graph.edges.indices.reversed()
    where !guide.graph.edges[edge].access.isDisjoint(with: .walk) {
      firstEdges[walk.parts.part(of: guide.graph.edges[edge].from)] = edge
    }
    let levels = levelsOfParts
    for (root, meters) in walk.parts.sizes.dropFirst() where meters >= Self.smallIsland {
      guard let edge = firstEdges[root] else { continue }
      let way = guide.graph.ways[guide.graph.edges[edge].way]
      if way.isIndoor {
        let floors = levels[root, default: []].sorted().map { FloorText.text($0) }
        findings.append(.floorCutOff(title(way), floors: floors))
        continue
      }
      let point = guide.graph.vertices[root].point
      findings.append(
        .island(
          title(way), meters: meters, latitude: point.latitude, longitude: point.longitude))
    }
  }

  /// Reports named rooms in disconnected parts that are too short for `addIslands`.
  private mutating func addIsolatedRooms() {
    let short = Set(
      walk.parts.sizes.dropFirst().filter { $0.meters < Self.smallIsland }.map(\.root))
    for place in guide.places where place.kind == .room && (place.name ?? place.ref) != nil {
      let anchors = walk.end(at: place.doors, exactly: true).choices.map(\.anchor)
      let roots = anchors.map { anchor in
        switch anchor {
        case .vertex(let vertex): walk.parts.part(of: vertex)
        case .edge(let edge, _): walk.parts.part(of: guide.graph.edges[edge].from)
        }
      }
      if !roots.isEmpty, roots.allSatisfy(short.contains) {
        // Remove the floor, which is not part of the identifier on the map.
        let id = place.id.lastIndex(of: "@").map { String(place.id[..<$0]) } ?? place.id
        findings.append(.roomIsolated(MapFault.title(of: id, named: place.title)))
      }
    }
  }

  private var levelsOfParts: [Int: Set<Double>] {
    guide.graph.vertices.indices.reduce(into: [:]) { found, vertex in
      guard let level = guide.graph.vertices[vertex].level else { return }
      found[walk.parts.part(of: vertex), default: []].insert(level)
    }
  }

  private mutating func addSteps(except reported: Set<String>) {
    for (number, (first, last)) in endsOfSteps {
      let way = guide.graph.ways[number]
      if reported.contains(way.id) { continue }
      let found = stepFree.find(
        from: PathEnd([PathEnd.Choice(.vertex(first))]),
        to: PathEnd([PathEnd.Choice(.vertex(last))]))
      let meters = found.map { $0.arcs.reduce(0) { $0 + guide.graph.lengths[$1 >> 1] } }
      if meters.map({ $0 <= Self.roundReach }) ?? false { continue }
      let point = guide.graph.vertices[first].point
      findings.append(.stepsOnly(title(way), latitude: point.latitude, longitude: point.longitude))
    }
  }

  /// The ways with steps, except closed loops, each with its lowest-numbered and highest-numbered end vertex.
  private var endsOfSteps: [(way: Int, ends: (Int, Int))] {
    var ends: [Int: Set<Int>] = [:]
    for edge in guide.graph.edges where guide.graph.ways[edge.way].kind == .steps {
      // Vertices between two edges of a way occur twice and therefore cancel out.
      ends[edge.way, default: []].formSymmetricDifference([edge.from, edge.to])
    }
    return ends.sorted { $0.key < $1.key }.compactMap { way, ends in
      ends.min().flatMap { first in ends.max().map { (way, (first, $0)) } }
    }
  }

  private mutating func addNames() {
    let named = guide.places.filter { $0.kind == .building && $0.name != nil }
    let groups = Dictionary(grouping: named) { $0.name ?? "" }.filter { $0.value.count > 1 }
    var reported: Set<String> = []
    for name in named.compactMap(\.name) where reported.insert(name).inserted {
      guard let group = groups[name] else { continue }
      findings.append(.sameName(MapFault.short(name), ids: group.map { MapFault.short($0.id) }))
    }
  }

  private mutating func addHours() {
    for place in guide.places {
      guard let text = place.openingHours, let problem = OpeningHours(text).problem else {
        continue
      }
      // OpenStreetMap values have at most 255 characters.
      let shown = Self.line(text.start(scalars: 255))
      findings.append(.openingHours(title(place), text: shown, problem: Self.line(problem.message)))
    }
  }
}

extension Guide {
  /// Whether a place is far from all paths, but near one after swapping latitude and longitude.
  package func hasSwappedCoordinates(_ end: RouteEnd) -> Bool { hasSwappedCoordinates(end.point) }

  package var swappedBuildings: [Place] {
    places.filter { $0.kind == .building && hasSwappedCoordinates($0.position) }
  }

  private func hasSwappedCoordinates(_ point: RoutePoint) -> Bool {
    let other = RoutePoint(latitude: point.longitude, longitude: point.latitude)
    return !isNearWays(point) && isNearWays(other)
  }

  private func isNearWays(_ point: RoutePoint) -> Bool {
    let near = index.nearest(to: point, within: Router.reach) { _ in true }
    return near != nil
  }
}
