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

/// The answer, what the image alone indicates if that is different, and where the evidence is.
struct ExplanationText {
  private let explanation: Explanation
  private let answer: String
  private let alone: String?
  /// Whether the answer contains the name of the explained building, or the label was given.
  private let isNamed: Bool
  /// Whether the explained building is compared with the second one from the image alone.
  private let isSecond: Bool
  private let picture: String?
  private let match: String?
  let names: (String, String)

  init(
    _ explanation: Explanation, _ answer: Recognition, alone: Recognition, _ campus: Campus?,
    picture: String? = nil, match: String? = nil
  ) {
    (self.explanation, self.match, self.picture) = (explanation, match, picture)
    let (text, image) = (answer.text(in: campus), alone.text(in: campus))
    self.answer = VisibleText.line(text.line)
    self.alone = image.title == text.title ? nil : VisibleText.line(image.line)
    names = (
      VisibleText.line(campus.name(of: explanation.label)),
      VisibleText.line(campus.name(of: explanation.against))
    )
    isSecond = explanation.against == alone.candidates.dropFirst().first?.label
    isNamed =
      [.building, .unsure].contains(answer.verdict)
      || explanation.label != alone.candidates.first?.label
  }

  var lines: [String] {
    [answer]
      + [
        alone.map { "  without the position: " + $0 }, "  " + evidence, similarity,
      ]
      .compactMap(\.self)
  }

  private var evidence: String {
    guard explanation.map.magnitude > 0 else {
      return "the image has no edges, so it contains no evidence"
    }
    let color = picture.map { " (orange in \(VisibleText.line($0)))" } ?? ""
    let building = isNamed ? names.0 + color : "the most similar building, \(names.0)\(color),"
    guard let part = explanation.strongestPart else {
      return "the image has no evidence for \(names.0)"
    }
    let place =
      explanation.isSuspicious ? "mostly in the sky or at the border" : Self.name(of: part)
    let second = isSecond ? ", which is second from the image alone" : ""
    let other = picture == nil ? "" : "; blue marks the evidence for \(names.1)\(second)"
    return "the evidence for \(building) is \(place)\(other)"
  }

  private static func name(of part: (column: Int, row: Int)) -> String {
    let side = ["left", "", "right"][part.column]
    let place =
      switch part.row {
      case 0: "at the top " + side
      case 2: "at the bottom " + side
      default: side.isEmpty ? "in the center" : "on the " + side
      }
    return "strongest " + (place.hasSuffix(" ") ? String(place.dropLast()) : place)
  }

  private var similarity: String? {
    guard let found = explanation.match else { return nil }
    let photo = match.map(VisibleText.line) ?? "SHA-256 \(found.digest)..."
    return "  most similar training photo of \(names.0): \(photo)"
  }

  var warning: String? {
    guard explanation.isSuspicious else { return nil }
    return
      "most of the evidence is in the sky or at the border, not on a building; train with photos "
      + "from more days and viewpoints"
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
