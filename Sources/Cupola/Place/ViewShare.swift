#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What it says of a building that it takes a share of the view.
enum ViewShare {
  /// Degrees by which a phone's compass errs, one standard deviation.
  static let compassError = 20.0
  /// The share of headings that mean nothing, so that none rules a building out.
  static let uniformShare = 0.2
  /// Added to shares, so that what is hidden on the map may yet be seen.
  static let least = 0.02
  /// The share of the view that speaks neither for nor against a building.
  static let usual = 0.1
  /// What the share of the whole horizon counts where nobody knows the heading.
  static let withoutHeading = 0.25
  /// Meters of error where the view counts half; far beyond it says nothing.
  static let errorForHalf = 150.0

  /// The part of the field of view by which people aim beside a building, one standard deviation.
  static let aimShare = 0.25

  /// The logarithm of how much a share speaks for a building, -1.8...2.1; near 0 when the position's
  /// error is far too large.
  static func logRatio(_ share: Double, positionError: Double, hasHeading: Bool) -> Double {
    let doubt = positionError / errorForHalf
    let trust = (hasHeading ? 1 : withoutHeading) / (1 + doubt * doubt * doubt * doubt)
    return trust * log((share + least) / (usual + least))
  }

  /// Degrees by which a building is off the heading of a photo of it, one standard deviation: compass and
  /// aim together. People put a building into the middle half of the picture.
  static func deviation(_ view: FieldOfView) -> Double {
    let aim = view.degrees * aimShare
    return (compassError * compassError + aim * aim).squareRoot()
  }
}
