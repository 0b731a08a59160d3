/// The origin of a model: the data for reproducing its training with identical results. Timestamps are omitted.
package struct Provenance: Equatable, Sendable {
  package var version: String
  /// SHA-256 digest over the labels and bytes of all training photos, in order: 64 hexadecimal digits.
  package var dataDigest: String
  package var photos: [String: Int]
  /// Digests of the training photos by label; empty in older models.
  package var photoDigests: [String: PhotoDigests]
  /// Perceptual hashes of the training photos by label, for finding copies; empty in older models.
  package var photoHashes: [String: PhotoHashes]
  /// Perceptual hashes of the photo centers by label, for finding crops; empty in older models.
  package var photoMiddles: [String: PhotoHashes]
  /// The number of different days on which each building's photos were taken, by label; empty in older models.
  package var captureDays: [String: Int]
  package var seed: UInt64
  /// The inverse regularization strength, 1e-12 to 1e12.
  package var regularization: Double
  /// Whether the regularization was specified by the user instead of selected by cross-validation.
  package var isRegularizationGiven: Bool
  /// The shrinkage of the within-class covariance for whitening, 0.1 to 1; `nil` without whitening.
  package var whitening: Double?
  /// The math kernels used for training. Different kernels can produce sums that differ in the last bits.
  package var kernel: String
  /// The training data of the features, if the model was later updated with other photos.
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

  /// The number of correct answers among a building's photos.
  package struct Recall: Equatable, Codable, Sendable {
    package var right: Int
    package var asked: Int

    package init(right: Int, asked: Int) {
      self.right = right
      self.asked = asked
    }
  }

  /// Compares out-of-fold answers between 32-bit weights and a smaller weight format.
  package struct Rounding: Equatable, Codable, Sendable {
    package var asked: Int
    /// Photos whose answer differs with the smaller weights.
    package var changed: Int
    /// The number of building photos in `asked`.
    package var ofBuildings: Int
    /// Building photos whose building ranks first with 32-bit weights.
    package var rightBefore: Int
    /// Building photos whose building ranks first with the smaller weights.
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

  /// Decodes a record. Entries that are missing from older models are optional.
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

/// Sorted hexadecimal strings of equal length, one per photo, encoded as one JSON string without separators.
package struct PhotoTexts<Kind: PhotoTextKind>: Equatable, Sendable {
  private let digits: String

  private init(sorted values: [String]) {
    precondition(
      values.allSatisfy { $0.utf8.count == Kind.length }, "texts without \(Kind.length) digits")
    digits = values.joined()
  }

  /// One string per photo. Equal files have equal strings.
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

/// The first 8 bytes of each file's SHA-256, which are enough to identify a photo.
package typealias PhotoDigests = PhotoTexts<PhotoDigestKind>
package enum PhotoDigestKind: PhotoTextKind { package static let length = 16 }

extension PhotoTexts<PhotoDigestKind> {
  package init(sha256 digests: [String]) {
    self.init(sorted: digests.map { String($0.prefix(Kind.length)) }.sorted())
  }
}

/// 256-bit perceptual hashes of photos or their centers.
/// They identify recompressed, resized, and mirrored copies. Hashes of the centers also identify cropped copies.
package typealias PhotoHashes = PhotoTexts<PhotoHashKind>
package enum PhotoHashKind: PhotoTextKind { package static let length = 64 }

extension PhotoTexts<PhotoHashKind> {
  package init(_ values: [String]) { self.init(sorted: values.sorted()) }
}
