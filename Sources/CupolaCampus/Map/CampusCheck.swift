internal import CupolaSupport

// 1. Read the map and collect the faults that make it unusable (`MapReader`).
// 2. Check bounding boxes and the reference system (`MemberCheck`).
// 3. Check rings for crossings and misplaced holes, within a budget of comparisons.
// 4. Check the labels and positions of buildings against the fence.
// 5. Compare the labels and positions of photos with the map.

/// Finds all problems in a campus map.
public struct CampusCheck: Sendable {
  /// The findings in map order, followed by findings about labels.
  public private(set) var findings: [CampusFinding] = []
  /// The number of polygons in the fence.
  public private(set) var fencePolygons = 0
  /// The number of buildings with a label.
  public private(set) var buildings = 0
  /// The features that are neither a boundary nor a building.
  package private(set) var skipped = Skipped()
  private var budget: Int

  /// The photos to compare with a map.
  public struct Photos: Sendable {
    let labels: Set<String>
    let positions: [Position]

    /// Creates the data to compare. Ignores background labels, which start with `_`.
    public init(labels: Set<String>, positions: [Position]) {
      self.labels = labels.filter { !$0.hasPrefix("_") }
      self.positions = positions
    }
  }

  /// Checks a map, and compares it with photos if given.
  public init(geoJSON bytes: [UInt8], photos: Photos? = nil) {
    self.init(geoJSON: bytes, photos: photos, budget: RingCrossings.workLimit)
  }

  init(geoJSON bytes: [UInt8], photos: Photos? = nil, budget: Int) {
    self.budget = budget
    let map: MapReader
    do throws(CampusError) {
      map = try MapReader(geoJSON: bytes)
    } catch {
      findings = [.fault(error)]
      return
    }
    fencePolygons = map.fence.count
    buildings = map.buildings.count
    findings += map.faults.map { .fault($0) }
    skipped = map.skipped
    findings += MemberCheck.findings(in: map)
    checkRings(map)
    let fence = map.fence.isEmpty ? nil : Geofence(polygons: map.fence)
    checkBuildings(map, fence)
    if let finding = skipped.finding { findings.append(finding) }
    if let photos { check(photos, map, fence) }
  }

  package init(unreadable fault: CampusError) { (findings, budget) = ([.fault(fault)], 0) }

  // MARK: - Rings

  private mutating func checkRings(_ map: MapReader) {
    var inPart: [String] = []
    for item in map.items {
      var isWhole = true
      for polygon in item.polygons where !checkRings(of: polygon, item.title) { isWhole = false }
      if !isWhole { inPart.append(item.title) }
      if item.isBoundary && item.isExplicit && item.polygons.isEmpty {
        findings.append(.boundaryWithoutPolygon(item.title))
      }
    }
    reportPartialChecks(inPart)
  }

  /// Adds a single finding for all features, because a large map could have thousands.
  private mutating func reportPartialChecks(_ titles: [String]) {
    if let first = titles.first {
      findings.append(.ringsCheckedInPart(first, others: titles.count - 1))
    }
  }

  private mutating func checkRings(of polygon: Polygon, _ title: String) -> Bool {
    let (meetings, isWhole) = RingCrossings.meetings(in: polygon, budget: &budget)
    findings += meetings.map { meeting in
      CampusFinding.crossing(
        title, rings: meeting.rings, times: meeting.count, longitude: meeting.place.longitude,
        latitude: meeting.place.latitude)
    }
    return checkHoles(of: polygon, title, meetings) && isWhole
  }

  private mutating func checkHoles(
    of polygon: Polygon, _ title: String, _ meetings: [RingCrossings.Meeting]
  ) -> Bool {
    guard polygon.rings.count > 1, let outer = polygon.rings.first, !outer.isEmpty else {
      return true
    }
    let area = FenceIndex([Polygon(rings: [outer])])
    for (index, hole) in polygon.rings.enumerated().dropFirst() {
      // Holes that cross the outer ring are already reported.
      if meetings.contains(where: { $0.rings == [1, index + 1] }) { continue }
      for corner in hole {
        guard budget > 0 else { return false }
        guard let position = CampusCheck.position(corner) else { continue }
        var work = 0
        let isOutside = area.location(of: position, &work) == .outside
        budget -= work
        guard isOutside else { continue }
        findings.append(
          .holeOutside(
            title, ring: index + 1, longitude: corner.longitude, latitude: corner.latitude))
        break
      }
    }
    return true
  }

  private static func position(_ corner: Polygon.Vertex) -> Position? {
    Position(
      latitude: corner.latitude, longitude: corner.longitude.remainder(dividingBy: 360))
  }

  // MARK: - Buildings

  private mutating func checkBuildings(_ map: MapReader, _ fence: Geofence?) {
    var labeled: [String: [MapReader.Item]] = [:]
    var inPart: [String] = []
    reportMissingLabels(map.items.filter { !$0.isBoundary && $0.building == nil }.map(\.title))
    for item in map.items {
      guard let building = item.building else { continue }
      labeled[building.label, default: []].append(item)
      guard let position = building.position else {
        if !item.isFaulty { findings.append(.missingPosition(item.title)) }
        continue
      }
      if let fence, !check(item, at: position, fence) { inPart.append(item.title) }
    }
    reportPartialChecks(inPart)
    for (label, items) in labeled.sorted(by: { $0.key < $1.key }) where items.count > 1 {
      findings.append(
        items.allSatisfy(\.isLabeledByName)
          ? .duplicateName(label, count: items.count)
          : .duplicateLabel(label, titles: items.map(\.title)))
    }
  }

  /// Adds one finding for all buildings if there are many, as in maps without identifiers.
  private mutating func reportMissingLabels(_ titles: [String]) {
    if let first = titles.first, titles.count > 10 {
      findings.append(.missingLabel("\(first) and \(titles.count - 1) more"))
    } else {
      findings += titles.map { .missingLabel($0) }
    }
  }

  /// Reports a building that is completely outside the fence. Returns whether the check was complete.
  private mutating func check(
    _ item: MapReader.Item, at position: Position, _ fence: Geofence
  ) -> Bool {
    let corners = item.polygons.flatMap(\.rings).joined().compactMap(CampusCheck.position)
    for place in [position] + corners {
      guard budget > 0 else { return false }
      var work = 0
      let isInside = fence.contains(place, &work)
      budget -= work
      if isInside { return true }
    }
    if position.swapped.map(fence.contains) ?? false {
      findings.append(.buildingSwapped(item.title, position))
      return true
    }
    let meters = fence.signedDistance(to: position)
    // The distance is infinite if the fence has no boundary.
    if meters.isFinite { findings.append(.buildingOutside(item.title, meters: meters)) }
    return true
  }

  // MARK: - Photos

  private mutating func check(_ photos: Photos, _ map: MapReader, _ fence: Geofence?) {
    if let fence, fence.isSwapped(by: photos.positions) {
      findings.append(.fault(.probablySwapped))
    }
    let labels = Set(map.buildings.map(\.label))
    let joined = LabelMatching(photos.labels, map.buildings).joined
    let (met, own) = (Set(joined.map(\.building.label)), Set(joined.map(\.label)))
    findings += labels.subtracting(photos.labels).subtracting(met).sorted()
      .map { .labelWithoutPhotos($0) }
    findings += photos.labels.subtracting(labels).subtracting(own).sorted()
      .map { .photosWithoutBuilding($0) }
  }
}

/// Checks GeoJSON members that Cupola ignores but other programs use.
private enum MemberCheck {
  static func findings(in map: MapReader) -> [CampusFinding] {
    guard case .object(let members) = map.root else { return [] }
    var findings: [CampusFinding] = []
    if !map.isProjected, let name = ReferenceSystem.name(of: members["crs"]) {
      findings.append(.otherReferenceSystem(name))
    }
    if !isBoundingBox(members["bbox"]) { findings.append(.badBoundingBox("the collection")) }
    if case .array(let features) = members["features"] {
      for (index, feature) in features.enumerated() {
        guard case .object(let members) = feature else { continue }
        var boxes = [members["bbox"]]
        if case .object(let geometry) = members["geometry"] { boxes.append(geometry["bbox"]) }
        if !boxes.allSatisfy(isBoundingBox) {
          findings.append(.badBoundingBox("feature \(index + 1)"))
        }
      }
    }
    return findings
  }

  private static func isBoundingBox(_ value: JSONValue?) -> Bool {
    guard let value, value != .null else { return true }
    guard case .array(let numbers) = value, numbers.count == 4 || numbers.count == 6 else {
      return false
    }
    return numbers.allSatisfy { $0.double != nil }
  }
}
