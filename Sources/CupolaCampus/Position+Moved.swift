extension Position {
  /// The place some meters away, right to a percent within some kilometers; `nil` beyond a pole or the
  /// date line.
  ///
  /// - Parameter bearing: degrees clockwise from true north.
  package func moved(meters: Double, toward bearing: Double) -> Position? {
    let metersPerDegree = LocalPlane.metersPerDegree
    let (east, north) = Degrees.sinCos(bearing)
    let width = metersPerDegree * Degrees.sinCos(latitude).cos
    // Seven decimals are a centimeter.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Position(
      latitude: rounded(latitude + meters * north / metersPerDegree),
      longitude: rounded(longitude + meters * east / max(width, 1)))
  }
}
