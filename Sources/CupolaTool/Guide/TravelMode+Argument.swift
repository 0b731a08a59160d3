public import ArgumentParser
public import CupolaGuide

/// Modes are named on the command line as in JSON.
extension TravelMode: ExpressibleByArgument {}
