/// What has changed around somebody with a phone.
public enum BeaconSignal: Equatable, Sendable {
  /// A beacon is in another zone; `nil`: it is heard no more.
  case zone(BeaconID, TourZoneLevel?)
  /// Another beacon is the nearest; `nil`: none is heard.
  case nearest(BeaconID?)
}
