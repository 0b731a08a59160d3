/// How strongly a phone heard the beacons around a place.
public struct BeaconFingerprint: Equatable, Sendable {
  /// The beacon that was the nearest there.
  public let nearest: BeaconID
  /// dBm from -127 to -1, by beacon, in tenths.
  public let strengths: [BeaconID: Double]

  /// - Parameters:
  ///   - nearest: the beacon that is the nearest at that place.
  ///   - strengths: dBm; what is none (0, 127, no number) is left out.
  public init(nearest: BeaconID, strengths: [BeaconID: Double]) {
    self.nearest = nearest
    self.strengths = strengths.filter { BeaconStrength.heard.contains($0.value) }
      .mapValues { max(min(($0 * 10).rounded() / 10, -1), -127) }
  }
}
