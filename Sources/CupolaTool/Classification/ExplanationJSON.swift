import Cupola
import CupolaTraining

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
