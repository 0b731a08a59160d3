internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Collect the camera positions of each building's photos.
// 2. Displace held-out photos and score them with and without their headings.
// 3. Find the two weights with the lowest loss; reduce them while displaced photos lose accuracy.

/// Fits the camera positions of each building and the weights of position and heading.
///
/// The weights minimize the negative log-likelihood of held-out photos, at their true positions and at positions
/// displaced by up to ``displacements``, with and without heading. When a photo is scored, camera positions from its
/// own session are excluded.
struct PlaceFit {
  struct Photo: Sendable {
    let metadata: PhotoMetadata
    let label: Int
    let group: Int
    /// The size of the upright image in pixels; `nil` if it is unknown.
    var size: (width: Int, height: Int)?

    /// The field of view, as in recognition; photos of unknown size are assumed to be upright.
    var view: FieldOfView {
      FieldOfView(
        focalLength: metadata.focalLength, width: size?.width ?? 3, height: size?.height ?? 4)
    }
  }

  struct HeldOut: Sendable {
    let photo: Int
    let probabilities: [Double]
  }

  let photos: [Photo]
  let labels: Labels
  let campus: Campus?

  /// Displacements in meters, each applied to a photo in a different direction.
  static let displacements = [0.0, 25, 50]
  private static let steps = 20
  private static let mostHeldOut = 1000

  /// Returns the position model; `nil` if neither the photos nor the map have positions.
  ///
  /// If no held-out photo has a position, both weights are ``PlaceModel/usualWeight``.
  func model(heldOut: [HeldOut]) -> PlaceModel? {
    let viewpoints = viewpoints(but: nil)
    let names = Set(labels.names)
    let isMapped = campus?.buildings.contains { building in
      building.position != nil && names.contains(building.label)
    }
    guard isMapped == true || !viewpoints.isEmpty else { return nil }
    var model = PlaceModel(viewpoints: viewpoints)
    let cases = cases(of: heldOut)
    (model.positionWeight, model.headingWeight) = Self.weights(cases, labels)
    return model
  }

  /// The camera positions of each building, excluding one session, sampled as in the model.
  private func viewpoints(but group: Int?) -> [String: [Viewpoint]] {
    let buildings = Set(labels.buildings)
    var viewpoints: [String: [Viewpoint]] = [:]
    for photo in photos where photo.group != group && buildings.contains(photo.label) {
      guard let position = photo.metadata.position else { continue }
      viewpoints[labels.names[photo.label], default: []].append(Viewpoint(position))
    }
    return viewpoints.mapValues { $0.sampled(to: PlaceModel.mostViewpoints) }
  }

  private struct Case {
    let image: [Double]
    let truth: Int
    let evidence: PlaceEvidence
    let isFarthest: Bool
  }

  private func cases(of heldOut: [HeldOut]) -> [Case] {
    let placed = heldOut.filter { photos[$0.photo].metadata.position != nil }
    let chosen = placed.sampled(to: Self.mostHeldOut)
    var cases = [[Case]](repeating: [], count: chosen.count)
    for (group, members) in Dictionary(
      grouping: chosen.indices, by: { photos[chosen[$0].photo].group })
    {
      let scene = PlaceScene(
        labels, campus: campus, viewpoints: viewpoints(but: group), untrained: false)
      for index in members {
        cases[index] = self.cases(of: chosen[index], number: index, in: scene)
      }
    }
    return cases.flatMap(\.self)
  }

  private func cases(of held: HeldOut, number: Int, in scene: PlaceScene) -> [Case] {
    let photo = photos[held.photo]
    guard let position = photo.metadata.position else { return [] }
    let year = photo.metadata.decimalYear ?? MagneticField.defaultYear
    let heading = photo.metadata.heading?.trueNorth(at: position, year: year)
    // The golden angle distributes the directions evenly for any number of photos.
    let azimuth = 137.507_764 * Double(number)
    return Self.displacements.flatMap { meters in
      let place = position.destination(azimuth: azimuth, distance: meters)
      return (heading == nil ? [nil] : [heading, nil]).map { heading in
        Case(
          image: held.probabilities, truth: photo.label,
          evidence: PlaceEvidence(at: place, heading: heading, scene: scene, view: photo.view),
          isFarthest: meters == Self.displacements.last)
      }
    }
  }

  /// Minimizes the loss by coordinate search.
  ///
  /// Reduces the weights until photos at the largest displacement are named as accurately as without positions.
  private static func weights(
    _ cases: [Case], _ labels: Labels
  ) -> (position: Double, heading: Double) {
    var best = [steps / 2, steps / 2]
    guard !cases.isEmpty else { return (PlaceModel.usualWeight, PlaceModel.usualWeight) }
    var loss = loss(cases, best)
    var isMoving = true
    while isMoving {
      isMoving = false
      for which in best.indices {
        for step in 0...steps {
          var tried = best
          tried[which] = step
          let other = Self.loss(cases, tried)
          if other < loss - 1e-9 { (best, loss, isMoving) = (tried, other, true) }
        }
      }
    }
    let displaced = cases.filter(\.isFarthest)
    let byImage = right(displaced, [0, 0], labels)
    while best.contains(where: { $0 > 0 }), right(displaced, best, labels) < byImage {
      best = best.map { $0 * 3 / 4 }
    }
    return (Double(best[0]) / Double(steps), Double(best[1]) / Double(steps))
  }

  private static func fused(_ example: Case, _ weights: [Int]) -> [Double] {
    let model = PlaceModel(
      positionWeight: Double(weights[0]) / Double(steps),
      headingWeight: Double(weights[1]) / Double(steps))
    return PlaceEvidence.fused(example.image, example.evidence.shifts(model))
  }

  private static func loss(_ cases: [Case], _ weights: [Int]) -> Double {
    cases.reduce(0) { $0 - log(max(fused($1, weights)[$1.truth], 1e-12)) }
      / Double(cases.count)
  }

  private static func right(_ cases: [Case], _ weights: [Int], _ labels: Labels) -> Int {
    cases.count { example in
      let probabilities = fused(example, weights)
      return labels.buildings.max { probabilities[$0] < probabilities[$1] } == example.truth
    }
  }
}

extension PlaceFit {
  init(
    _ table: FeatureTable, _ input: SettingsSearch.Input, labels: Labels, campus: Campus?
  ) {
    photos = zip(table.rows, zip(input.labels, input.groups)).map { row, place in
      Photo(metadata: row.metadata, label: place.0, group: place.1, size: row.size)
    }
    (self.labels, self.campus) = (labels, campus)
  }

  func model(_ search: SettingsSearch, _ fitted: CalibrationFit?) -> PlaceModel? {
    guard let fitted, let logits = search.chosen?.logits else { return model(heldOut: []) }
    return model(
      heldOut: search.photos.enumerated().map { row, photo in
        HeldOut(photo: photo, probabilities: fitted.probabilities(logits.row(row), row: row))
      })
  }
}
