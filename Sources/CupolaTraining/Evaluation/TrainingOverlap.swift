public import Cupola

/// Which of some photos trained a model: figures of these flatter it.
///
/// Found are the files themselves, and their copies saved again, made smaller or mirrored, but not
/// cropped ones: a model keeps too little of its photos for that.
public struct TrainingOverlap: Sendable {
  /// How many photos were looked at.
  public let asked: Int
  /// Paths of photos that trained the model, in the order asked.
  public let same: [String]
  /// Paths of photos that are copies of such photos, in the order asked.
  public let copies: [String]
  /// Whether the model says which photos trained it; very old ones do not.
  public let isKnown: Bool

  /// Whether there is none.
  public var isEmpty: Bool { same.isEmpty && copies.isEmpty }
  /// Paths of all of them.
  public var paths: Set<String> { Set(same + copies) }

  private enum Kind { case same, copy }

  /// Looks at every photo; those that cannot be read are passed over.
  public init(
    of photos: [LabelledPhoto], with provenance: Provenance, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async {
    let digests = Set(provenance.photoDigests.values.flatMap(\.values))
    let hashes = Set(provenance.photoHashes.values.flatMap(\.values))
      .compactMap(PerceptualHash.init(hexadecimal:))
    asked = photos.count
    isKnown = !digests.isEmpty
    guard isKnown else {
      (same, copies) = ([], [])
      return
    }
    let kinds = await parallelMap(photos, threads: threads, progress: progress) { photo -> Kind? in
      guard let traits = try? PhotoTraits(reading: photo, with: decoder) else { return nil }
      let digest = PhotoDigests(sha256: [traits.digest]).values
      if digests.isSuperset(of: digest) { return .same }
      guard let thumbnail = traits.thumbnail, !thumbnail.isPlain else { return nil }
      let hash = PerceptualHash(thumbnail)
      let isCopy = hashes.contains {
        $0.distance(to: hash) <= PerceptualHash.reach
          || $0.distance(to: hash.mirrored) <= PerceptualHash.reach
      }
      return isCopy ? .copy : nil
    }
    same = zip(photos, kinds).filter { $1 == .same }.map(\.0.path)
    copies = zip(photos, kinds).filter { $1 == .copy }.map(\.0.path)
  }

  /// Right answers among the photos of known buildings that did not train the model, and those that did.
  public func top1(
    in evaluation: Evaluation
  ) -> (leakFree: WilsonInterval.Share, leaking: WilsonInterval.Share) {
    let paths = paths
    func share(_ answers: [Evaluation.Answer]) -> WilsonInterval.Share {
      WilsonInterval.Share(right: answers.count(where: \.isRight), asked: answers.count)
    }
    return (
      share(evaluation.known.filter { !paths.contains($0.photo.path) }),
      share(evaluation.known.filter { paths.contains($0.photo.path) })
    )
  }
}

extension WilsonInterval {
  /// Right answers among some.
  public struct Share: Equatable, Sendable {
    /// Answered right.
    public let right: Int
    /// Asked about.
    public let asked: Int

    /// The share; `nil` of none.
    public var value: Double? { asked == 0 ? nil : Double(right) / Double(asked) }
    /// Its 95 % interval.
    public var interval: WilsonInterval { WilsonInterval(successes: right, of: asked) }
  }
}

/// What leaks do to the figures, as JSON in the report.
struct LeakReport: Encodable, Sendable {
  let same: Int
  let copies: Int
  let photosLeakFree: Int
  let top1LeakFree: Double?
  let top1LeakFreeInterval: [Double]
  let photosLeaking: Int
  let top1Leaking: Double?

  enum CodingKeys: String, CodingKey {
    case same, copies
    case photosLeakFree = "photos_leak_free"
    case top1LeakFree = "top1_leak_free"
    case top1LeakFreeInterval = "top1_leak_free_interval"
    case photosLeaking = "photos_leaking"
    case top1Leaking = "top1_leaking"
  }

  /// `nil` when there are no leaks.
  init?(_ overlap: TrainingOverlap, _ evaluation: Evaluation) {
    guard !overlap.isEmpty else { return nil }
    let shares = overlap.top1(in: evaluation)
    same = overlap.same.count
    copies = overlap.copies.count
    photosLeakFree = shares.leakFree.asked
    top1LeakFree = shares.leakFree.value
    top1LeakFreeInterval = shares.leakFree.interval.ends
    photosLeaking = shares.leaking.asked
    top1Leaking = shares.leaking.value
  }
}
