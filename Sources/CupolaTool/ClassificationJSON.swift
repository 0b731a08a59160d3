import Cupola

/// One answer as JSON: schema `cupola.classification/1`; a photo that failed has `error` instead.
struct ClassificationJSON: Encodable {
  struct Candidate: Encodable {
    let label: String
    let probability: Double
    let imageProbability: Double

    enum CodingKeys: String, CodingKey {
      case label, probability
      case imageProbability = "image_probability"
    }
  }

  let schema = "cupola.classification/1"
  let photo: String
  var error: String?
  var verdict: Recognition.Verdict?
  var label: String?
  var building: Building?
  var probability: Double?
  var candidates: [Candidate]?
  var reason: String?
  var position: Position?
  var heading: Heading?
  var fence: FenceSide?
  var timing: [String: Double]?

  enum CodingKeys: String, CodingKey {
    case schema, photo, error, verdict, label, building, probability, candidates, reason
    case position, heading, fence
    case timing = "timing_ms"
  }

  init(_ photo: String, _ result: Result<Recognition, CupolaError>, top: Int) {
    self.photo = photo
    switch result {
    case .failure(let failure): error = failure.message
    case .success(let answer):
      verdict = answer.verdict
      label = answer.label
      building = answer.building
      probability = answer.probability
      candidates = answer.candidates.prefix(top).map {
        Candidate(
          label: $0.label, probability: $0.probability, imageProbability: $0.imageProbability)
      }
      reason = Self.code(answer.reason)
      position = answer.position
      heading = answer.heading
      fence = answer.fence
      timing = Dictionary(
        uniqueKeysWithValues: answer.timing.milliseconds.map { stage, milliseconds in
          (stage.rawValue, (milliseconds * 1000).rounded() / 1000)
        })
    }
  }

  private static func code(_ reason: Recognition.Reason) -> String {
    switch reason {
    case .recognised: "recognised"
    case .outsideGeofence: "outside_geofence"
    case .background: "background"
    case .tooClose: "too_close"
    case .unfamiliar: "unfamiliar"
    case .noBuildings: "no_buildings"
    }
  }
}
