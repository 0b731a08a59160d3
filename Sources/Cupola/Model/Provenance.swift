/// The origin of a model: enough data to train it again with identical bytes. Contains no time stamps.
package struct Provenance: Equatable, Sendable {
  package var version: String
  /// SHA-256 over the labels and bytes of all training photos, in order: 64 hexadecimal digits.
  package var dataDigest: String
  package var photos: [String: Int]
  /// Digests of the training photos by label; empty in older models.
  package var photoDigests: [String: PhotoDigests]
  /// Perceptual hashes of the training photos by label, for finding copies; empty in older models.
  package var photoHashes: [String: PhotoHashes]
  /// Perceptual hashes of the photo centers by label, for finding crops; empty in older models.
  package var photoMiddles: [String: PhotoHashes]
  /// The number of capture days of each building's dated photos, by label; empty in older models.
  package var captureDays: [String: Int]
  package var seed: UInt64
  /// The inverse regularization strength, 1e-12 to 1e12.
  package var regularization: Double
  /// Whether the regularization was specified instead of chosen by cross-validation.
  package var isRegularizationGiven: Bool
  /// The shrinkage of the within-class covariance for whitening, 0.1 to 1; `nil` without whitening.
  package var whitening: Double?
  /// The math kernels used for training. The last bits of sums can differ between kernels.
  package var kernel: String
  /// The training data of the features, if the model was updated later with other photos.
  package var featuresSource: Source?
  /// Out-of-fold recall by label.
  package var recall: [String: Recall]
  /// The effect of smaller weight formats on out-of-fold answers, by ``WeightFormat`` name; empty in older models.
  package var rounding: [String: Rounding]

  package struct Source: Equatable, Codable, Sendable {
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

  /// The number of right answers among the photos of one building.
  package struct Recall: Equatable, Codable, Sendable {
    package var right: Int
    package var asked: Int

    package init(right: Int, asked: Int) {
      self.right = right
      self.asked = asked
    }
  }

  /// Out-of-fold answers with 32-bit weights compared with smaller weights.
  package struct Rounding: Equatable, Codable, Sendable {
    package var asked: Int
    /// Photos with a different answer for smaller weights.
    package var changed: Int
    /// Building photos among `asked`.
    package var ofBuildings: Int
    /// Building photos whose building was most probable with 32-bit weights.
    package var rightBefore: Int
    /// Building photos whose building was most probable with smaller weights.
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

  /// Decodes a record. Entries that older models lack are optional.
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

/// Sorted hexadecimal texts of equal length, one per photo, coded as one JSON string without separators.
package struct PhotoTexts<Kind: PhotoTextKind>: Equatable, Sendable {
  private let digits: String

  private init(sorted values: [String]) {
    precondition(
      values.allSatisfy { $0.utf8.count == Kind.length }, "texts without \(Kind.length) digits")
    digits = values.joined()
  }

  /// One text per photo. Equal files have equal texts.
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
        in: container, debugDescription: "expected groups of \(Kind.length) hexadecimal digits")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digits)
  }
}

package protocol PhotoTextKind: Sendable {
  static var length: Int { get }
}

/// The first 8 bytes of each file's SHA-256, which are sufficient to identify a photo.
package typealias PhotoDigests = PhotoTexts<PhotoDigestKind>
package enum PhotoDigestKind: PhotoTextKind { package static let length = 16 }

extension PhotoTexts<PhotoDigestKind> {
  package init(sha256 digests: [String]) {
    self.init(sorted: digests.map { String($0.prefix(Kind.length)) }.sorted())
  }
}

/// Perceptual hashes of 256 bits for photos or their centers.
/// They identify recompressed, resized, mirrored, and (for centers) cropped copies.
package typealias PhotoHashes = PhotoTexts<PhotoHashKind>
package enum PhotoHashKind: PhotoTextKind { package static let length = 64 }

extension PhotoTexts<PhotoHashKind> {
  package init(_ values: [String]) { self.init(sorted: values.sorted()) }
}
