#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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

  /// Probabilities with something added to their logarithms.
  package static func fused(_ probabilities: [Double], _ shifts: [Double]) -> [Double] {
    guard shifts.contains(where: { $0 != 0 }) else { return probabilities }
    let weighed = zip(probabilities, shifts).map { $0 * exp($1) }
    let sum = weighed.reduce(0, +)
    return sum > 0 ? weighed.map { $0 / sum } : probabilities
  }
}
