import Cupola
import CupolaTraining

// 1. An explanation as JSON.
// 2. The same in sentences.
// 3. The training photo that a retrieval model finds most similar.

extension JSONObject {
  /// An explanation: schema `cupola.explanation/1`.
  init(
    explaining photo: String, _ explanation: Explanation, _ answer: Recognition, picture: String?,
    match: String? = nil
  ) {
    let areas = PictureArea.allCases.map { area -> (String, JSONObject.Member?) in
      let extent = explanation.extent(of: area)
      return (
        area.rawValue,
        ["evidence": explanation.share(of: area), "extent": extent] as JSONObject
      )
    }
    self = [
      "schema": "cupola.explanation/1", "photo": photo, "picture": picture,
      "verdict": answer.verdict, "answer": answer.label, "label": explanation.label,
      "against": explanation.against, "probability": explanation.probability,
      "against_probability": explanation.againstProbability,
      "logit_difference": explanation.logitDifference,
      "bias_difference": explanation.biasDifference, "evidence_for": explanation.evidenceFor,
      "evidence_against": explanation.evidenceAgainst, "areas": JSONObject(areas),
      "suspicious": explanation.isSuspicious,
      "match": explanation.match.map {
        ["sha256": $0.digest, "cosine": $0.cosine, "photo": match] as JSONObject
      }, "map": JSONObject.map(of: explanation),
    ]
  }

  private static func map(of explanation: Explanation) -> JSONObject {
    let (map, region) = (explanation.map, explanation.region)
    return [
      "columns": map.columns, "rows": map.rows,
      "region": [
        "x": region.x, "y": region.y, "width": region.width, "height": region.height,
      ] as JSONObject,
      "values": (0..<map.rows).map { row in (0..<map.columns).map { map[$0, row] } },
    ]
  }
}

struct ExplanationText {
  private let explanation: Explanation
  private let headline: String
  private let label: String
  private let against: String
  /// Whether the answer is another one because of the place.
  private let isOverruled: Bool
  /// The name of the training photo that is most like the photo, if it was found.
  private let match: String?

  /// - Parameter isAsked: whether somebody named the label, so that it need not be the answer.
  init(
    _ explanation: Explanation, _ answer: Recognition, _ campus: Campus?, isAsked: Bool,
    match: String? = nil
  ) {
    (self.explanation, self.match) = (explanation, match)
    headline = VisibleText.line(answer.headline(in: campus))
    isOverruled = !isAsked && answer.label.map { $0 != explanation.label } ?? false
    label = VisibleText.line(campus.name(of: explanation.label))
    against = VisibleText.line(campus.name(of: explanation.against))
  }

  var lines: [String] {
    [
      headline,
      "  \(source): \(names.0) rather than \(names.1)",
      "  " + balance,
      "  " + places,
    ] + likeness
  }

  /// Which of the remembered photos of the label is most like the photo.
  private var likeness: [String] {
    guard let found = explanation.match else { return [] }
    let photo = match.map(VisibleText.line) ?? "one whose SHA-256 begins with \(found.digest)"
    return [
      "  of the training photos of \(label) it is most like \(photo), cosine "
        + FigureText.decimal(found.cosine, digits: 2)
    ]
  }

  /// What both colors of a picture speak for.
  var names: (String, String) {
    (
      label + share(explanation.probability), against + share(explanation.againstProbability)
    )
  }

  private var source: String {
    isOverruled ? "by the picture alone, without its place" : "by the picture"
  }

  /// In brackets; nothing where it would be 0.0 %.
  private func share(_ probability: Double) -> String {
    probability < FigureText.leastPercent ? "" : " (\(FigureText.percent(probability)))"
  }

  /// Which of both the picture speaks for, and how much of what speaks at all speaks for the other.
  private var balance: String {
    let (own, other) = (explanation.evidenceFor, -explanation.evidenceAgainst)
    guard own + other > 0 else {
      return "nothing in the picture speaks for one of both" + decision
    }
    return
      "of what tells both apart in the picture \(whole(own / (own + other))) speaks for \(label), "
      + "\(whole(other / (own + other))) for \(against)" + decision
  }

  /// What decides where it is not the picture: the part of the difference that no place in it has.
  private var decision: String {
    let difference = explanation.logitDifference
    let picture = explanation.evidenceFor + explanation.evidenceAgainst
    guard difference != 0, picture * difference <= 0 else { return "" }
    return "; what does not come from the picture decides for \(difference > 0 ? label : against)"
  }

  /// What should make people look closer.
  var warning: String? {
    guard explanation.isSuspicious else { return nil }
    let share = (explanation.share(of: .sky) ?? 0) + (explanation.share(of: .border) ?? 0)
    return "\(whole(share)) of the evidence lies in sky or at the border, not on a building; train "
      + "with more photos, of other days and other places to stand"
  }

  private var places: String {
    guard explanation.map.magnitude > 0 else {
      return "no evidence anywhere: the picture has no edges"
    }
    let places: [(area: PictureArea, name: String)] = [
      (.middle, "in the middle of the picture"), (.elsewhere, "around the middle"),
      (.sky, "in sky"), (.border, "at the border"),
    ]
    // The most first; what is next to nothing is not told.
    let shares = places.map { (share: explanation.share(of: $0.area) ?? 0, name: $0.name) }
      .filter { $0.share >= Self.leastShare }.sorted { $0.share > $1.share }
    let first = shares.prefix(1).map { "\(whole($0.share)) of the evidence lies \($0.name)" }
    return (first + shares.dropFirst().map { "\(whole($0.share)) \($0.name)" })
      .joined(separator: ", ")
  }

  /// A share that stands there as 0 % tells nothing.
  private static let leastShare = 0.005

  private func whole(_ share: Double) -> String {
    FigureText.decimal(100 * share, digits: 0) + " %"
  }
}

/// The training photo that a retrieval model finds most like a picture, as a file of a folder.
struct MatchedPhoto {
  let name: String
  let photo: Photo

  init?(_ match: Explanation.Match, label: String, among photos: [LabeledPhoto]) throws {
    let decoder = PhotoDecoder()
    for photo in photos.filter({ $0.label == label }) + photos.filter({ $0.label != label }) {
      guard
        let bytes = try? FileAccess.read(photo.path, limit: decoder.limits.bytes),
        SHA256.hexadecimal(of: bytes).hasPrefix(match.digest)
      else { continue }
      (name, self.photo) = (photo.name, try decoder.open(bytes))
      return
    }
    return nil
  }
}
