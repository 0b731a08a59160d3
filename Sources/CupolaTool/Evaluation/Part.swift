import ArgumentParser
import CupolaTraining

/// The parts that can be named with `--part`.
enum Part: String, ExpressibleByArgument, CaseIterable {
  case train, val, test

  /// What the part is made of: unknown buildings are asked about with the tests.
  var splits: Set<Split> {
    switch self {
    case .train: [.train]
    case .val: [.val]
    case .test: [.test, .testUnknown]
    }
  }

  /// The other parts that may have trained a model; none beside the training photos themselves.
  var trainingSplits: Set<Split> {
    switch self {
    case .train: []
    case .val: [.train]
    case .test: [.train, .val]
    }
  }
}
