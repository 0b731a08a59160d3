package import Cupola

// 1. Encode the answer for a photo as JSON, for `cupola classify` and the page of `cupola serve`.
// 2. Name its reason.

extension JSONObject {
  /// An answer, or an error, for a photo: schema `cupola.classification/1`.
  package init(
    answering photo: String, _ result: Result<Recognition, CupolaError>, top: Int, campus: Campus?
  ) {
    switch result {
    case .failure(let failure):
      self = ["schema": "cupola.classification/1", "photo": photo, "error": failure.problem]
    case .success(let answer):
      let timing = answer.timing.milliseconds.map { stage, milliseconds in
        (stage.rawValue, Self.rounded(milliseconds, to: 1000))
      }
      let text = answer.text(in: campus)
      self = [
        "schema": "cupola.classification/1", "photo": photo, "verdict": answer.verdict,
        "title": text.title, "detail": text.detail,
        "label": answer.label, "building": answer.building, "probability": answer.probability,
        "candidates": answer.candidates.prefix(top).map(Self.candidate),
        "reason": answer.reason.code, "position": answer.position, "heading": answer.heading,
        "fence": answer.fence, "place": answer.place,
        "timing_ms": Dictionary(uniqueKeysWithValues: timing),
      ]
    }
  }

  private static func candidate(_ candidate: Recognition.Candidate) -> JSONObject {
    [
      "label": candidate.label, "probability": candidate.probability,
      "image_probability": candidate.imageProbability,
      "trained": candidate.isTrained ? nil : false,
      // Round to centimeters and hundredths of a degree, which is finer than any position.
      "distance_m": candidate.distance.map { rounded($0, to: 100) },
      "bearing_deg": candidate.bearing.map {
        rounded($0, to: 100).truncatingRemainder(dividingBy: 360)
      },
    ]
  }

  private static func rounded(_ value: Double, to parts: Double) -> Double {
    (value * parts).rounded() / parts
  }
}

extension CupolaError {
  /// The message without the file's path, for JSON that contains the path in another member.
  package var problem: String {
    guard case .file(let error) = self else { return message }
    return error.problem
  }
}

extension Recognition.Reason {
  fileprivate var code: String {
    switch self {
    case .recognized: "recognised"
    case .outsideGeofence: "outside_geofence"
    case .background: "background"
    case .unknownBuilding: "unknown_building"
    case .tooClose: "too_close"
    case .unfamiliar: "unfamiliar"
    case .noBuildings: "no_buildings"
    case .byPlaceOnly: "by_place"
    case .contradicted: "contradicted"
    }
  }
}
