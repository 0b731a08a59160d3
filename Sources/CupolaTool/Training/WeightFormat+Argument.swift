public import ArgumentParser
public import Cupola

/// The formats that can be named with `--weights`.
extension WeightFormat: ExpressibleByArgument {}
