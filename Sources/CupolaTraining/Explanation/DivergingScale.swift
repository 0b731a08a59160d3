import Cupola

/// The colors of evidence: orange speaks for the label, blue for the other.
///
/// Orange and blue are told apart with every common kind of color blindness; more evidence covers
/// more of the photo.
struct DivergingScale {
  static let orange = Canvas.Color(230, 97, 0)
  static let blue = Canvas.Color(26, 84, 214)

  /// The evidence in 1 % of the picture, in logits, that has the full color.
  let limit: Double

  /// A scale whose limit all but the strongest 2 % of a map's cells keep, rounded up to two digits.
  init(_ map: EvidenceMap) {
    let cells = Double(map.values.count)
    let densities = map.values.map { $0.magnitude * cells / 100 }.sorted()
    let limit = densities[densities.count * 98 / 100]
    self.limit = limit > 0 ? Self.roundedUp(limit) : 1
  }

  /// The color of a value, in logits in 1 % of the picture, and how much of the photo it covers.
  func color(of density: Double) -> (color: Canvas.Color, opacity: Double) {
    let strength = min(density.magnitude / limit, 1)
    return (density < 0 ? Self.blue : Self.orange, 0.8 * strength)
  }

  private static func roundedUp(_ value: Double) -> Double {
    var unit = 1e-9
    while unit * 100 < value, unit < 1e9 { unit *= 10 }
    return (value / unit).rounded(.up) * unit
  }
}
