import Cupola
import CupolaTraining

// 1. Format an explanation as JSON.
// 2. Format it as text.
// 3. Find the training photo that is most similar.

extension JSONObject {
  /// An explanation: schema `cupola.explanation/1`.
  init(
    explaining photo: String, _ explanation: Explanation, _ answer: Recognition, picture: String?,
    match: String? = nil
  ) {
    let areas = ImageArea.allCases.map { area -> (String, JSONObject.Member?) in
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
  private let isPlaced: Bool
  private let match: String?

  init(
    _ explanation: Explanation, _ answer: Recognition, _ campus: Campus?,
    match: String? = nil
  ) {
    (self.explanation, self.match) = (explanation, match)
    headline = VisibleText.line(answer.text(in: campus).line)
    isPlaced = answer.place != nil
    label = VisibleText.line(campus.name(of: explanation.label))
    against = VisibleText.line(campus.name(of: explanation.against))
  }

  var lines: [String] {
    [
      headline,
      "  \(source): \(names.0) rather than \(names.1)",
      "  " + balance,
      "  " + places,
    ] + similarity
  }

  private var similarity: [String] {
    guard let found = explanation.match else { return [] }
    let photo = match.map(VisibleText.line) ?? "SHA-256 \(found.digest)..."
    return [
      "  most similar training photo of \(label): \(photo), cosine "
        + FigureText.decimal(found.cosine, digits: 2)
    ]
  }

  var names: (String, String) {
    (
      label + share(explanation.probability), against + share(explanation.againstProbability)
    )
  }

  private var source: String {
    isPlaced ? "by the image alone, without the position" : "by the image"
  }

  private func share(_ probability: Double) -> String {
    probability < FigureText.leastPercent ? "" : " (\(FigureText.percent(probability)) probability)"
  }

  private var balance: String {
    let (own, other) = (explanation.evidenceFor, -explanation.evidenceAgainst)
    guard own + other > 0 else {
      return "the image has no evidence for either label" + decision
    }
    return
      "strength of the evidence in the image: \(whole(own / (own + other))) for \(label), "
      + "\(whole(other / (own + other))) for \(against)" + decision
  }

  /// The influence of the bias, if it outweighs the evidence in the image.
  private var decision: String {
    let difference = explanation.logitDifference
    let picture = explanation.evidenceFor + explanation.evidenceAgainst
    guard difference != 0, picture * difference <= 0 else { return "" }
    return "; the classifier's bias favors \(difference > 0 ? label : against)"
  }

  var warning: String? {
    guard explanation.isSuspicious else { return nil }
    let share = (explanation.share(of: .sky) ?? 0) + (explanation.share(of: .border) ?? 0)
    return
      "\(whole(share)) of the evidence is in the sky or at the border, not on a building; train "
      + "with photos from more days and viewpoints"
  }

  private var places: String {
    guard explanation.map.magnitude > 0 else {
      return "no evidence: the image has no edges"
    }
    let places: [(area: ImageArea, name: String)] = [
      (.middle, "in the central quarter of the image"), (.elsewhere, "between center and border"),
      (.sky, "in the sky"), (.border, "at the border"),
    ]
    // Sort in descending order, without areas that would be rounded to 0%.
    let shares = places.map { (share: explanation.share(of: $0.area) ?? 0, name: $0.name) }
      .filter { $0.share >= Self.leastShare }.sorted { $0.share > $1.share }
    return "location of the evidence: "
      + shares.map { "\(whole($0.share)) \($0.name)" }.joined(separator: ", ")
  }

  private static let leastShare = 0.005

  private func whole(_ share: Double) -> String {
    FigureText.decimal(100 * share, digits: 0) + "%"
  }
}

/// The file of the most similar training photo.
struct MatchedPhoto {
  let name: String
  let photo: Photo

  init?(_ match: Explanation.Match, label: String, among photos: [LabeledPhoto]) throws {
    let decoder = PhotoDecoder()
    for photo in photos.filter({ $0.label == label }) + photos.filter({ $0.label != label }) {
      guard
        let bytes = try? FileAccess.read(photo.path, limit: decoder.maximumBytes),
        SHA256.hexadecimal(of: bytes).hasPrefix(match.digest)
      else { continue }
      self.init(name: photo.name, photo: try decoder.open(bytes))
      return
    }
    return nil
  }

  private init(name: String, photo: Photo) { (self.name, self.photo) = (name, photo) }

  /// Compares a photo with the training photos of a label, and returns the most similar one.
  static func nearest(
    to photo: Photo, of label: String, among photos: [LabeledPhoto], by explainer: Explainer
  ) throws -> (photo: MatchedPhoto, match: Explanation.Match)? {
    let own = try explainer.features(of: photo)
    let decoder = PhotoDecoder()
    var best: (photo: MatchedPhoto, match: Explanation.Match)?
    for other in photos where other.label == label {
      guard let trained = other.opened(asTrained: explainer.model, by: decoder),
        let features = try? explainer.features(of: trained.photo)
      else { continue }
      let cosine = zip(own, features).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      guard cosine > best?.match.cosine ?? -.infinity else { continue }
      best = (
        MatchedPhoto(name: other.name, photo: trained.photo),
        Explanation.Match(digest: trained.digest, cosine: cosine)
      )
    }
    return best
  }
}
