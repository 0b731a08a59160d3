public import ArgumentParser
public import Cupola

/// Classifiers are named on the command line as in model files.
extension ClassifierKind: ExpressibleByArgument {}
