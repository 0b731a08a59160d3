#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a place and a heading say about each label.
package struct PlaceEvidence: Sendable {
  /// ``PlaceDensity`` of each label; 0 for backgrounds, which are photographed anywhere.
  package let positions: [Double]
  /// ``HeadingDensity`` of each label, likewise; 0 without a heading.
  package let headings: [Double]
  /// The building of each label as seen from there, where the map knows it.
  let views: [BuildingView?]

  /// - Parameters:
  ///   - heading: a true one.
  ///   - densities: one a label; `nil` for backgrounds.
  package init(
    at position: Position, heading: Heading?, densities: [PlaceDensity?]
  ) {
    views = densities.map { BuildingView(of: $0?.building, from: position) }
    positions = zip(densities, views).map { density, view in
      density?.logRatio(at: position, distance: view?.distance) ?? 0
    }
    headings = views.map { view in
      guard let view, let heading else { return 0 }
      return HeadingDensity.logRatio(heading.degrees, view, positionError: position.placeError)
    }
  }

  /// What to add to the logarithms of the picture's probabilities, one a label, 0 or less.
  ///
  /// A place speaks for one building against another, and against all where it fits none; it never
  /// speaks for a building against the backgrounds, which people photograph beside buildings too. So
  /// what is promised about photos of no buildings holds with a place as without.
  package func shifts(_ model: PlaceModel, _ labels: Labels) -> [Double] {
    let terms = zip(positions, headings).map {
      model.positionWeight * $0 + model.headingWeight * $1
    }
    let best = max(0, labels.buildings.map { terms[$0] }.max() ?? 0)
    var shifts = [Double](repeating: 0, count: terms.count)
    for label in labels.buildings { shifts[label] = terms[label] - best }
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
