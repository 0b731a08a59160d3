internal import Foundation

/// Whether simulations run in full. `Scripts/verify simulations` sets `CUPOLA_VERIFY`.
package enum Verification {
  package static let isFull = ProcessInfo.processInfo.environment["CUPOLA_VERIFY"] != nil

  /// Returns the number of cases of a simulation to run.
  package static func count(_ few: Int, of all: Int) -> Int { isFull ? all : few }
}

/// Returns the time that this thread used a processor, which unlike elapsed time hardly depends on other processes.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try work()
  return now() - start
}
