#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Compute the evidence of position and heading for each building:
// 1. `PlaceDensity`: how likely its photos are taken at the position.
// 2. `ViewShare`: its share of the view.
// 3. Combine both as a weighted sum.

package struct PlaceEvidence: Sendable {
  /// ``PlaceDensity`` of each label; 0 for backgrounds, which can be photographed anywhere.
  let positions: [Double]
  /// ``ViewShare`` of each label; 0 for backgrounds and buildings without a map location.
  let headings: [Double]
  /// Each building as seen from the position; `nil` without a map location.
  let views: [BuildingView?]
  /// The buildings that the photo can show: those of the labels and those nearby on the map.
  let candidates: [Int]

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

  /// Returns the terms to add to the log probabilities of the image, one per building, 0 or less.
  /// A position favors one building over another, and disfavors all if none fits. It never favors buildings over
  /// backgrounds, because people also photograph other things near buildings. The error limit for non-building photos
  /// therefore also holds with a position. The exception is a map with untrained buildings nearby: they replace the
  /// unfamiliar label and can be less probable than a trained building.
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

/// The density of camera positions in photos of a building.
/// A kernel density estimate (Parzen 1962) over the positions of training photos. Each kernel is a Gaussian whose
/// variance combines the accuracies of both positions and a bandwidth. The map adds the weight of a few photos from all
/// sides, so that training photos from one side do not exclude the others.
struct PlaceDensity: Sendable {
  let viewpoints: [Viewpoint]
  let building: Building?

  /// The bandwidth in meters: how far photographers deviate from earlier positions.
  static let bandwidth = 25.0
  /// Standard deviation of the camera's distance from a building, in meters.
  static let reach = 75.0
  /// The weight of the map as a number of photos.
  static let catalogCount = 5.0
  /// Standard deviation in meters of the reference density of all photos around the buildings of a campus.
  static let broadReach = 150.0
  /// The share of photos taken anywhere, so that no position excludes a building.
  static let broadShare = 0.05

  init(viewpoints: [Viewpoint], building: Building?) {
    self.viewpoints = viewpoints
    self.building = building
  }

  /// Returns the logarithm of the density relative to the density of all photos.
  /// Ranges from the logarithm of ``broadShare`` to about 3.5. Approaches 0 for very inaccurate positions; is 0 without
  /// any position of the building.
  /// - Parameter distance: Distance to the building in meters; `nil` without a map location.
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

  /// The density of a circular Gaussian at a squared distance, without the factor 1 / (2 pi).
  private static func gaussian(_ distance2: Double, _ variance: Double) -> Double {
    exp(-distance2 / (2 * variance)) / variance
  }

  private static func square(_ value: Double) -> Double { value * value }
}

extension PlaceDensity {
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

enum ViewShare {
  /// Standard deviation of a phone's compass, in degrees.
  static let compassError = 20.0
  /// The share of meaningless headings, so that no heading excludes a building.
  static let uniformShare = 0.2
  /// Added to shares, because a building that is hidden on the map can be visible.
  static let least = 0.02
  /// The share of the view that is neutral evidence.
  static let usual = 0.1
  /// The weight of the share without a heading, which then refers to the whole horizon.
  static let withoutHeading = 0.25
  /// The position error in meters that halves the weight. Much greater errors reduce it to almost 0.
  static let errorForHalf = 150.0

  /// Standard deviation of the aim, as a share of the field of view.
  static let aimShare = 0.25

  /// Returns the log ratio for a share of the view, -1.8 to 2.1; close to 0 for very inaccurate positions.
  static func logRatio(_ share: Double, positionError: Double, hasHeading: Bool) -> Double {
    let doubt = positionError / errorForHalf
    let trust = (hasHeading ? 1 : withoutHeading) / (1 + doubt * doubt * doubt * doubt)
    return trust * log((share + least) / (usual + least))
  }

  /// Returns the standard deviation in degrees between heading and building, from compass and aim.
  /// Photographers usually place a building in the middle half of the image.
  static func deviation(_ view: FieldOfView) -> Double {
    let aim = view.degrees * aimShare
    return (compassError * compassError + aim * aim).squareRoot()
  }
}
