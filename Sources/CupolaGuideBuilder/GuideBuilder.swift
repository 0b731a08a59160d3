internal import CupolaCampus
public import CupolaGuide
package import CupolaTransit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// 1. Read the schedule, if there is one, and build the paths.
// 2. Build the places and the guide.

package struct GuideBuilder {
  package struct Options: Sendable {
    /// The name of the campus; `nil` uses the name of the boundary, university or college on the map.
    var name: String?
    var timeZone: String?
    var attribution: String?
    package var feed: String?
    /// The language of names and headsigns in the schedule, such as `de`; `nil` uses the feed's own texts.
    package var language: String?
    /// Stops within this distance from the campus, in meters, are kept.
    package var reach = 800.0

    package init(name: String? = nil, timeZone: String? = nil, attribution: String? = nil) {
      (self.name, self.timeZone, self.attribution) = (name, timeZone, attribution)
    }
  }

  package let guide: Guide
  package private(set) var faults: [MapFault]
  package let timetable: Timetable?
  package let feedPath: String?
  let withoutEntrance: Set<String>
  let indoorFindings: [GuideFinding]
  let spaces: [IndoorSpace]
  /// The squares that steps divide for step-free routes, with a place on the steps and the identifiers of the steps.
  let stepAreas: [(title: String, place: RoutePoint, steps: Set<String>)]

  package let feedFaults: [FeedFault]

  package var isEmpty: Bool { guide.places.isEmpty && guide.graph.edges.isEmpty }

  package init(_ map: GuideMap, _ options: Options) throws(GuideError) {
    guard let path = options.feed else {
      self.init(map, options, nil)
      return
    }
    let reach = CampusReach(map)
    let read = try FeedReader.read(path, language: options.language) {
      reach.contains($0, within: options.reach)
    }
    guard !read.feed.stops.isEmpty else {
      throw .badFile(
        path: path,
        problem:
          "no stop within \(Int(options.reach)) m of the campus; "
          + "use another feed or a larger --reach")
    }
    let feed: (Timetable, [FeedFault])
    do throws(GuideError) {
      feed = (try TimetableBuilder.timetable(read.feed), read.faults)
    } catch .badFile(let file, let problem) {
      throw .badFile(path: path, problem: "\(file): \(problem)")
    }
    self.init(map, options, feed)
  }

  init(_ map: GuideMap) { self.init(map, Options(), nil) }

  private init(_ map: GuideMap, _ options: Options, _ feed: (Timetable, [FeedFault])?) {
    var map = map
    var draft = PathDraft()
    var faults = map.faults + map.skipped
    let indoor = IndoorFeatures(&map, faults: &faults)
    faults += Incline.faults(of: map)
    StreetPaths.add(map, elevators: indoor.elevatorFloors, to: &draft)
    EntranceLinks.add(&map, to: &draft, faults: &faults)
    spaces = IndoorPaths.add(indoor, of: map, to: &draft)
    StreetPaths.addClosedRoads(map, to: &draft)
    if let fault = draft.areaBudget.fault { faults.append(fault) }
    let paths = PathGraph(draft, map, faults: &faults)
    let index = EdgeIndex(paths)
    let graph = Sidewalks.name(in: paths, index, map)
    var builder = PlaceBuilder(map, graph, index)
    let places = builder.places(spaces)
    if let fault = builder.budget.fault { faults.append(fault) }
    withoutEntrance = builder.withoutEntrance
    indoorFindings = Self.findings(indoor, spaces)
    stepAreas = draft.stepAreas.map { area in
      (area.title, RoutePoint(map.points[area.point]), Set(area.steps))
    }
    guide = Guide(
      name: options.name ?? Grounds.name(of: map) ?? "Campus", attribution: options.attribution,
      timeZone: options.timeZone ?? feed?.0.timeZone, places: places, graph: graph,
      ground: GroundArea.all(of: map, spaces),
      transitBytes: feed?.0.bytes)
    (timetable, feedPath) = (feed?.0, options.feed)
    feedFaults = feed?.1 ?? []
    self.faults = faults
  }

  private static func findings(
    _ indoor: IndoorFeatures, _ spaces: [IndoorSpace]
  ) -> [GuideFinding] {
    let cutOff = spaces.filter { $0.vertex == nil && ($0.tags["name"] ?? $0.tags["ref"]) != nil }
    return cutOff.map { .roomCutOff($0.title) } + indoor.withoutDoor.map { .doorMissing($0) }
  }
}

// MARK: - Guides from maps

extension Guide {
  /// Builds a guide from maps and, if given, a GTFS feed.
  ///
  /// - Parameters:
  ///   - paths: Overpass JSON files, GeoJSON files with OpenStreetMap tags, or IMDF folders or zips.
  ///   - name: The name of the campus; `nil` uses the name of the boundary, university or college on the map.
  ///   - timeZone: The time zone of opening hours, such as `Europe/Berlin`; `nil` uses the feed's time zone.
  ///   - feed: A GTFS feed, as a .zip file or a folder; stops within 800 m of the campus are kept.
  /// - Throws: ``GuideError/badFile(path:problem:)`` or ``GuideError/file(_:)`` if a map or the feed cannot be used.
  public init(
    maps paths: [String], name: String? = nil, timeZone: String? = nil, feed: String? = nil
  ) throws(GuideError) {
    var options = GuideBuilder.Options(name: name, timeZone: timeZone)
    options.feed = feed
    let map: GuideMap
    do throws(MapReadError) { map = try GuideMap(reading: paths) } catch { throw error.guideError }
    let builder = try GuideBuilder(map, options)
    guard !builder.isEmpty else {
      throw MapReadError.nothingUsable(paths: paths, faults: builder.faults.count).guideError
    }
    self = builder.guide
  }

  /// Builds a guide from maps and, if given, a GTFS feed.
  ///
  /// - Throws: ``GuideError/badFile(path:problem:)`` or ``GuideError/file(_:)`` if a map or the feed cannot be used.
  public init(
    maps: [URL], name: String? = nil, timeZone: String? = nil, feed: URL? = nil
  ) throws(GuideError) {
    try self.init(
      maps: maps.map(\.guidePath), name: name, timeZone: timeZone, feed: feed?.guidePath)
  }
}
