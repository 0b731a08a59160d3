/// Where a model comes from: enough to train it again, byte for byte. No time stamps.
public struct Provenance: Equatable, Sendable {
  /// The version of Cupola that trained it.
  public package(set) var version: String
  /// SHA-256 over the labels and the bytes of all training photos, in order: 64 hexadecimal digits.
  public package(set) var dataDigest: String
  /// Photos that trained it, by label.
  public package(set) var photos: [String: Int]
  /// Which photos these were, by label; empty in older models.
  package var photoDigests: [String: PhotoDigests]
  /// What these looked like, by label, to find copies of them; empty in older models.
  package var photoHashes: [String: PhotoHashes]
  /// What their middles looked like, by label, to find crops of them; empty in older models.
  package var photoMiddles: [String: PhotoHashes]
  /// On how many days the photos of each building were taken, by label, as far as they carry dates; empty
  /// in older models.
  public package(set) var captureDays: [String: Int]
  /// The seed of everything random.
  public package(set) var seed: UInt64
  /// The inverse strength of regularization, 1e-12...1e12.
  public package(set) var regularization: Double
  /// Whether that was given instead of chosen by cross-validation.
  public package(set) var isRegularizationGiven: Bool
  /// The shrinkage of the within-class covariance that whitened the features, if it did, 0.1...1.
  public package(set) var whitening: Double?
  /// The kernels that computed it: sums may differ in their last bits between kernels.
  public package(set) var kernel: String
  /// What its features learned from, where that was not the same as what its classifier learned
  /// from: the model was updated.
  public package(set) var featuresSource: Source?
  /// How many photos of each building were named right by fits that had not seen them.
  public package(set) var recall: [String: Recall]
  /// What storing the weights in fewer bits changed in the answers of such fits, by the name of the
  /// ``WeightFormat``; empty in older models.
  public package(set) var rounding: [String: Rounding]

  /// Photos and a seed that something was learned from.
  public struct Source: Equatable, Codable, Sendable {
    /// As ``Provenance/dataDigest``.
    public package(set) var dataDigest: String
    /// The seed of everything random.
    public package(set) var seed: UInt64

    /// A source from its parts.
    public init(dataDigest: String, seed: UInt64) {
      self.dataDigest = dataDigest
      self.seed = seed
    }

    private enum CodingKeys: String, CodingKey {
      case seed
      case dataDigest = "data_sha256"
    }
  }

  /// Right answers among the photos of one building.
  public struct Recall: Equatable, Codable, Sendable {
    /// Photos named right.
    public package(set) var right: Int
    /// Photos asked about.
    public package(set) var asked: Int

    /// Counts of photos.
    public init(right: Int, asked: Int) {
      self.right = right
      self.asked = asked
    }
  }

  /// Answers about photos that the fits had not seen, with 32 bits a weight and with fewer.
  public struct Rounding: Equatable, Codable, Sendable {
    /// Photos asked about.
    public package(set) var asked: Int
    /// Photos that were answered otherwise with fewer bits.
    public package(set) var changed: Int
    /// Photos of buildings among those asked about.
    public package(set) var ofBuildings: Int
    /// How many of these had their building the most probable one with 32 bits.
    public package(set) var rightBefore: Int
    /// How many had with fewer.
    public package(set) var rightAfter: Int

    /// Counts of photos.
    public init(asked: Int, changed: Int, ofBuildings: Int, rightBefore: Int, rightAfter: Int) {
      self.asked = asked
      self.changed = changed
      self.ofBuildings = ofBuildings
      self.rightBefore = rightBefore
      self.rightAfter = rightAfter
    }

    private enum CodingKeys: String, CodingKey {
      case asked, changed
      case ofBuildings = "of_buildings"
      case rightBefore = "right_before"
      case rightAfter = "right_after"
    }
  }

  /// A record from its parts.
  package init(
    version: String, dataDigest: String, photos: [String: Int],
    photoDigests: [String: PhotoDigests] = [:], photoHashes: [String: PhotoHashes] = [:],
    photoMiddles: [String: PhotoHashes] = [:], captureDays: [String: Int] = [:], seed: UInt64,
    regularization: Double,
    isRegularizationGiven: Bool = false, whitening: Double? = nil, kernel: String,
    featuresSource: Source? = nil, recall: [String: Recall] = [:],
    rounding: [String: Rounding] = [:]
  ) {
    self.version = version
    self.dataDigest = dataDigest
    self.photos = photos
    self.photoDigests = photoDigests
    self.photoHashes = photoHashes
    self.photoMiddles = photoMiddles
    self.captureDays = captureDays
    self.seed = seed
    self.regularization = regularization
    self.isRegularizationGiven = isRegularizationGiven
    self.whitening = whitening
    self.kernel = kernel
    self.featuresSource = featuresSource
    self.recall = recall
    self.rounding = rounding
  }
}

extension Provenance: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, photos, seed, whitening, kernel
    case regularization = "regularisation"
    case dataDigest = "data_sha256"
    case photoDigests = "photo_digests"
    case photoHashes = "photo_hashes"
    case photoMiddles = "photo_middle_hashes"
    case captureDays = "capture_days"
    case isRegularizationGiven = "regularisation_given"
    case featuresSource = "features_source"
    case recall = "out_of_fold_recall"
    case rounding = "out_of_fold_rounding"
  }

  /// Reads a record; what older models did not have may be missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      version: try container.decode(String.self, forKey: .version),
      dataDigest: try container.decode(String.self, forKey: .dataDigest),
      photos: try container.decode([String: Int].self, forKey: .photos),
      photoDigests: try container.decodeIfPresent(
        [String: PhotoDigests].self, forKey: .photoDigests) ?? [:],
      photoHashes: try container.decodeIfPresent(
        [String: PhotoHashes].self, forKey: .photoHashes) ?? [:],
      photoMiddles: try container.decodeIfPresent(
        [String: PhotoHashes].self, forKey: .photoMiddles) ?? [:],
      captureDays: try container.decodeIfPresent([String: Int].self, forKey: .captureDays) ?? [:],
      seed: try container.decode(UInt64.self, forKey: .seed),
      regularization: try container.decode(Double.self, forKey: .regularization),
      isRegularizationGiven: try container.decodeIfPresent(
        Bool.self, forKey: .isRegularizationGiven) ?? false,
      whitening: try container.decodeIfPresent(Double.self, forKey: .whitening),
      kernel: try container.decode(String.self, forKey: .kernel),
      featuresSource: try container.decodeIfPresent(Source.self, forKey: .featuresSource),
      recall: try container.decodeIfPresent([String: Recall].self, forKey: .recall) ?? [:],
      rounding: try container.decodeIfPresent([String: Rounding].self, forKey: .rounding) ?? [:])
  }
}
