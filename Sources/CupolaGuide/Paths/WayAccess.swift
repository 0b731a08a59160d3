/// Who may go along a way, and which way round.
struct WayAccess: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  init(rawValue: UInt8) { self.rawValue = rawValue }

  static let walkForward = WayAccess(rawValue: 1)
  static let walkBackward = WayAccess(rawValue: 2)
  static let stepFreeForward = WayAccess(rawValue: 4)
  static let stepFreeBackward = WayAccess(rawValue: 8)
  static let driveForward = WayAccess(rawValue: 16)
  static let driveBackward = WayAccess(rawValue: 32)

  static let walk: WayAccess = [.walkForward, .walkBackward]
  static let stepFree: WayAccess = [.stepFreeForward, .stepFreeBackward]
  static let drive: WayAccess = [.driveForward, .driveBackward]
  static let onFoot: WayAccess = [.walk, .stepFree]

  /// Whether an edge may be passed.
  func allows(_ mode: TravelMode, forward: Bool) -> Bool {
    switch mode {
    case .walk: contains(forward ? .walkForward : .walkBackward)
    case .stepFree: contains(forward ? .stepFreeForward : .stepFreeBackward)
    case .drive: contains(forward ? .driveForward : .driveBackward)
    }
  }
}
