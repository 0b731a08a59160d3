/// Where a model comes from: enough to train it again, byte for byte. No time stamps.
public struct Provenance: Equatable, Codable, Sendable {
  /// The version of Cupola that trained it.
  public var version: String
  /// SHA-256 over the labels and the bytes of all training photos, in order.
  public var dataDigest: String
  /// Photos that trained it, by label.
  public var photos: [String: Int]
  /// The seed of everything random.
  public var seed: UInt64
  /// The inverse strength of regularisation.
  public var regularisation: Double
  /// The shrinkage of the within-class covariance that whitened the features, if it did.
  public var whitening: Double?
  /// The kernels that computed it: sums may differ in their last bits between kernels.
  public var kernel: String

  /// A record from its parts.
  public init(
    version: String, dataDigest: String, photos: [String: Int], seed: UInt64,
    regularisation: Double, whitening: Double? = nil, kernel: String
  ) {
    self.version = version
    self.dataDigest = dataDigest
    self.photos = photos
    self.seed = seed
    self.regularisation = regularisation
    self.whitening = whitening
    self.kernel = kernel
  }

  private enum CodingKeys: String, CodingKey {
    case version, photos, seed, regularisation, whitening, kernel
    case dataDigest = "data_sha256"
  }
}
