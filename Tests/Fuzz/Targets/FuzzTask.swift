import Cupola
import Foundation

/// Runs asynchronous work for synchronous targets.
enum FuzzTask {
  /// Returns the result of the work, or `nil` if it throws.
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
