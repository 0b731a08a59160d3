package import CupolaCampus
internal import Foundation

/// Creates catalogs for tests.
package enum Catalog {
  /// Returns buildings at one point from their properties, which must include `id`.
  package static func buildings(_ records: [[String: String]]) throws -> [Building] {
    let features: [[String: Any]] = records.map { record in
      [
        "type": "Feature", "properties": record.merging(["role": "building"]) { own, _ in own },
        "geometry": ["type": "Point", "coordinates": [0.5, 0.5]],
      ]
    }
    let boundary: [String: Any] = [
      "type": "Feature", "properties": ["role": "boundary"],
      "geometry": [
        "type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]],
      ],
    ]
    let map: [String: Any] = ["type": "FeatureCollection", "features": [boundary] + features]
    return try Campus(geoJSON: Array(JSONSerialization.data(withJSONObject: map))).buildings
  }

  /// Returns buildings with names, labeled by index.
  package static func named(_ names: String...) throws -> [Building] {
    try buildings(names.enumerated().map { ["id": "\($0.offset)", "name": $0.element] })
  }
}
