#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How likely people stand at a place when they photograph a building.
///
/// A kernel density estimate (Parzen 1962) over the places that training photos were taken from,
/// each a Gaussian as wide as the errors of both positions and a bandwidth together. The catalog
/// counts as much as some photos from all around the building, so that a few photos from one side
/// do not rule out the others.
struct PlaceDensity: Sendable {
  let viewpoints: [Viewpoint]
  let building: Building?

  /// Meters by which people stand elsewhere than those before them.
  static let bandwidth = 25.0
  /// Meters from a building that people photograph it from, one standard deviation.
  static let reach = 75.0
  /// As many photos as the catalog counts for.
  static let catalogCount = 5.0
  /// Meters around a campus' buildings that anything may be photographed from, one standard
  /// deviation: the density that all others are compared with.
  static let broadReach = 150.0
  /// The share of photos that are taken from anywhere, so that no place rules a building out.
  static let broadShare = 0.05

  init(viewpoints: [Viewpoint], building: Building?) {
    self.viewpoints = viewpoints
    self.building = building
  }

  /// The logarithm of the density, compared with that of photos of anything at all.
  ///
  /// Between the logarithm of ``broadShare`` and about 3.5; near 0 when the position's error is far
  /// too large, and 0 when nothing is known about the building.
  ///
  /// - Parameter distance: meters to the building, where the catalog knows it.
  func logRatio(at position: Position, distance: Double?) -> Double {
    guard distance != nil || !viewpoints.isEmpty else { return 0 }
    let error2 = Self.square(position.placeError)
    var sum = 0.0
    var count = Double(viewpoints.count)
    for viewpoint in viewpoints {
      let variance = error2 + Self.square(viewpoint.error) + Self.square(Self.bandwidth)
      let (east, north) = LocalPlane.meters(from: position, to: viewpoint.position)
      sum += Self.gaussian(east * east + north * north, variance)
    }
    if let distance {
      let around = Self.gaussian(Self.square(distance), error2 + Self.square(Self.reach))
      sum += Self.catalogCount * around
      count += Self.catalogCount
    }
    let broad = Self.gaussian(0, error2 + Self.square(Self.broadReach))
    return log(Self.broadShare + (1 - Self.broadShare) * sum / count / broad)
  }

  /// The density of a round Gaussian at a squared distance, but for 1 / 2 pi.
  private static func gaussian(_ distance2: Double, _ variance: Double) -> Double {
    exp(-distance2 / (2 * variance)) / variance
  }

  private static func square(_ value: Double) -> Double { value * value }
}

extension PlaceDensity {
  /// One a label; `nil` for backgrounds.
  static func all(
    of labels: Labels, campus: Campus?, viewpoints: [String: [Viewpoint]]
  ) -> [PlaceDensity?] {
    let records = Dictionary(
      campus?.buildings.map { ($0.label, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    return labels.names.map { name in
      Labels.isBackground(name)
        ? nil : PlaceDensity(viewpoints: viewpoints[name] ?? [], building: records[name])
    }
  }
}
