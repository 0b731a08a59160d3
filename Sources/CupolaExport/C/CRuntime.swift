/// The parts of a C export that are the same for every model; they lie in `Runtime` as they are.
enum CRuntime {
  /// The declarations, which follow the sizes.
  static func header(_ extractor: any ExportableExtractor) -> [UInt8] {
    type(of: extractor).headerInC + PackageResources.header_h
  }

  /// How tables are read, which stands before them.
  static let tables = PackageResources.tables_c

  /// The functions, which follow the tables.
  static func functions(_ extractor: any ExportableExtractor) -> [UInt8] {
    let parts =
      [PackageResources.vectors_c, PackageResources.resize_c] + type(of: extractor).functionsInC
      + [
        PackageResources.classify_c, PackageResources.answer_c, PackageResources.ellipsoid_c,
        PackageResources.fence_c, PackageResources.place_c,
      ]
    return Array(parts.joined())
  }
}
