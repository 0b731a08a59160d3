#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// What a position and a heading say about each building:
// 1. `PlaceDensity`: how likely photos of it are taken there.
// 2. `ViewShare`: how much of the view it takes up.
// 3. Both are weighted and added.

/// What a place and a heading say about each building of a scene.
package struct PlaceEvidence: Sendable {
  /// ``PlaceDensity`` of each; 0 for backgrounds, which are photographed anywhere.
  let positions: [Double]
  /// ``ViewShare`` of each, likewise; 0 where the map does not know the building.
  let headings: [Double]
  /// Each as seen from there, where the map knows it.
  let views: [BuildingView?]
  /// The buildings that can be what a photo shows: those of the labels, and those of the map nearby.
  let candidates: [Int]

  /// - Parameters:
  ///   - heading: a true one.
  ///   - scene: the buildings.
  ///   - view: how much of the horizon the photo shows.
  package init(
    at position: Position, heading: Heading?, scene: PlaceScene, view: FieldOfView = .usual
  ) {
    let near = scene.near(position)
    candidates = scene.labels.buildings.filter { near[$0] }
    let views = zip(scene.densities, near).map { density, isNear in
      isNear ? BuildingView(of: density?.building, from: position) : nil
    }
    self.views = views
    positions = scene.densities.indices.map { number in
      guard near[number] || !scene.limitsTrained else { return 0 }
      return scene.densities[number]?.logRatio(at: position, distance: views[number]?.distance) ?? 0
    }
    let error = position.placeError
    let outlines = scene.outlines(where: near)
    let panorama = Panorama(of: outlines, from: position, error: error)
    let shares = panorama.shares(
      toward: heading?.degrees, deviation: ViewShare.deviation(view),
      uniformShare: ViewShare.uniformShare)
    headings = zip(shares, outlines).map { share, outline in
      outline == nil
        ? 0 : ViewShare.logRatio(share, positionError: error, hasHeading: heading != nil)
    }
  }

  /// What to add to the logarithms of the picture's probabilities, one a building, 0 or less.
  ///
  /// A place speaks for one building against another, trained or not, and against all where it fits
  /// none; it never speaks for a building against the backgrounds, which people photograph beside
  /// buildings too. So what is promised about photos of no buildings holds with a place as without, but where the map has
  /// buildings nearby that no photo trained: these stand for what looks unfamiliar, and may lose to one that trained.
  package func shifts(_ model: PlaceModel) -> [Double] {
    let terms = zip(positions, headings).map {
      model.positionWeight * $0 + model.headingWeight * $1
    }
    let best = max(0, candidates.map { terms[$0] }.max() ?? 0)
    var shifts = [Double](repeating: 0, count: terms.count)
    for candidate in candidates { shifts[candidate] = terms[candidate] - best }
    return shifts
  }

  package static func fused(_ probabilities: [Double], _ shifts: [Double]) -> [Double] {
    guard shifts.contains(where: { $0 != 0 }) else { return probabilities }
    let weighed = zip(probabilities, shifts).map { $0 * exp($1) }
    let sum = weighed.reduce(0, +)
    return sum > 0 ? weighed.map { $0 / sum } : probabilities
  }
}

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

/// What it says of a building that it takes a share of the view.
enum ViewShare {
  /// Degrees by which a phone's compass errs, one standard deviation.
  static let compassError = 20.0
  /// The share of headings that mean nothing, so that none rules a building out.
  static let uniformShare = 0.2
  /// Added to shares, so that what is hidden on the map may yet be seen.
  static let least = 0.02
  /// The share of the view that speaks neither for nor against a building.
  static let usual = 0.1
  /// What the share of the whole horizon counts where nobody knows the heading.
  static let withoutHeading = 0.25
  /// Meters of error where the view counts half; far beyond it says nothing.
  static let errorForHalf = 150.0

  /// The part of the field of view by which people aim beside a building, one standard deviation.
  static let aimShare = 0.25

  /// The logarithm of how much a share speaks for a building, -1.8...2.1; near 0 when the position's
  /// error is far too large.
  static func logRatio(_ share: Double, positionError: Double, hasHeading: Bool) -> Double {
    let doubt = positionError / errorForHalf
    let trust = (hasHeading ? 1 : withoutHeading) / (1 + doubt * doubt * doubt * doubt)
    return trust * log((share + least) / (usual + least))
  }

  /// Degrees by which a building is off the heading of a photo of it, one standard deviation: compass and
  /// aim together. People put a building into the middle half of the picture.
  static func deviation(_ view: FieldOfView) -> Double {
    let aim = view.degrees * aimShare
    return (compassError * compassError + aim * aim).squareRoot()
  }
}
