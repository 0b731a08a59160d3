import Cupola

/// One answer as JSON: schema `cupola.classification/1`; a photo that failed has `error` instead.
struct ClassificationJSON: Encodable {
  struct Candidate: Encodable {
    let label: String
    let probability: Double
    let imageProbability: Double
    let distance: Double?
    let bearing: Double?

    enum CodingKeys: String, CodingKey {
      case label, probability
      case imageProbability = "image_probability"
      case distance = "distance_m"
      case bearing = "bearing_deg"
    }

    init(_ candidate: Recognition.Candidate) {
      label = candidate.label
      probability = candidate.probability
      imageProbability = candidate.imageProbability
      // To the centimetre and a hundredth of a degree: more than any position knows.
      distance = candidate.distance.map { ($0 * 100).rounded() / 100 }
      bearing = candidate.bearing.map {
        (($0 * 100).rounded() / 100).truncatingRemainder(dividingBy: 360)
      }
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
  var place: Recognition.PlaceAgreement?
  var timing: [String: Double]?

  enum CodingKeys: String, CodingKey {
    case schema, photo, error, verdict, label, building, probability, candidates, reason
    case position, heading, fence, place
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
      candidates = answer.candidates.prefix(top).map(Candidate.init)
      reason = Self.code(answer.reason)
      position = answer.position
      heading = answer.heading
      fence = answer.fence
      place = answer.place
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
