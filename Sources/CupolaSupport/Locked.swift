#if canImport(os)
  internal import os
#else
  internal import Synchronization
#endif

/// A value protected by a lock. Used because `Mutex` requires newer Apple systems than the package does.
package final class Locked<Value: Sendable>: Sendable {
  #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>
    package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
  #else
    private let lock: Mutex<Value>
    package init(_ value: Value) { lock = Mutex(value) }
  #endif

  /// Calls `body` with exclusive access to the value.
  package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    lock.withLock { body(&$0) }
  }
}
