#if canImport(CoreLocation)

  public import CoreLocation

  extension Position {
    /// Where a phone was; `nil` when its horizontal accuracy is negative, which says that there is no position.
    ///
    /// Altitude and floor are left out.
    public init?(_ location: CLLocation) {
      guard location.horizontalAccuracy >= 0 else { return nil }
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        horizontalError: location.horizontalAccuracy)
    }
  }

#endif
