// 1. `Provenance` records what a model was trained from, and how.
// 2. `PhotoDigests` and `PhotoHashes` identify its training photos.

/// Where a model comes from: enough to train it again, byte for byte. No time stamps.
package struct Provenance: Equatable, Sendable {
  /// The version of Cupola that trained it.
  package var version: String
  /// SHA-256 over the labels and the bytes of all training photos, in order: 64 hexadecimal digits.
  package var dataDigest: String
  /// Photos that trained it, by label.
  package var photos: [String: Int]
  /// Which photos these were, by label; empty in older models.
  package var photoDigests: [String: PhotoDigests]
  /// What these looked like, by label, to find copies of them; empty in older models.
  package var photoHashes: [String: PhotoHashes]
  /// What their middles looked like, by label, to find crops of them; empty in older models.
  package var photoMiddles: [String: PhotoHashes]
  /// On how many days the photos of each building were taken, by label, as far as they carry dates; empty
  /// in older models.
  package var captureDays: [String: Int]
  package var seed: UInt64
  /// The inverse strength of regularization, 1e-12...1e12.
  package var regularization: Double
  /// Whether that was given instead of chosen by cross-validation.
  package var isRegularizationGiven: Bool
  /// The shrinkage of the within-class covariance that whitened the features, if it did, 0.1...1.
  package var whitening: Double?
  /// The kernels that computed it: sums may differ in their last bits between kernels.
  package var kernel: String
  /// What its features learned from, where that was not the same as what its classifier learned
  /// from: the model was updated.
  package var featuresSource: Source?
  /// How many photos of each building were named right by fits that had not seen them.
  package var recall: [String: Recall]
  /// What storing the weights in fewer bits changed in the answers of such fits, by the name of the
  /// ``WeightFormat``; empty in older models.
  package var rounding: [String: Rounding]

  /// Photos and a seed that something was learned from.
  package struct Source: Equatable, Codable, Sendable {
    /// As ``Provenance/dataDigest``.
    package var dataDigest: String
    package var seed: UInt64

    package init(dataDigest: String, seed: UInt64) {
      self.dataDigest = dataDigest
      self.seed = seed
    }

    private enum CodingKeys: String, CodingKey {
      case seed
      case dataDigest = "data_sha256"
    }
  }

  /// Right answers among the photos of one building.
  package struct Recall: Equatable, Codable, Sendable {
    package var right: Int
    package var asked: Int

    package init(right: Int, asked: Int) {
      self.right = right
      self.asked = asked
    }
  }

  /// Answers about photos that the fits had not seen, with 32 bits a weight and with fewer.
  package struct Rounding: Equatable, Codable, Sendable {
    package var asked: Int
    /// Photos that were answered otherwise with fewer bits.
    package var changed: Int
    /// Photos of buildings among those asked about.
    package var ofBuildings: Int
    /// How many of these had their building the most probable one with 32 bits.
    package var rightBefore: Int
    /// How many had with fewer.
    package var rightAfter: Int

    package init(asked: Int, changed: Int, ofBuildings: Int, rightBefore: Int, rightAfter: Int) {
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
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys, or missing: Value) throws -> Value {
      try container.decodeIfPresent(Value.self, forKey: key) ?? missing
    }
    self.init(
      version: try container.decode(String.self, forKey: .version),
      dataDigest: try container.decode(String.self, forKey: .dataDigest),
      photos: try container.decode([String: Int].self, forKey: .photos),
      photoDigests: try value(.photoDigests, or: [:]),
      photoHashes: try value(.photoHashes, or: [:]),
      photoMiddles: try value(.photoMiddles, or: [:]),
      captureDays: try value(.captureDays, or: [:]),
      seed: try container.decode(UInt64.self, forKey: .seed),
      regularization: try container.decode(Double.self, forKey: .regularization),
      isRegularizationGiven: try value(.isRegularizationGiven, or: false),
      whitening: try container.decodeIfPresent(Double.self, forKey: .whitening),
      kernel: try container.decode(String.self, forKey: .kernel),
      featuresSource: try container.decodeIfPresent(Source.self, forKey: .featuresSource),
      recall: try value(.recall, or: [:]), rounding: try value(.rounding, or: [:]))
  }
}

/// Hexadecimal texts of one length about some photos, sorted; in JSON one text without anything between them.
package struct PhotoTexts<Kind: PhotoTextKind>: Equatable, Sendable {
  private let digits: String

  private init(sorted values: [String]) {
    precondition(
      values.allSatisfy { $0.utf8.count == Kind.length }, "not of \(Kind.length) digits")
    digits = values.joined()
  }

  /// One a photo; equal files have equal ones.
  package var values: [String] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count, by: Kind.length).map { start in
      String(decoding: digits[start..<start + Kind.length], as: UTF8.self)
    }
  }
}

extension PhotoTexts: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    digits = try container.decode(String.self)
    guard digits.utf8.count.isMultiple(of: Kind.length), digits.utf8.allSatisfy(Hex.isDigit) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not digests of \(Kind.length) hexadecimal digits")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digits)
  }
}

package protocol PhotoTextKind: Sendable {
  /// Digits of each text.
  static var length: Int { get }
}

/// The first 8 bytes of the SHA-256 of each file: enough to find a photo again, and little to store.
package typealias PhotoDigests = PhotoTexts<PhotoDigestKind>
package enum PhotoDigestKind: PhotoTextKind { package static let length = 16 }

extension PhotoTexts<PhotoDigestKind> {
  package init(sha256 digests: [String]) {
    self.init(sorted: digests.map { String($0.prefix(Kind.length)) }.sorted())
  }
}

/// Perceptual hashes of photos or of their middles, 256 bits each: enough to find a copy of a photo that was saved
/// again, made smaller or mirrored, or with its middle one that was cropped.
package typealias PhotoHashes = PhotoTexts<PhotoHashKind>
package enum PhotoHashKind: PhotoTextKind { package static let length = 64 }

extension PhotoTexts<PhotoHashKind> {
  package init(_ values: [String]) { self.init(sorted: values.sorted()) }
}
