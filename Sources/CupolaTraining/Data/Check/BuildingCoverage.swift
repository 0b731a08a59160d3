public import Cupola

/// From where, from how far and when a building was photographed.
public struct BuildingCoverage: Equatable, Sendable {
  /// The building's label.
  public let label: String
  /// Photos from each of the eight sides: N, NE, E, SE, S, SW, W, NW of the building.
  public let sides: [Int]
  /// Photos from less than 20 m, from 20 to 60 m, and from further away.
  public let distances: [Int]
  /// Photos before 11, from 11 to 15, from 15 to 19 o'clock, and later or before 6.
  public let times: [Int]
  /// What to take next, one for each side without a photo that can be reached.
  public let shots: [Shot]

  /// The names of ``sides``.
  public static let sideNames = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  /// Counts that belong together: shown where anything is known of them.
  struct Group: Sendable {
    let key: String
    let title: String
    let columns: [Column<BuildingCoverage>]

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
      columns: [
        ("morning", "6-11h"), ("midday", "11-15h"), ("afternoon", "15-19h"), ("night", "night"),
      ]
    ) { $0.times },
  ]

  static let label: Column<BuildingCoverage> = .text("label", "building", csv: "building") {
    $0.label
  }

  /// A place to take a photo from.
  public struct Shot: Equatable, Sendable {
    /// Where to stand.
    public let position: Position
    /// Where to look, degrees clockwise from true north.
    public let heading: Double
    /// On which side of the building that is.
    public let side: String

    static let columns: [Column<Shot>] = [
      .text("side", "stand to its") { $0.side },
      .decimal("heading_deg", "look toward", digits: 0) { $0.heading },
      .decimal("latitude", digits: 5) { $0.position.latitude },
      .decimal("longitude", digits: 5) { $0.position.longitude },
    ]
  }

  /// Meters from the building up to which a photo can be of it.
  private static let reach = 300.0
  private static let usualDistance = 30.0

  init(label: String, photos: [CheckedPhoto], campus: Campus?) {
    self.label = label
    let building = campus?.building(labeled: label)
    var (sides, distances, times) = (
      [Int](repeating: 0, count: 8), [Int](repeating: 0, count: 3), [Int](repeating: 0, count: 4)
    )
    var meters: [Double] = []
    for photo in photos {
      let metadata = photo.traits.metadata
      if let hour = metadata.capture?.hour { times[Self.period(hour)] += 1 }
      let away = metadata.position.flatMap { building?.distance(from: $0) }
      if let away, away <= Self.reach {
        distances[away < 20 ? 0 : away <= 60 ? 1 : 2] += 1
        meters.append(away)
      }
      if let side = Self.side(of: metadata, building, away) { sides[side] += 1 }
    }
    (self.sides, self.distances, self.times) = (sides, distances, times)
    let typical = meters.isEmpty ? Self.usualDistance : meters.sorted()[meters.count / 2]
    shots = Self.shots(sides, building, campus, from: min(max(typical, 15), 60))
  }

  /// Whether anything is known of the sides.
  public var knowsSides: Bool { sides.contains { $0 > 0 } }

  private static func period(_ hour: Int) -> Int {
    switch hour {
    case 6..<11: 0
    case 11..<15: 1
    case 15..<19: 2
    default: 3
    }
  }

  /// By where the camera stood, or else by where it looked.
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
      heading.trueNorth(at: $0, year: metadata.decimalYear ?? MagneticField.usualYear)
    }
    return sector((north ?? heading).degrees + 180)
  }

  private static func sector(_ degrees: Double) -> Int { Int(degrees / 45 + 0.5) % 8 }

  /// One place a side without photos, as far from the walls as the other photos are.
  private static func shots(
    _ sides: [Int], _ building: Building?, _ campus: Campus?, from meters: Double
  ) -> [Shot] {
    guard let campus, let building, let center = building.position else { return [] }
    return sides.indices.filter { sides[$0] == 0 }.compactMap { side in
      let bearing = 45 * Double(side)
      // Walls are no further than this from the middle of all but very long buildings.
      let place = stride(from: meters, through: meters + 150, by: 5).lazy
        .compactMap { center.moved(meters: $0, toward: bearing) }
        .first { building.distance(from: $0) ?? 0 >= meters }
      guard let place, campus.geofence.contains(place),
        campus.buildings(near: place, within: 0).isEmpty
      else { return nil }
      return Shot(
        position: place,
        heading: Geodesic(from: place, to: center).azimuth.rounded()
          .truncatingRemainder(dividingBy: 360),
        side: sideNames[side])
    }
  }
}
