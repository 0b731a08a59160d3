package import Cupola

// 1. Compare photo positions with the fence, the map and other photos of the label.
// 2. Compare labels with the buildings on the map.
// 3. Count sides, distances and times, and suggest further photos (`BuildingCoverage`).

enum PlaceRule: CheckRule {
  /// The maximum distance in meters from the building, in addition to the position error.
  private static let far = 200.0
  /// The maximum distance in meters from the center of the label's photos, for labels that are not on the map.
  private static let farFromOthers = 500.0

  static func findings(in material: CheckInput) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    let photos = material.buildings.values.joined().sorted { $0.name.precedes($1.name) }
    if let campus = material.campus {
      if campus.geofence.isSwapped(by: photos.compactMap(\.traits.metadata.position)) {
        return [
          finding(
            .swappedMap,
            "the photos are inside the fence only if latitude and longitude are swapped",
            advice: "GeoJSON puts longitude first; fix the map (cupola campus check)")
        ]
      }
      findings += finding(
        .offCampus, outside(photos, campus), { "\($0) taken off campus" },
        advice: "correct each position in \(columns), or extend the fence")
      findings += names(material, campus)
    }
    findings += finding(
      .farFromBuilding, photos.compactMap { far($0, material) },
      { "\($0) taken far from the labeled building" },
      advice: material.campus == nil
        ? "correct the label, or the position in \(columns); if both are right, ignore the line"
        : "correct the label, the position in \(columns), or the building on the map")
    return findings
  }

  private static let columns = "split.csv (add columns lat and lon)"

  private static func outside(
    _ photos: [CheckedPhoto], _ campus: Campus
  ) -> [CheckFinding.Item] {
    photos.compactMap { photo in
      guard let position = photo.traits.metadata.position,
        campus.geofence.side(of: position) == .outside
      else { return nil }
      let meters = campus.geofence.signedDistance(to: position)
      let how =
        meters.isFinite ? "\(Int(meters.rounded())) m outside the fence" : "outside the fence"
      return CheckFinding.Item(photo.name, how)
    }
  }

  private static func far(
    _ photo: CheckedPhoto, _ material: CheckInput
  ) -> CheckFinding.Item? {
    guard let position = photo.traits.metadata.position else { return nil }
    let error = position.assumedError
    if let building = material.campus?.building(labeled: photo.label), building.position != nil {
      guard let meters = building.distance(from: position), meters - error > far else { return nil }
      return CheckFinding.Item(
        photo.name, "\(Int(meters.rounded())) m from \(photo.label)")
    }
    guard let middle = middle(of: material.buildings[photo.label] ?? []) else { return nil }
    let meters = Geodesic(from: position, to: middle).distance
    guard meters - error > farFromOthers else { return nil }
    return CheckFinding.Item(
      photo.name, "\(Int(meters.rounded())) m from the other photos of \(photo.label)")
  }

  private static func middle(of photos: [CheckedPhoto]) -> Position? {
    let positions = photos.compactMap(\.traits.metadata.position)
    guard positions.count > 2 else { return nil }
    return Position(
      latitude: positions.map(\.latitude).sorted()[positions.count / 2],
      longitude: positions.map(\.longitude).sorted()[positions.count / 2])
  }

  private static func names(_ material: CheckInput, _ campus: Campus) -> [CheckFinding] {
    let (known, photographed) = (Set(campus.buildings.map(\.label)), Set(material.buildings.keys))
    let doubtful = material.doubtful.filter { photographed.contains($0.label) }
    let unknown = photographed.subtracting(known).subtracting(doubtful.map(\.label))
    let meets = known.isEmpty || !known.isDisjoint(with: photographed)
    return finding(
      .perhapsOnMap, doubtful.map { CheckFinding.Item($0.label, "possibly \($0.title)") },
      { "\($0) that may have another name on the map" },
      advice:
        "set this label on the map or rename the folder; otherwise the building competes with itself",
      noun: "label")
      + finding(
        meets ? .notOnMap : .noneOnMap, unknown.sorted().map { CheckFinding.Item($0) },
        { "\($0) missing from the map" + (meets ? "" : ", which has none of the labels") },
        advice: "add a building with this label, ID or name to the map", noun: "label")
      + finding(
        .withoutPhotos, known.subtracting(photographed).sorted().map { CheckFinding.Item($0) },
        { "\($0) on the map without photos" },
        advice: "add a folder of photos for each building to recognize", noun: "building")
  }
}

package struct BuildingCoverage: Equatable, Sendable {
  /// A part of divided photos.
  package enum Part: String, Sendable { case training, test }

  package let label: String
  /// `nil` if the photos are not divided into training and test.
  package let part: Part?
  package let sides: [Int]
  /// The number of photos taken from less than 20 m, from 20 to 60 m, and from farther away.
  package let distances: [Int]
  /// The number of photos taken in each ``DayPeriod``.
  package let times: [Int]
  /// Suggested photos: one for each accessible side without a photo; only in the first row of a building.
  package let shots: [SuggestedPhoto]
  package static let sideNames = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  struct Group: Sendable {
    let key: String
    let title: String
    let columns: [Column<BuildingCoverage>]
    var isOfSides: Bool { key == "sides" }

    init(
      _ key: String, title: String, columns names: [(key: String, title: String)],
      counts: @escaping @Sendable (BuildingCoverage) -> [Int]
    ) {
      (self.key, self.title) = (key, title)
      columns = names.enumerated().map { index, name in
        .count(name.key, name.title) { counts($0)[index] }
      }
    }
  }

  static let groups = [
    Group("sides", title: "side of the building", columns: sideNames.map { ($0, $0) }) {
      $0.sides
    },
    Group(
      "distances", title: "distance",
      columns: [("below_20_m", "<20m"), ("20_to_60_m", "20-60m"), ("beyond_60_m", ">60m")]
    ) { $0.distances },
    Group(
      "times", title: "time of day",
      columns: DayPeriod.allCases.map { ("\($0)", $0.shortName) }
    ) { $0.times },
  ]

  static let label: Column<BuildingCoverage> = .text("label", "building", csv: "building") {
    $0.label
  }
  static let part: Column<BuildingCoverage> = .text("part", "photos", csv: "part") {
    $0.part?.rawValue
  }

  package struct SuggestedPhoto: Equatable, Sendable {
    package let position: Position
    /// Degrees clockwise from true north.
    package let heading: Double
    package let side: String

    static let columns: [Column<SuggestedPhoto>] = [
      .text("side", "camera side") { $0.side },
      .decimal("heading_deg", "heading", digits: 0) { $0.heading },
      .decimal("latitude", digits: 5) { $0.position.latitude },
      .decimal("longitude", digits: 5) { $0.position.longitude },
    ]
  }

  private static let reach = 300.0
  private static let usualDistance = 30.0

  /// Returns one row, or one for the training photos and one for the test photos.
  static func rows(
    label: String, photos: [CheckedPhoto], campus: Campus?, isDivided: Bool
  ) -> [BuildingCoverage] {
    let all = BuildingCoverage(label: label, photos: photos, campus: campus)
    guard isDivided else { return [all] }
    let tests = Dictionary(grouping: photos) { $0.traits.photo.split == .test }
    let parts = [(Part.training, tests[false]), (.test, tests[true])].compactMap { part, photos in
      photos.map { (part: part, photos: $0) }
    }
    return parts.enumerated().map { number, row in
      BuildingCoverage(
        label: label, part: row.part, photos: row.photos, campus: campus,
        shots: number == 0 ? all.shots : [])
    }
  }

  /// - Parameter given: The suggested photos; `nil` to suggest one for each side that these photos do not show.
  private init(
    label: String, part: Part? = nil, photos: [CheckedPhoto], campus: Campus?,
    shots given: [SuggestedPhoto]? = nil
  ) {
    (self.label, self.part) = (label, part)
    let building = campus?.building(labeled: label)
    var (sides, distances, times) = (
      [Int](repeating: 0, count: 8), [Int](repeating: 0, count: 3),
      [Int](repeating: 0, count: DayPeriod.allCases.count)
    )
    var meters: [Double] = []
    for photo in photos {
      let metadata = photo.traits.metadata
      if let hour = metadata.capture?.hour { times[DayPeriod(hour: hour).rawValue] += 1 }
      let away = metadata.position.flatMap { building?.distance(from: $0) }
      if let away, away <= Self.reach {
        distances[away < 20 ? 0 : away <= 60 ? 1 : 2] += 1
        meters.append(away)
      }
      if let side = Self.side(of: metadata, building, away) { sides[side] += 1 }
    }
    (self.sides, self.distances, self.times) = (sides, distances, times)
    let typical = meters.isEmpty ? Self.usualDistance : meters.sorted()[meters.count / 2]
    shots = given ?? Self.shots(sides, building, campus, from: min(max(typical, 15), 60))
  }

  package var knowsSides: Bool { sides.contains { $0 > 0 } }

  /// The side of the building, from the camera position or, without a position, from the heading.
  private static func side(
    of metadata: PhotoMetadata, _ building: Building?, _ away: Double?
  ) -> Int? {
    if let position = metadata.position, let center = building?.position, let away {
      guard away > 0, away <= reach else { return nil }
      return sector(Geodesic(from: center, to: position).azimuth)
    }
    guard let heading = metadata.heading else { return nil }
    let position = metadata.position ?? building?.position
    let north = position.map {
      heading.trueNorth(at: $0, year: metadata.decimalYear ?? MagneticField.defaultYear)
    }
    return sector((north ?? heading).degrees + 180)
  }

  private static func sector(_ degrees: Double) -> Int { Int(degrees / 45 + 0.5) % 8 }

  private static func shots(
    _ sides: [Int], _ building: Building?, _ campus: Campus?, from meters: Double
  ) -> [SuggestedPhoto] {
    guard let campus, let building, let center = building.position else { return [] }
    return sides.indices.filter { sides[$0] == 0 }.compactMap { side in
      let bearing = 45 * Double(side)
      // Walls are within 150 m of the center, except in very long buildings.
      let place = stride(from: meters, through: meters + 150, by: 5).lazy
        .compactMap { center.moved(meters: $0, toward: bearing) }
        .first { building.distance(from: $0) ?? 0 >= meters }
      guard let place, campus.geofence.contains(place),
        campus.buildings(near: place, within: 0).isEmpty
      else { return nil }
      return SuggestedPhoto(
        position: place,
        heading: Geodesic(from: place, to: center).azimuth.rounded()
          .truncatingRemainder(dividingBy: 360),
        side: sideNames[side])
    }
  }
}

extension CampusCheck.Photos {
  /// Reads the labels (except those of unknown buildings) and the EXIF positions of a photo folder.
  package init(
    of set: PhotoSet, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async {
    let positions = await parallelMap(
      set.photos, threads: threads, progress: progress
    ) { photo -> Position? in
      try? photo.opened(by: decoder).metadata.position
    }
    self.init(
      labels: Set(set.photos.lazy.filter { $0.split != .testUnknown }.map(\.label)),
      positions: positions.compactMap(\.self))
  }
}
