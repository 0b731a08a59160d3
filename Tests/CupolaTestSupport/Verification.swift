internal import Foundation

/// Whether long simulations run in full, as `Scripts/verify simulations` has them by setting `CUPOLA_VERIFY`.
package enum Verification {
  package static let isFull = ProcessInfo.processInfo.environment["CUPOLA_VERIFY"] != nil

  /// How many cases of a simulation to try.
  package static func count(_ few: Int, of all: Int) -> Int { isFull ? all : few }
}
