/// What counts as a strength.
enum BeaconStrength {
  /// dBm that a phone may hear; 0 and 127, which systems give for none, are none.
  static let heard = -127.0 ... -1.0
  /// dBm that a beacon may have a meter away.
  static let power = -127.0...20.0
}
