import ArgumentParser
import CupolaGuide

/// How one goes to stops and from them.
enum AccessMode: String, CaseIterable, ExpressibleByArgument {
  case walk
  case stepFree = "step-free"

  var travelMode: TravelMode {
    switch self {
    case .walk: .walk
    case .stepFree: .stepFree
    }
  }
}
