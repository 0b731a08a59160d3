import Cupola

/// An explanation as JSON: schema `cupola.explanation/1`.
struct ExplanationJSON: Encodable {
  struct Area: Encodable {
    let evidence: Double?
    let extent: Double
  }

  struct Map: Encodable {
    struct Region: Encodable {
      let x: Double
      let y: Double
      let width: Double
      let height: Double
    }

    let columns: Int
    let rows: Int
    let region: Region
    let values: [[Double]]

    init(_ explanation: Explanation) {
      let (map, region) = (explanation.map, explanation.region)
      columns = map.columns
      rows = map.rows
      self.region = Region(x: region.x, y: region.y, width: region.width, height: region.height)
      values = (0..<map.rows).map { row in (0..<map.columns).map { map[$0, row] } }
    }
  }

  let schema = "cupola.explanation/1"
  let photo: String
  let picture: String?
  let verdict: Recognition.Verdict
  let answer: String?
  let label: String
  let against: String
  let probability: Double
  let againstProbability: Double
  let logitDifference: Double
  let biasDifference: Double
  let evidenceFor: Double
  let evidenceAgainst: Double
  let areas: [String: Area]
  let isSuspicious: Bool
  let map: Map

  private enum CodingKeys: String, CodingKey {
    case schema, photo, picture, verdict, answer, label, against, probability, areas, map
    case againstProbability = "against_probability"
    case logitDifference = "logit_difference"
    case biasDifference = "bias_difference"
    case evidenceFor = "evidence_for"
    case evidenceAgainst = "evidence_against"
    case isSuspicious = "suspicious"
  }

  init(_ photo: String, _ explanation: Explanation, _ answer: Recognition, picture: String?) {
    self.photo = photo
    self.picture = picture
    verdict = answer.verdict
    self.answer = answer.label
    label = explanation.label
    against = explanation.against
    probability = explanation.probability
    againstProbability = explanation.againstProbability
    logitDifference = explanation.logitDifference
    biasDifference = explanation.biasDifference
    evidenceFor = explanation.evidenceFor
    evidenceAgainst = explanation.evidenceAgainst
    areas = Dictionary(
      uniqueKeysWithValues: PictureArea.allCases.map { area in
        let evidence = explanation.share(of: area)
        return (area.rawValue, Area(evidence: evidence, extent: explanation.extent(of: area)))
      })
    isSuspicious = explanation.isSuspicious
    map = Map(explanation)
  }
}
