internal import Foundation

/// Whether simulations run in full. `Scripts/verify simulations` sets `CUPOLA_VERIFY`.
package enum Verification {
  package static let isFull = ProcessInfo.processInfo.environment["CUPOLA_VERIFY"] != nil

  /// Returns the number of cases of a simulation to run.
  package static func count(_ few: Int, of all: Int) -> Int { isFull ? all : few }
}
