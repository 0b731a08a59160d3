/// Who may go along a way, and which way round.
package struct WayAccess: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let walkForward = WayAccess(rawValue: 1)
  package static let walkBackward = WayAccess(rawValue: 2)
  package static let stepFreeForward = WayAccess(rawValue: 4)
  package static let stepFreeBackward = WayAccess(rawValue: 8)
  package static let driveForward = WayAccess(rawValue: 16)
  package static let driveBackward = WayAccess(rawValue: 32)

  package static let walk: WayAccess = [.walkForward, .walkBackward]
  package static let stepFree: WayAccess = [.stepFreeForward, .stepFreeBackward]
  package static let drive: WayAccess = [.driveForward, .driveBackward]
  package static let onFoot: WayAccess = [.walk, .stepFree]

  /// Whether an edge may be passed.
  func allows(_ mode: TravelMode, forward: Bool) -> Bool {
    switch mode {
    case .walk: contains(forward ? .walkForward : .walkBackward)
    case .stepFree: contains(forward ? .stepFreeForward : .stepFreeBackward)
    case .drive: contains(forward ? .driveForward : .driveBackward)
    }
  }
}
