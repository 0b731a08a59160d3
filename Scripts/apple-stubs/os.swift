// What swift-argument-parser uses of os.

public struct os_unfair_lock {
  public init() {}
}
public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}
public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}
