#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Compute the evidence from position and heading for each building:
// 1. `PlaceDensity`: how likely photos of the building are taken at this position.
// 2. `ViewShare`: the fraction of the view that the building fills.
// 3. Combine both in a weighted sum.

package struct PlaceEvidence: Sendable {
  /// Each label's ``PlaceDensity``; 0 for background classes, whose photos can be taken anywhere.
  let positions: [Double]
  /// Each label's ``ViewShare``; 0 for background classes and buildings without a map location.
  let headings: [Double]
  /// How each building appears from the position; `nil` without a map location.
  let views: [BuildingView?]
  /// The buildings that the photo can show: trained buildings and nearby buildings on the map that are in view.
  let candidates: [Int]

  package init(
    at position: Position, heading: Heading?, scene: PlaceScene, view: FieldOfView = .usual
  ) {
    let near = scene.near(position)
    candidates = scene.labels.buildings.filter {
      near[$0] && !scene.isOutOfView($0, from: position, toward: heading, view: view)
    }
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

  /// Returns the weighted evidence for each building: above 0 if photos of it are more usual at this position and with
  /// this heading than photos of the average building.
  func terms(_ model: PlaceModel) -> [Double] {
    zip(positions, headings).map { model.positionWeight * $0 + model.headingWeight * $1 }
  }

  /// Returns the terms to add to the image's log probabilities, one per building, 0 or less.
  /// A position favors some buildings over others, and counts against all if none fits. It never favors buildings over
  /// background classes, because people also photograph other things near buildings. Therefore, the error limit for
  /// non-building photos also applies if the position is known. The exception is a map with untrained buildings nearby:
  /// they replace the unfamiliar label and can be less probable than a trained building.
  package func shifts(_ model: PlaceModel) -> [Double] {
    let terms = terms(model)
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

/// The density of camera positions from which a building is photographed.
/// A kernel density estimate (Parzen 1962) over the training photos' positions. Each kernel is a Gaussian whose
/// variance combines the accuracies of both positions and a bandwidth. The map adds a density around the building that
/// has the weight of a few photos, so that training photos from one side do not rule out the other sides.
struct PlaceDensity: Sendable {
  let viewpoints: [Viewpoint]
  let building: Building?

  /// The bandwidth in meters: the typical distance between photographers' positions.
  static let bandwidth = 25.0
  /// Standard deviation, in meters, of the camera's distance from a building.
  static let reach = 75.0
  /// The weight of the map, as an equivalent number of photos.
  static let catalogCount = 5.0
  /// Standard deviation, in meters, of the reference density for all photos around a campus's buildings.
  static let broadReach = 150.0
  /// The fraction of photos that can be taken anywhere, so that no position rules out a building.
  static let broadShare = 0.05

  /// Returns the logarithm of the building's density relative to the density of all photos.
  /// Ranges from the logarithm of ``broadShare`` to about 3.5. Approaches 0 for very inaccurate positions. Is 0 if no
  /// position of the building is known.
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

  /// A circular Gaussian density at a squared distance, without the factor 1 / (2 pi).
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
  /// The angle in degrees by which a building without training photos is outside the field of view if it is clearly
  /// outside: two standard deviations of the compass.
  static let viewMargin = 2 * compassError
  /// The fraction of headings that are assumed to be meaningless, so that no heading rules out a building.
  static let uniformShare = 0.2
  /// The value added to each fraction, because a building that is hidden according to the map can be visible.
  static let least = 0.02
  /// The fraction of the view that counts neither for nor against a building.
  static let usual = 0.1
  /// The weight if the heading is unknown, in which case the fraction refers to the whole horizon.
  static let withoutHeading = 0.25
  /// The position error in meters that halves the weight. Much larger errors reduce it to almost 0.
  static let errorForHalf = 150.0

  /// Standard deviation of the aiming direction, as a fraction of the field of view.
  static let aimShare = 0.25

  /// Returns the log ratio for a fraction of the view, -1.8 to 2.1; close to 0 for very inaccurate positions.
  static func logRatio(_ share: Double, positionError: Double, hasHeading: Bool) -> Double {
    let doubt = positionError / errorForHalf
    let trust = (hasHeading ? 1 : withoutHeading) / (1 + doubt * doubt * doubt * doubt)
    return trust * log((share + least) / (usual + least))
  }

  /// Returns the standard deviation, in degrees, of the angle between heading and building, due to compass and aim.
  /// Photographers usually place a building in the middle half of the image.
  static func deviation(_ view: FieldOfView) -> Double {
    let aim = view.degrees * aimShare
    return (compassError * compassError + aim * aim).squareRoot()
  }
}
