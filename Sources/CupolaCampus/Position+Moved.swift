extension Position {
  /// The place some metres away, right to a percent within some kilometres; `nil` beyond a pole or the
  /// date line.
  ///
  /// - Parameter bearing: degrees clockwise from true north.
  package func moved(metres: Double, towards bearing: Double) -> Position? {
    let metresPerDegree = LocalPlane.metresPerDegree
    let (east, north) = Degrees.sinCos(bearing)
    let width = metresPerDegree * Degrees.sinCos(latitude).cos
    // Seven decimals are a centimetre.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Position(
      latitude: rounded(latitude + metres * north / metresPerDegree),
      longitude: rounded(longitude + metres * east / max(width, 1)))
  }
}
