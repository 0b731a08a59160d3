internal import Cupola

// 1. Merge identical thumbnails (`DistinctPictures`).
// 2. Find candidates with an index of search codes (`SearchCode`).
// 3. Align candidates, and report those with high correlation as copies (`Alignment`).

/// Finds copies of photos: recompressed, resized, mirrored, or cropped to at least 80% of each side.
///
/// A second photo of the same object is not a copy.
enum NearDuplicates {
  struct Pair: Equatable, Sendable {
    let first: Int
    let second: Int
    let isMirrored: Bool
  }

  /// The minimum correlations of copies; at least 99.5% of 400 altered real photos exceed them.
  ///
  /// For photos of different, similar buildings, the correlation of details stays below 0.75.
  private static let leastLevels: Float = 0.93
  private static let leastDetails: Float = 0.9
  /// The maximum hash distance of copies, in bits.
  ///
  /// Planted crops differ in up to 15 bits, and copies found on the web in up to 23. Photos from the same spot in
  /// different lighting differ in at least 28.
  private static let exactReach = 24
  private static let limit = 32

  /// Returns all pairs of copies, sorted.
  ///
  /// In a large set of identical photos, each photo is paired only with the first few.
  static func pairs(
    among thumbnails: [LumaThumbnail?], threads: Int, progress: (@Sendable (Int) -> Void)? = nil
  ) async -> [Pair] {
    let distinct = DistinctPictures(thumbnails)
    let matches = await matches(
      among: distinct, of: thumbnails.count, threads: threads, progress: progress)
    var pairs = distinct.photos.flatMap { joined($0, $0, isMirrored: false) }
    for match in matches {
      pairs += joined(
        distinct.photos[match.looking], distinct.photos[match.found], isMirrored: match.isMirrored)
    }
    return unique(pairs)
  }

  /// Joins copies into sets; skips pairs whose photos are already in one set.
  static func join(
    _ thumbnails: [LumaThumbnail?], in sets: inout DisjointSets, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async {
    let distinct = DistinctPictures(thumbnails)
    for photos in distinct.photos { for photo in photos { sets.join(photos[0], photo) } }
    var known = DisjointSets(count: distinct.pictures.count)
    known.joinEqual(distinct.photos.map { sets.root(of: $0[0]) })
    let joined = Locked(known)
    let matches = await matches(
      among: distinct, of: thumbnails.count, threads: threads, joining: joined, progress: progress)
    for match in matches {
      sets.join(distinct.photos[match.looking][0], distinct.photos[match.found][0])
    }
  }

  /// Returns, for each photo, the first of `others` that is its copy or original.
  ///
  /// Unlike ``pairs(among:threads:)``, also compares hashes of the common area, which excludes new photos from the same
  /// spot.
  static func originals(
    of thumbnails: [LumaThumbnail?], among others: [LumaThumbnail?], threads: Int
  ) async -> [Int?] {
    let (asked, known) = (DistinctPictures(thumbnails), DistinctPictures(others))
    let wider = await matches(
      of: asked.pictures, among: known.pictures, areSame: false, threads: threads)
    let narrower = await matches(
      of: known.pictures, among: asked.pictures, areSame: false, threads: threads)
    var originals = [Int?](repeating: nil, count: thumbnails.count)
    let found =
      wider.filter { $0.isExact(asked.pictures, known.pictures) }.map { ($0.looking, $0.found) }
      + narrower.filter { $0.isExact(known.pictures, asked.pictures) }
      .map { ($0.found, $0.looking) }
    for (picture, other) in found {
      let first = known.photos[other][0]
      for photo in asked.photos[picture] {
        originals[photo] = min(originals[photo] ?? first, first)
      }
    }
    return originals
  }

  /// A window of image `looking` that matches the whole image `found`.
  private struct Match: Sendable {
    let looking: Int
    let found: Int
    let isMirrored: Bool
    let window: SearchCode.CropWindow

    func isExact(_ looking: [LumaThumbnail], _ found: [LumaThumbnail]) -> Bool {
      let (picture, other) = (looking[self.looking], found[self.found])
      // Align exactly, because hashes are more sensitive to shifts than correlations.
      let fit = Alignment(picture).fit(
        Alignment(other), isMirrored: isMirrored, near: window, levels: .infinity,
        details: .infinity)
      let whole = PerceptualHash(other)
      return PerceptualHash(picture, window: fit.window)
        .distance(to: isMirrored ? whole.mirrored : whole) <= exactReach
    }
  }

  private static func matches(
    among distinct: DistinctPictures, of photos: Int, threads: Int,
    joining joined: Locked<DisjointSets>? = nil, progress: (@Sendable (Int) -> Void)?
  ) async -> [Match] {
    let pictures = distinct.pictures
    let matches = await matches(
      of: pictures, among: pictures, areSame: true, threads: threads, joining: joined,
      progress: progress)
    if pictures.count < photos { progress?(photos) }
    return matches
  }

  /// - Parameter joined: Sets of joined images, which grow; pairs within a set are not compared.
  private static func matches(
    of pictures: [LumaThumbnail], among others: [LumaThumbnail], areSame: Bool, threads: Int,
    joining joined: Locked<DisjointSets>? = nil, progress: (@Sendable (Int) -> Void)? = nil
  ) async -> [Match] {
    let codes = await parallelMap(others, threads: threads) { SearchCode.whole(of: $0) }
    let index = CodedPictures(codes.flatMap { [$0, $0.mirrored] })
    let matches = await parallelMap(
      Array(pictures.indices), threads: threads, progress: progress
    ) { number in
      let alignment = Alignment(pictures[number])
      return candidates(for: pictures[number], index).compactMap { candidate -> Match? in
        let (other, isMirrored) = (candidate.entry / 2, !candidate.entry.isMultiple(of: 2))
        guard !areSame || other != number else { return nil }
        let isJoined = joined?.withLock { $0.root(of: number) == $0.root(of: other) } ?? false
        let target = isJoined ? nil : Alignment(others[other])
        let window = target.flatMap {
          copy(alignment, $0, isMirrored: isMirrored, candidate.windows)
        }
        guard let window else { return nil }
        joined?.withLock { $0.join(number, other) }
        return Match(looking: number, found: other, isMirrored: isMirrored, window: window)
      }
    }
    return matches.flatMap(\.self)
  }

  /// Pairs each photo with only the first few photos of the other image, to limit the number of pairs.
  private static func joined(_ first: [Int], _ second: [Int], isMirrored: Bool) -> [Pair] {
    func pairs(_ all: [Int], _ few: ArraySlice<Int>) -> [Pair] {
      all.flatMap { photo in
        few.filter { $0 != photo }.map {
          Pair(first: min(photo, $0), second: max(photo, $0), isMirrored: isMirrored)
        }
      }
    }
    return pairs(first, second.prefix(limit)) + pairs(second, first.prefix(limit))
  }

  private static func copy(
    _ alignment: Alignment, _ target: Alignment, isMirrored: Bool,
    _ windows: [SearchCode.CropWindow]
  ) -> SearchCode.CropWindow? {
    for window in windows {
      let fit = alignment.fit(
        target, isMirrored: isMirrored, near: window, levels: leastLevels, details: leastDetails)
      if fit.levels >= leastLevels && fit.details >= leastDetails { return fit.window }
      if fit.levels < hopeless { return nil }
    }
    return nil
  }

  private static let hopeless: Float = 0.8

  private struct CodedPictures: Sendable {
    let index: SearchCodeIndex
    /// The entries for each code: twice the image's number, plus 1 if mirrored.
    let entries: [[Int]]

    init(_ codes: [SearchCode]) {
      var numbers: [SearchCode: Int] = [:]
      var (unique, entries): ([SearchCode], [[Int]]) = ([], [])
      for (entry, code) in codes.enumerated() {
        if let number = numbers[code] {
          entries[number].append(entry)
        } else {
          numbers[code] = unique.count
          unique.append(code)
          entries.append([entry])
        }
      }
      index = SearchCodeIndex(unique)
      self.entries = entries
    }
  }

  private struct Candidate {
    var entry = 0
    /// The most similar windows, best first; several are kept, because the best may be a poor start for alignment.
    var windows: [SearchCode.CropWindow] = []
    var distances: [Int] = []
    private static let most = 3

    mutating func add(_ window: SearchCode.CropWindow, _ distance: Int) {
      guard windows.count < Self.most || distance < distances[Self.most - 1],
        !windows.contains(window)
      else { return }
      let place = distances.firstIndex { $0 > distance } ?? distances.count
      windows.insert(window, at: place)
      distances.insert(distance, at: place)
      if windows.count > Self.most {
        windows.removeLast()
        distances.removeLast()
      }
    }
  }

  private static func candidates(
    for thumbnail: LumaThumbnail, _ pictures: CodedPictures
  ) -> [Candidate] {
    var best: [Int: Candidate] = [:]
    for (window, code) in SearchCode.windows(of: thumbnail) {
      pictures.index.forEach(near: code) { number, distance in
        best[number, default: Candidate()].add(window, distance)
      }
    }
    var candidates: [Candidate] = []
    for (number, candidate) in best.sorted(by: {
      ($0.value.distances[0], $0.key) < ($1.value.distances[0], $1.key)
    }) {
      for entry in pictures.entries[number].prefix(limit + 1 - candidates.count) {
        var own = candidate
        own.entry = entry
        candidates.append(own)
      }
    }
    return candidates
  }

  private static func unique(_ pairs: [Pair]) -> [Pair] {
    let sorted = pairs.sorted {
      ($0.first, $0.second, $0.isMirrored ? 1 : 0) < ($1.first, $1.second, $1.isMirrored ? 1 : 0)
    }
    var kept: [Pair] = []
    for pair in sorted where kept.last?.first != pair.first || kept.last?.second != pair.second {
      kept.append(pair)
    }
    return kept
  }
}

/// The distinct thumbnails of a photo set, so that identical photos are compared once.
struct DistinctPictures: Sendable {
  private(set) var pictures: [LumaThumbnail] = []
  private(set) var photos: [[Int]] = []

  init(_ thumbnails: [LumaThumbnail?]) {
    var numbers: [LumaThumbnail: Int] = [:]
    for (photo, thumbnail) in thumbnails.enumerated() {
      guard let thumbnail, !thumbnail.isPlain else { continue }
      if let number = numbers[thumbnail] {
        photos[number].append(photo)
      } else {
        numbers[thumbnail] = pictures.count
        pictures.append(thumbnail)
        photos.append([photo])
      }
    }
  }
}
