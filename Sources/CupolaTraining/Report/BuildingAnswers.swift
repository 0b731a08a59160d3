internal import Cupola

// 1. Count the answers to the test photos of each building.
// 2. Describe the counts as visitors see them: right, wrong, unsure, rejected.
// 3. Find the weakest building and the buildings without test photos.

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
  var text: String {
    let placed = mappedRight + mappedWrong
    let note =
      placed == 0 ? "" : "; \(placed) of these names from the position only, \(mappedWrong) wrong"
    return "\(namedRight) right, \(namedWrong) wrong, \(unsure) unsure, \(rejected) rejected" + note
  }
}

extension Evaluation {
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
