import Cupola
import CupolaTraining

extension JSONObject {
  /// One answer: schema `cupola.classification/1`; a photo that failed has `error` instead.
  init(answering photo: String, _ result: Result<Recognition, CupolaError>, top: Int) {
    switch result {
    case .failure(let failure):
      self = ["schema": "cupola.classification/1", "photo": photo, "error": failure.problem]
    case .success(let answer):
      let timing = answer.timing.milliseconds.map { stage, milliseconds in
        (stage.rawValue, Self.rounded(milliseconds, to: 1000))
      }
      self = [
        "schema": "cupola.classification/1", "photo": photo, "verdict": answer.verdict,
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
      // To the centimeter and a hundredth of a degree: more than any position knows.
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
  /// ``message`` without the path of a file, for an object that has it in a member of its own.
  var problem: String {
    guard case .file(let error) = self else { return message }
    return error.problem
  }
}

extension Recognition.Reason {
  /// The stable name of the reason.
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
