package import Cupola

// 1. Find training photos by digest. 2. Find copies by perceptual hash, and crops by hashes of image areas.
// 3. Set aside the photos that were used for training.
// 4. Compute the accuracy with and without these photos (LeakReport).

/// Training photos among the test photos, and their copies and crops; they inflate the metrics.
///
/// Finds copies that were saved again, reduced or mirrored, and crops of at least 80% of each side. With only the model
/// file, it finds 98% of these. With the training photos, it finds 99%, including wider views.
package struct TrainingOverlap: Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case same = "same_file"
    case copy
    /// A crop, a wider view, or another photo from exactly the same spot.
    case crop
  }

  package private(set) var asked: Int
  package private(set) var found: [[UInt8]: Kind]
  /// The found photos and the training photos that they resemble, in order.
  private var examples: [(file: [UInt8], text: String)] = []
  package var example: String? { examples.first?.text }
  /// Whether the model records its training photos; very old models do not.
  package let isKnown: Bool
  /// Whether the model contains hashes; without them, copies and crops are found only if the training photos are
  /// available.
  package let hasHashes: Bool
  /// The days of each building's training photos; `nil` if some of the photos or their dates are missing.
  private(set) var trainedDays: [String: Set<String>]?

  package init(
    of photos: ScoredPhotos, beside neighbors: [LabeledPhoto] = [],
    with model: Model, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async {
    let record = TrainingRecord(model.provenance)
    asked = photos.count
    (isKnown, hasHashes) = (record.isKnown, record.hasHashes)
    guard isKnown else {
      found = [:]
      return
    }
    let candidates = await parallelMap(photos.photos.map(\.traits), threads: threads) { traits in
      Candidate(photo: traits.photo, thumbnail: traits.thumbnail, kind: record.kind(of: traits))
    }
    let trained = await neighbors.reading(threads: threads, progress: progress) {
      photo throws(CupolaError) in try record.trained(photo, decoder, model.recipe)
    }.values.compactMap(\.self)
    trainedDays = Self.days(of: trained, model)
    let known = candidates.filter { $0.kind == .same } + trained
    let open = candidates.filter { $0.kind == nil || $0.kind == .crop }
    let originals = await NearDuplicates.originals(
      of: open.map(\.thumbnail), among: known.map(\.thumbnail), threads: threads)
    var found: [[UInt8]: Kind] = [:]
    for candidate in candidates { found[candidate.photo.file] = candidate.kind }
    var sources: [[UInt8]: String] = [:]
    // Photos that match only by the hash of their center.
    var doubtful: [LabeledPhoto] = []
    for (candidate, original) in zip(open, originals) {
      if let original {
        found[candidate.photo.file] = .crop
        sources[candidate.photo.file] = known[original].photo.name
      } else if candidate.kind == .crop {
        doubtful.append(candidate.photo)
      }
    }
    if doubtful.count * Self.photosPerFalseMatch > photos.count { doubtful = [] }
    for photo in doubtful { found[photo.file] = nil }
    self.found = found
    for photo in candidates.map(\.photo) where found[photo.file] != nil {
      let source = sources[photo.file].map { " (like \($0))" } ?? ""
      examples.append((photo.file, photo.path + source))
    }
  }

  /// Removes the training photos among non-building photos that have no split, and returns the other photos.
  ///
  /// Training uses only a part of a folder of non-building photos; the digests in the model tell which part.
  package mutating func setAsideBackground(from photos: ScoredPhotos) -> ScoredPhotos {
    setAside(from: photos) { $0.split == nil && Labels.isBackground($0.label) }
  }

  /// Removes all found photos, and returns the other photos.
  package mutating func setAside(from photos: ScoredPhotos) -> ScoredPhotos {
    setAside(from: photos) { _ in true }
  }

  /// Whether so many photos trained the model that the others would show little.
  package var areMost: Bool { found.count * 2 > asked }

  private mutating func setAside(
    from photos: ScoredPhotos, where isAside: (LabeledPhoto) -> Bool
  ) -> ScoredPhotos {
    let kept = photos.photos.filter { found[$0.photo.file] == nil || !isAside($0.photo) }
    guard kept.count < photos.photos.count else { return photos }
    let files = Set(kept.map(\.photo.file))
    found = found.filter { files.contains($0.key) }
    examples.removeAll { !files.contains($0.file) }
    asked -= photos.photos.count - kept.count
    return ScoredPhotos(photos: kept, skipped: photos.skipped)
  }

  /// By chance, at most 1 in 50 photos matches a crop (4 of 1,070 views in the vyronas set). Fewer matches are ignored.
  private static let photosPerFalseMatch = 50

  private struct Candidate: Sendable {
    let photo: LabeledPhoto
    let thumbnail: LumaThumbnail?
    let kind: Kind?
    var day: String?
  }

  private static func days(of trained: [Candidate], _ model: Model) -> [String: Set<String>]? {
    let photos = Dictionary(grouping: trained, by: \.photo.label)
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    let areAllDated = buildings.allSatisfy { label in
      let own = photos[label] ?? []
      return own.count >= model.provenance.photos[label] ?? 0 && own.allSatisfy { $0.day != nil }
    }
    return areAllDated ? photos.mapValues { Set($0.compactMap(\.day)) } : nil
  }

  private struct TrainingRecord: Sendable {
    let digests: Set<String>
    private let hashes: [PerceptualHash]
    private let crops: CropSearch

    /// If a model has hashes but no digests, its own photos are found in the same way as copies.
    var isKnown: Bool { !digests.isEmpty || hasHashes }
    var hasHashes: Bool { !hashes.isEmpty }

    init(_ provenance: Provenance) {
      func distinct(_ hashes: [String: PhotoHashes]) -> [PerceptualHash] {
        Set(hashes.values.flatMap(\.values)).sorted()
          .compactMap(PerceptualHash.init(hexadecimal:))
      }
      digests = Set(provenance.photoDigests.values.flatMap(\.values))
      hashes = distinct(provenance.photoHashes)
      crops = CropSearch(middles: distinct(provenance.photoMiddles))
    }

    func kind(of photo: PhotoTraits) -> Kind? {
      if digests.isSuperset(of: PhotoDigests(sha256: [photo.digest]).values) { return .same }
      guard let thumbnail = photo.thumbnail, !thumbnail.isPlain else { return nil }
      let hash = PerceptualHash(thumbnail)
      let isCopy = hashes.contains {
        $0.distance(to: hash) <= PerceptualHash.reach
          || $0.distance(to: hash.mirrored) <= PerceptualHash.reach
      }
      if isCopy { return .copy }
      return crops.finds(thumbnail) ? .crop : nil
    }

    /// Returns a training photo; `nil` for other photos, which are not decoded.
    func trained(
      _ photo: LabeledPhoto, _ decoder: PhotoDecoder, _ recipe: Recipe
    ) throws(CupolaError) -> Candidate? {
      let bytes = try photo.bytes(limit: decoder.maximumBytes)
      let digest = SHA256.hexadecimal(of: bytes)
      guard digests.isSuperset(of: PhotoDigests(sha256: [digest]).values) else { return nil }
      let opened = try decoder.open(bytes)
      return Candidate(
        photo: photo, thumbnail: LumaThumbnail(try recipe.decode(opened)), kind: .same,
        day: photo.metadata(of: opened).capture?.dayName)
    }
  }
}

package struct LeakReport: Sendable {
  package let counts: [TrainingOverlap.Kind: Int]
  package let free: Share
  package let leaking: Share
  let difference: NewcombeInterval?

  init?(_ evaluation: Evaluation) {
    counts = Dictionary(grouping: evaluation.all.compactMap(\.facts.leak), by: \.self)
      .mapValues(\.count)
    guard !counts.isEmpty else { return nil }
    free = Share(of: evaluation.known.filter { $0.facts.leak == nil }, where: \.isRight)
    leaking = Share(of: evaluation.known.filter { $0.facts.leak != nil }, where: \.isRight)
    difference = NewcombeInterval(leaking, minus: free)
  }

  var json: JSONObject {
    [
      "same": count(.same), "copies": count(.copy), "crops": count(.crop),
      "photos_leak_free": free.photos, "photos_leaking": leaking.photos,
    ]
  }

  private func count(_ kind: TrainingOverlap.Kind) -> Int { counts[kind] ?? 0 }

  func sentence(asked: Int) -> String {
    "the model was trained on \(count(.same)) of \(FigureText.count(asked, "photo")), on copies of "
      + "\(count(.copy)) more and on crops of \(count(.crop))"
  }

  func text(asked: Int) -> String {
    func told(_ share: Share) -> String {
      guard share.photos > 0 else { return "no photos" }
      return "\(FigureText.percent(share.accuracy)) of \(share.photos)"
        + FigureText.inBrackets(share.interval.ends)
    }
    var rows = [("top-1 without leaks", told(free)), ("top-1 of the leaks", told(leaking))]
    if let difference {
      func points(_ share: Double) -> String { FigureText.decimal(100 * share, digits: 1) }
      let ends = "\(points(difference.lower)) to \(points(difference.upper))"
      let text = "\(points(difference.difference)) points (95% interval \(ends))"
      rows.append(("leaks minus the others", text))
    }
    return "LEAKS: \(sentence(asked: asked)); the metrics above include these photos\n"
      + TextColumns.facts(rows, width: 28)
  }
}
