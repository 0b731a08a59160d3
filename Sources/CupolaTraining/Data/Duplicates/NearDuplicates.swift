/// Finds copies among photos: saved again, made smaller, mirrored, or cropped so that at least 80 % of
/// each side is left.
///
/// Candidates are pairs whose perceptual hashes differ in few bits, found by an index; copies are those
/// of them that correlate when they are aligned. Photos of the same thing taken anew are no copies.
enum NearDuplicates {
  /// Two photos that are copies, by their numbers.
  struct Pair: Equatable, Sendable {
    let first: Int
    let second: Int
    let isMirrored: Bool
  }

  /// Least correlations of copies. Of 400 real photos saved again, made smaller and cropped 99.5 % and
  /// more were above; of photos of different buildings that look alike all are below 0.75 in details.
  private static let leastLevels: Float = 0.93
  private static let leastDetails: Float = 0.9
  /// Candidates compared with a photo, the most similar ones.
  private static let limit = 32

  /// All pairs of copies, each once, sorted; photos without a thumbnail have none.
  static func pairs(among thumbnails: [LumaThumbnail?], threads: Int) async -> [Pair] {
    let photos = thumbnails.indices.filter { thumbnails[$0].map { !$0.isPlain } ?? false }
    let codes = await parallelMap(photos, threads: threads) { photo in
      thumbnails[photo].map { SearchCode.whole(of: $0) }
    }.compactMap(\.self)
    let index = CodedPhotos(codes.flatMap { [$0, $0.mirrored] })
    let found = await parallelMap(photos, threads: threads) { photo -> [Pair] in
      guard let thumbnail = thumbnails[photo] else { return [] }
      let alignment = Alignment(thumbnail)
      return candidates(for: thumbnail, index).compactMap { candidate in
        let other = photos[candidate.entry / 2]
        guard other != photo, let picture = thumbnails[other] else { return nil }
        let isMirrored = !candidate.entry.isMultiple(of: 2)
        let target = Alignment(picture)
        guard isCopy(alignment, target, isMirrored: isMirrored, candidate.windows) else {
          return nil
        }
        return Pair(
          first: min(photo, other), second: max(photo, other), isMirrored: isMirrored)
      }
    }
    return unique(found.flatMap(\.self))
  }

  private static func isCopy(
    _ alignment: Alignment, _ target: Alignment, isMirrored: Bool,
    _ windows: [SearchCode.Window]
  ) -> Bool {
    for window in windows {
      let fit = alignment.fit(
        target, isMirrored: isMirrored, near: window, levels: leastLevels, details: leastDetails)
      if fit.levels >= leastLevels && fit.details >= leastDetails { return true }
      // What is this different is so from wherever one starts.
      if fit.levels < hopeless { return false }
    }
    return false
  }

  private static let hopeless: Float = 0.8

  /// Photos, as they are and mirrored, by their codes: equal codes stand in the index once.
  private struct CodedPhotos: Sendable {
    let index: SearchCodeIndex
    /// For each of the index' codes the entries that have it: twice the photo, and one more where
    /// mirrored.
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
    /// The most similar parts, the best first: the search for the right one may start at a wrong one.
    var windows: [SearchCode.Window] = []
    var distances: [Int] = []

    private static let most = 3

    mutating func add(_ window: SearchCode.Window, _ distance: Int) {
      // Chunks may find the same part again.
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
    for thumbnail: LumaThumbnail, _ photos: CodedPhotos
  ) -> [Candidate] {
    var best: [Int: Candidate] = [:]
    for (window, code) in SearchCode.windows(of: thumbnail) {
      photos.index.forEach(near: code) { number, distance in
        best[number, default: Candidate()].add(window, distance)
      }
    }
    var candidates: [Candidate] = []
    for (number, candidate) in best.sorted(by: {
      ($0.value.distances[0], $0.key) < ($1.value.distances[0], $1.key)
    }) {
      // One more than the limit, because a photo finds itself.
      for entry in photos.entries[number].prefix(limit + 1 - candidates.count) {
        var own = candidate
        own.entry = entry
        candidates.append(own)
      }
    }
    return candidates
  }

  /// A pair found both ways counts once; as it is rather than mirrored.
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
