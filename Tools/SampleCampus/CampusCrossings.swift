enum CampusCrossings {
  static let features =
    crossing("campus_walk/college_row", "Campus Walk", (-126.5, 62), (-122, 62), (-117.5, 62))
    + crossing("campus_walk/meridian_street", "Campus Walk", (123.5, 62), (128, 62), (132.5, 62))
    + crossing("abbey_lane/college_row", "Abbey Lane", (-126.5, -6), (-122, -6), (-117.5, -6))
    + crossing("garden_walk/meridian_street", "Garden Walk", (2, -67.5), (2, -72), (2, -76.5))
    + crossing("bell_walk/meridian_street", "Bell Walk", (123.5, -20), (128, -20), (132.5, -20))
    + [
      GeoJSONFeature(
        "mill_path/bollard", ["barrier": "bollard", "maxwidth:physical": "1.2"],
        .point(Vector(CampusJunction.bollard.0, CampusJunction.bollard.1, 0)))
    ]

  /// The crossing from curb to curb, and its point on the street.
  private static func crossing(
    _ id: String, _ name: String, _ places: CampusJunction.Place...
  ) -> [GeoJSONFeature] {
    let points = places.map { Vector($0.0, $0.1, 0) }
    return [
      GeoJSONFeature(
        id,
        [
          "crossing": "marked", "crossing:markings": "zebra", "footway": "crossing",
          "highway": "footway", "name": name,
        ], .line(points)),
      GeoJSONFeature(
        id + "/stripes",
        ["crossing": "marked", "crossing:markings": "zebra", "highway": "crossing"],
        .point(points[1])),
    ]
  }
}
