#if canImport(os)
  internal import os
#else
  internal import Synchronization
#endif

/// A value that threads change one after the other; `Mutex` is missing on the oldest systems of Apple's that are supported.
package final class Locked<Value: Sendable>: Sendable {
  #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>
    package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
  #else
    private let lock: Mutex<Value>
    package init(_ value: Value) { lock = Mutex(value) }
  #endif

  /// What `body` makes of the value, which nobody else reads or changes meanwhile.
  package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    lock.withLock { body(&$0) }
  }
}
