internal import Cupola

/// The parts of a C export that are the same for every model; they lie in `Runtime` as they are.
enum CRuntime {
  /// The declarations, which follow the sizes.
  static func header(_ features: FeatureSettings) -> [UInt8] {
    switch features {
    case .hog: PackageResources.header_hog_h + PackageResources.header_h
    case .fisher: PackageResources.header_fisher_h + PackageResources.header_h
    }
  }

  /// How tables are read, which stands before them.
  static let tables = PackageResources.tables_c

  /// The functions, which follow the tables.
  static func functions(_ features: FeatureSettings) -> [UInt8] {
    let own =
      switch features {
      case .hog: [PackageResources.hog_c]
      case .fisher:
        [
          PackageResources.product_c, PackageResources.planes_c, PackageResources.votes_c,
          PackageResources.colour_c, PackageResources.patches_c, PackageResources.encoder_c,
          PackageResources.fisher_c,
        ]
      }
    let parts =
      [PackageResources.vectors_c, PackageResources.resize_c] + own
      + [PackageResources.classify_c, PackageResources.answer_c, PackageResources.fence_c]
    return Array(parts.joined())
  }
}
