import CupolaTraining

/// Numbers as people read them.
enum Format {
  /// A number with so many digits after the point.
  static func decimal(_ value: Double, digits: Int) -> String {
    FigureText.decimal(value, digits: digits)
  }

  /// `1 entry`, `2 entries`.
  static func entries(_ number: Int) -> String { number == 1 ? "1 entry" : "\(number) entries" }

  /// A distance: meters below 10 km, then kilometers.
  static func meters(_ meters: Double) -> String {
    meters < 10_000
      ? decimal(meters, digits: 1) + " m" : decimal(meters / 1000, digits: 1) + " km"
  }
}
