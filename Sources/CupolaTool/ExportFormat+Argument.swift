public import ArgumentParser
public import CupolaExport
import CupolaTraining

/// The formats that can be named with `--format`.
extension ExportFormat: ExpressibleByArgument {}
