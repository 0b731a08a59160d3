/// Points of interest other than buildings and rooms.
enum CampusAmenities {
  static let features = [
    point(
      "cafe_cupola", CampusJunction.place("old_library", 14, -4),
      [
        "amenity": "cafe", "cuisine": "coffee_shop", "indoor_seating": "yes",
        "name": "Café Cupola", "opening_hours": "Mo-Fr 08:00-18:00; Sa 09:00-14:00",
        "wheelchair": "yes",
      ]),
    point(
      "bus_stop/meridian_street", (132, 8),
      [
        "bus": "yes", "highway": "bus_stop", "name": "Meridian Street",
        "public_transport": "platform", "shelter": "yes",
      ]),
    point("drinking_water", (10, 38), ["amenity": "drinking_water", "fee": "no"]),
    point(
      "bicycle_parking", CampusJunction.place("founders_hall", -14, -20),
      ["amenity": "bicycle_parking", "bicycle_parking": "stands", "capacity": "40"]),
    point(
      "toilets/bell_walk", (112, -24),
      ["amenity": "toilets", "fee": "no", "opening_hours": "06:00-22:00", "wheelchair": "yes"]),
    point(
      "atm", CampusJunction.place("science_block", 4, -8),
      ["amenity": "atm", "opening_hours": "24/7", "operator": "Campus Bank"]),
    point(
      "defibrillator", CampusJunction.place("founders_hall", 2.4, -7),
      [
        "defibrillator:location": "beside the main entrance", "emergency": "defibrillator",
        "indoor": "yes", "level": "0",
      ]),
  ]

  private static func point(
    _ id: String, _ place: CampusJunction.Place, _ tags: [String: String]
  ) -> GeoJSONFeature {
    GeoJSONFeature(id, tags, .point(Vector(place.0, place.1, 0)))
  }
}
