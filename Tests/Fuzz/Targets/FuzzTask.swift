import Cupola
import Foundation

/// What is done asynchronously, for targets, which are not: on threads of their own, which may wait.
enum FuzzTask {
  /// What the work gives; `nil` where it fails.
  static func result<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) -> Value? {
    let (done, result) = (DispatchSemaphore(value: 0), Locked<Value?>(nil))
    Task {
      let value = try? await work()
      result.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return result.withLock(\.self)
  }
}
