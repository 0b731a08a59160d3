/// What tells a beacon from others.
public enum BeaconID: Hashable, Sendable {
  /// An iBeacon: 16 bytes of its UUID, two numbers.
  case iBeacon(uuid: [UInt8], major: UInt16, minor: UInt16)
  /// An Eddystone-UID: 10 bytes of its namespace, 6 of its instance.
  case eddystone(namespace: [UInt8], instance: [UInt8])
}

extension BeaconID: Comparable {
  /// iBeacons first, then by bytes and numbers, so that lists have one order.
  public static func < (a: BeaconID, b: BeaconID) -> Bool {
    switch (a, b) {
    case (.iBeacon(let uuid, let major, let minor), .iBeacon(let other, let major2, let minor2)):
      uuid == other
        ? (major, minor) < (major2, minor2) : uuid.lexicographicallyPrecedes(other)
    case (.eddystone(let namespace, let instance), .eddystone(let other, let instance2)):
      namespace == other
        ? instance.lexicographicallyPrecedes(instance2)
        : namespace.lexicographicallyPrecedes(other)
    case (.iBeacon, .eddystone): true
    case (.eddystone, .iBeacon): false
    }
  }
}
