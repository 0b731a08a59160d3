extension Heading {
  /// The same direction from true north: a magnetic heading turned by the declination.
  ///
  /// - Parameters:
  ///   - position: where the compass was read.
  ///   - year: when the compass was read, such as 2026.5; see ``MagneticField`` for how far the model reaches.
  public func trueNorth(at position: Position, year: Double) -> Heading {
    switch reference {
    case .trueNorth: self
    case .magneticNorth:
      Heading(degrees: degrees + MagneticField(at: position, year: year).declination) ?? self
    }
  }
}
