import CupolaTraining

/// Numbers as people read them.
enum Format {
  /// A small share as a percentage with the digits it takes to tell it from 0, at most 6.
  static func smallPercent(_ share: Double) -> String {
    let digits = (1..<6).first { powerOfTen($0) * 100 * share > 0.95 } ?? 6
    return decimal(100 * share, digits: digits) + " %"
  }

  private static func powerOfTen(_ digits: Int) -> Double {
    (0..<digits).reduce(1.0) { value, _ in value * 10 }
  }

  /// A number with so many digits after the point.
  static func decimal(_ value: Double, digits: Int) -> String {
    FigureText.decimal(value, digits: digits)
  }

  /// A distance: meters below 10 km, then kilometers.
  static func meters(_ meters: Double) -> String {
    meters < 10_000
      ? decimal(meters, digits: 1) + " m" : decimal(meters / 1000, digits: 1) + " km"
  }
}
