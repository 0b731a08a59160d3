import Cupola
import CupolaTraining

extension CheckReport {
  /// Places to take photos from, as GeoJSON.
  var shotPoints: JSONObject {
    let features = check.coverage.flatMap { building in
      building.shots.map { shot -> JSONObject in
        [
          "type": "Feature",
          "geometry": [
            "type": "Point", "coordinates": [shot.position.longitude, shot.position.latitude],
          ] as JSONObject,
          "properties": [
            "name": "\(building.label) from \(shot.side)", "label": building.label,
            "side": shot.side, "heading_deg": shot.heading,
          ] as JSONObject,
        ]
      }
    }
    return ["type": "FeatureCollection", "features": features]
  }
}
