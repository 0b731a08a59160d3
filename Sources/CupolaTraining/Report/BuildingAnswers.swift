internal import Cupola

// 1. Count the answers to the test photos of each building.
// 2. Describe the counts as visitors see them: right, wrong, unsure, rejected.
// 3. Count the answers to each kind of photo in the same way; a rejection is right for photos without a known building.
// 4. Find the weakest building and the buildings without test photos.

struct BuildingAnswers: Sendable {
  let label: String
  let counts: Evaluation.VerdictCounts
  /// The building whose name these photos got most often instead; `nil` if no name was wrong.
  let mistakenFor: String?

  var isPerfect: Bool { counts.namedRight == counts.photos }
  var named: Share { Share(right: counts.namedRight, of: counts.photos) }

  static let columns: [Column<BuildingAnswers>] = [
    .text("label") { $0.label }, .count("photos") { $0.counts.photos },
    .count("right") { $0.counts.namedRight }, .count("wrong") { $0.counts.namedWrong },
    .count("unsure") { $0.counts.unsure }, .count("rejected") { $0.counts.rejected },
  ]
}

extension Evaluation.VerdictCounts {
  /// The counts as text; names given from the position only are mentioned if there are any.
  package var text: String {
    let placed = mappedRight + mappedWrong
    let note =
      placed == 0 ? "" : "; \(placed) of these names from the position only, \(mappedWrong) wrong"
    return "\(namedRight) right, \(namedWrong) wrong, \(unsure) unsure, \(rejected) rejected" + note
  }
}

/// The answers to one kind of photo. Every photo counts once, so the counts add up to the photos.
struct KindAnswers: Sendable {
  enum Kind: String, Sendable {
    case buildings
    case nonBuildings = "non-building photos"
    case unknownBuildings = "unknown buildings"
  }

  let kind: Kind
  let counts: Evaluation.VerdictCounts

  /// The photos that got the right name; for photos without a known building, those that were rejected.
  var right: Int {
    switch kind {
    case .buildings: counts.namedRight
    case .nonBuildings: counts.rejected
    case .unknownBuildings: counts.rejected + counts.mappedRight
    }
  }

  /// The photos that got the name of another building.
  var wrongName: Int {
    kind == .buildings ? counts.namedWrong : counts.right + counts.wrong
  }

  /// Photos of known buildings without an answer; a rejection of any other photo is right.
  var rejected: Int? { kind == .buildings ? counts.rejected : nil }

  /// Photos without a known building that got a name from the position only. The camera may have been near that
  /// building, so these names count as neither right nor wrong.
  var byPosition: Int? {
    let placed =
      switch kind {
      case .buildings: 0
      case .nonBuildings: counts.mappedRight + counts.mappedWrong
      case .unknownBuildings: counts.mappedWrong
      }
    return placed > 0 ? placed : nil
  }

  var text: String {
    if kind == .buildings { return counts.text }
    let word = right == counts.rejected ? "rejected (right)" : "right"
    return "\(right) \(word), \(wrongName) named, \(counts.unsure) unsure"
      + (byPosition.map { ", \($0) named from the position only" } ?? "")
  }

  static let columns: [Column<KindAnswers>] = [
    .text("kind", "photos of") { $0.kind.rawValue }, .count("photos") { $0.counts.photos },
    .count("right", "right answer") { $0.right }, .count("unsure") { $0.counts.unsure },
    .count("rejected", "wrongly rejected") { $0.rejected },
    .count("wrong", "wrong name") { $0.wrongName },
    .count("by_position", "named from the position only") { $0.byPosition },
  ]
}

extension Evaluation {
  /// The answers to each kind of photo that was tested.
  var byKind: [KindAnswers] {
    [
      (KindAnswers.Kind.buildings, known), (.nonBuildings, background),
      (.unknownBuildings, unknown),
    ]
    .filter { !$0.1.isEmpty }.map { KindAnswers(kind: $0, counts: verdicts($1)) }
  }

  /// The number of non-building photos that show other buildings, as an addition to their count.
  var ofOtherBuildings: String {
    Labels.partNearby(
      background.count { $0.photo.label == Labels.otherBuildings }, of: background.count)
  }

  /// The buildings with test photos, in the order of the model's labels.
  var byBuilding: [BuildingAnswers] {
    let answers = Dictionary(grouping: known, by: \.photo.label)
    return confusion.labels.compactMap { label in
      guard let own = answers[label] else { return nil }
      let wrong = own.filter { $0.verdict == .building && !$0.isRightWithPlace }
        .compactMap(\.answered)
      let times = Dictionary(grouping: wrong, by: \.self).mapValues(\.count)
      let most = times.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
      return BuildingAnswers(label: label, counts: verdicts(own), mistakenFor: most)
    }
  }

  /// The buildings with test photos, the weakest first; of equal ones, the one with more wrong names.
  var worstFirst: [BuildingAnswers] {
    byBuilding.enumerated().sorted { a, b in
      (b.element.counts.namedWrong, a.offset) < (a.element.counts.namedWrong, b.offset)
    }.map(\.element).weakestFirst(\.named)
  }

  /// The buildings of the model without test photos.
  var untested: [String] {
    let tested = Set(known.map(\.photo.label))
    return confusion.labels.filter { !tested.contains($0) }
  }
}
