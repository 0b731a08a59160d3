#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What picture and place say together about trained buildings, and about those of the map alone.
struct MapFusion {
  let labels: Labels
  /// Those that can be what the picture shows, as they are numbered in a ``PlaceScene``.
  let untrained: [Int]
  /// How many of them the whole map has.
  let untrainedCount: Int
  /// Without one a place says little about which of two neighbors it is.
  let hasHeading: Bool
  /// ``UnknownBuilding`` of the picture.
  let doubt: Double

  /// What a building without photos counts where nobody knows the heading.
  static let withoutHeading = 0.25

  /// How probably the picture is of a building that trained, whatever the place; 1 when the map knows no
  /// others nearby.
  var knownShare: Double {
    guard !untrained.isEmpty else { return 1 }
    return 1 / (1 + UnknownBuilding.visitOdds * exp(doubt))
  }

  /// How probable one building without photos is before its place is known, where all that trained are
  /// 1 together.
  private var prior: Double {
    let trained = Double(labels.buildings.count)
    // At most that of a building that trained: those have photos because they are visited.
    let each = min(1, UnknownBuilding.visitOdds * trained / Double(max(untrainedCount, 1)))
    return each * exp(doubt) * (hasHeading ? 1 : Self.withoutHeading)
  }

  /// Probabilities, one a shift.
  ///
  /// A building without photos has as much of the picture as all that trained together, times what the
  /// picture says for an unknown one. All buildings together never have more than the picture gives
  /// them, so that the backgrounds lose nothing.
  /// - Parameters:
  ///   - image: one a label, by the picture alone.
  ///   - shifts: what the place adds to the logarithms, one a building, 0 or less.
  func fused(_ image: [Double], _ shifts: [Double]) -> [Double] {
    guard !untrained.isEmpty else {
      let fused = PlaceEvidence.fused(image, Array(shifts.prefix(image.count)))
      return fused + [Double](repeating: 0, count: shifts.count - image.count)
    }
    var weights = [Double](repeating: 0, count: shifts.count)
    for label in image.indices { weights[label] = image[label] * exp(shifts[label]) }
    let seen = labels.buildings.reduce(0) { $0 + image[$1] }
    for building in untrained { weights[building] = seen * prior * exp(shifts[building]) }
    let buildings = labels.buildings + untrained
    let all = buildings.reduce(0) { $0 + weights[$1] }
    if all > seen { for building in buildings { weights[building] *= seen / all } }
    let sum = weights.reduce(0, +)
    return sum > 0
      ? weights.map { $0 / sum } : image + [Double](repeating: 0, count: shifts.count - image.count)
  }
}
