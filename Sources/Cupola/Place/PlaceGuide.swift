#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A model's knowledge of places, made ready to be asked.
struct PlaceGuide: Sendable {
  private let labels: Labels
  private let model: PlaceModel?
  /// One a label; `nil` for backgrounds.
  private let densities: [PlaceDensity?]

  /// The picture must give a building this share of all buildings to be contradicted.
  private static let saysSo = 0.6
  /// A place contradicts when it makes the building that much less probable than the best placed.
  private static let muchLess = -log(5.0)

  init(_ model: Model) {
    labels = model.labels
    self.model = model.place
    densities = PlaceDensity.all(
      of: model.labels, campus: model.campus, viewpoints: model.place?.viewpoints ?? [:])
  }

  /// What a place adds to what a picture says.
  struct Answer {
    /// One a label, as the picture's.
    let probabilities: [Double]
    /// `nil` when the model learned nothing about places.
    let agreement: Recognition.PlaceAgreement?
    /// The building of each label as seen from there.
    let views: [BuildingView?]
  }

  /// - Parameter year: when the heading was measured.
  func answer(
    _ image: [Double], at position: Position, heading: Heading?, year: Double
  ) -> Answer {
    let evidence = PlaceEvidence(
      at: position, heading: heading?.trueNorth(at: position, year: year), densities: densities)
    guard let model else {
      return Answer(probabilities: image, agreement: nil, views: evidence.views)
    }
    let shifts = evidence.shifts(model, labels)
    return Answer(
      probabilities: PlaceEvidence.fused(image, shifts), agreement: agreement(image, shifts),
      views: evidence.views)
  }

  private func agreement(
    _ image: [Double], _ shifts: [Double]
  ) -> Recognition.PlaceAgreement? {
    guard let best = labels.buildings.max(by: { image[$0] < image[$1] }) else { return nil }
    let saysSo = Decision.share(of: best, image, labels) >= Self.saysSo
    return saysSo && shifts[best] <= Self.muchLess ? .contradicts : .agrees
  }
}

extension PlaceDensity {
  /// One a label; `nil` for backgrounds.
  package static func all(
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
