public import ArgumentParser
public import CupolaTraining

/// The formats that can be named with `--format`.
extension ExportFormat: ExpressibleByArgument {}
