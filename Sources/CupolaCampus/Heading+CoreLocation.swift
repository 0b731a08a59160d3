#if canImport(CoreLocation) && !os(tvOS)

  public import CoreLocation

  extension Heading {
    /// Where a phone looked: from true north, where it knows that, otherwise from magnetic north; `nil` when its
    /// accuracy is negative, which says that there is no heading.
    public init?(_ heading: CLHeading) {
      guard heading.headingAccuracy >= 0 else { return nil }
      let isTrue = heading.trueHeading >= 0
      let degrees = isTrue ? heading.trueHeading : heading.magneticHeading
      guard degrees.isFinite else { return nil }
      self.init(degrees: degrees, reference: isTrue ? .trueNorth : .magneticNorth)
    }
  }

#endif
