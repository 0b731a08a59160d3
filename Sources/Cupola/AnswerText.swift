internal import CupolaSupport

// 1. The title of each verdict, the same in commands, pages, apps and exports.
// 2. The detail: the probability of a building, or the reason for another verdict.
// 3. The texts of a photo's answer and of a live answer.

/// The text of an answer, the same wherever it is shown.
public struct AnswerText: Equatable, Sendable {
  /// The verdict with the names of its buildings, such as "Old Arch" or "Unsure: Old Arch or Red Barn".
  public let title: String
  /// The probability of the building, or the reason for the verdict; `nil` if there is none.
  public let detail: String?
  /// Title and detail in one line.
  public let line: String

  init(_ title: String, detail: String? = nil, line: String? = nil) {
    (self.title, self.detail) = (title, detail)
    self.line = line ?? title + (detail.map { " (\($0))" } ?? "")
  }

  /// Returns the title of a verdict. `names` contains the building, or the two buildings of an unsure answer.
  package static func title(_ verdict: Recognition.Verdict, _ names: [String]) -> String {
    let first = names.first ?? ""
    return switch verdict {
    case .building: first
    case .mappedBuilding: "Probably \(first)"
    // A model with a single building can be unsure too, if the position contradicts the image.
    case .unsure: "Unsure: \(first) or \(names.dropFirst().first ?? "something else")"
    case .notACampusBuilding: "Not a Campus Building"
    case .notOnCampus: "Not on Campus"
    }
  }
}

extension Recognition {
  /// Returns the text of the answer.
  ///
  /// - Parameter campus: The map with the names of the buildings; if `nil`, labels are shown.
  public func text(in campus: Campus?) -> AnswerText {
    let names = namedLabels.map { campus?.building(labeled: $0)?.name ?? $0 }
    let title = AnswerText.title(verdict, names)
    switch reason {
    case .contradicted:
      let detail = "the image indicates \(names[0]), but the position indicates \(names[1])"
      return AnswerText(title, detail: detail, line: "Unsure: \(detail)")
    default: return AnswerText(title, detail: detail)
    }
  }

  /// Whether the photo would get a name without its position.
  package var isRejectedByPlace: Bool {
    verdict == .notACampusBuilding && place == .contradicts
  }

  /// The building that the image alone shows, if only the position led to the rejection; otherwise `nil`.
  package func imageNote(in campus: Campus?) -> String? {
    guard isRejectedByPlace else { return nil }
    return candidates.max { $0.imageProbability < $1.imageProbability }?.imageNote(in: campus)
  }

  /// The candidates to show next to the answer, without those shown as 0.0%.
  ///
  /// Their probabilities do not depend on the thresholds, and so not on whether the photo gets a name.
  package var shownCandidates: [Candidate] {
    candidates.filter { $0.probability >= Digits.leastPercent }
  }

  /// Whether to show the probabilities of the candidates next to the answer.
  ///
  /// A rejection already contains the probability of something else. The candidates' probabilities have another base,
  /// without unknown buildings. Next to each other, both are misread as parts of 100%.
  public var showsProbabilities: Bool {
    switch reason {
    case .background, .unknownBuilding: false
    default: true
    }
  }

  /// A low accepted error rate also rejects photos whose best building is more probable than everything else.
  private func doubt(_ probability: Double) -> String {
    let best = candidates.first.map { familiarity * $0.probability } ?? 0
    let text = Digits.percent(probability) + " something else"
    guard best < probability else {
      return probability < Digits.leastPercent
        ? "too uncertain for the accepted error rate"
        : text + ", too much for the accepted error rate"
    }
    return probability < 0.5 ? text + ", more than any building" : text
  }

  private var namedLabels: [String] {
    switch reason {
    case .tooClose: candidates.prefix(2).map(\.label)
    case .contradicted(let picture, let place): [picture, place]
    default: [label].compactMap(\.self)
    }
  }

  private var detail: String? {
    switch reason {
    case .recognized: return probability.map(Digits.percent)
    case .outsideGeofence:
      let place = position.map {
        Digits.decimal($0.latitude, digits: 5) + "," + Digits.decimal($0.longitude, digits: 5)
      }
      return "\(place ?? "its position") is outside the fence"
    // An unfamiliar image can also show an object, so the text is the same.
    case .background(let probability), .unknownBuilding(let probability): return doubt(probability)
    case .unfamiliar: return "no building is probable enough"
    case .byPlaceOnly:
      return "no training photos; based on position"
        + (heading == nil ? " only" : " and heading only")
    case .noBuildings: return "the model has no buildings"
    case .tooClose, .contradicted: return nil
    }
  }
}

extension Recognition.Candidate {
  package func imageNote(in campus: Campus?) -> String {
    "without the position: \(campus?.building(labeled: label)?.name ?? label) "
      + "(\(Digits.percent(imageProbability)))"
  }
}

extension LiveAnswer {
  /// The probability below which an unsure answer does not name a building.
  private static let leastAlternative = 0.05

  /// Returns the text of the answer.
  ///
  /// - Parameters:
  ///   - campus: The map with the names of the buildings; if `nil`, labels are shown.
  ///   - candidates: The most probable buildings, from ``LiveRecognizer/candidates(_:)``. An unsure answer contains
  ///     the first two, or one if the second is improbable.
  public func text(
    in campus: Campus?, candidates: [(label: String, probability: Double)] = []
  ) -> AnswerText {
    let likely = candidates.prefix(2).filter { $0.probability >= Self.leastAlternative }
    let labels = verdict == .unsure ? likely.map(\.label) : [label ?? ""]
    let names = labels.map { campus?.building(labeled: $0)?.name ?? $0 }
    guard let verdict = Recognition.Verdict(rawValue: verdict.rawValue) else {
      return AnswerText("Looking...")
    }
    return AnswerText(
      AnswerText.title(verdict, names), detail: probability.map(Digits.percent))
  }
}
