public import ArgumentParser
public import CupolaExport

/// The formats that can be named with `--format`.
extension ExportFormat: ExpressibleByArgument {}
