import CupolaTestSupport
import Testing

/// A made-up venue of two floors: a corridor with three rooms to its south on each, stairs and an elevator to its
/// north, and an entrance at its western end.
struct IMDFVenue {
  /// The features of each file.
  var files: [String: [String]] = [:]

  init() {
    files["manifest"] = []
    add(
      "venue", "v", #""category":"university","name":{"de":"Hochschule","en":"College"}"#,
      Self.box(-1, -1, 5, 5))
    add(
      "building", "b",
      #""category":"unspecified","name":{"fr":"Salle","de":"Saal"},"address_id":"a""#)
    add("address", "a", #""address":"1 Main Street","locality":"Town","postal_code":"123""#)
    add(
      "footprint", "f1", #""category":"aerial","building_ids":["b"]"#,
      Self.box(-0.1, -0.1, 3.1, 3.1))
    add("footprint", "f2", #""category":"ground","building_ids":["b"]"#, Self.box(0, 0, 3, 3))
    for level in 0...1 {
      add(
        "level", "l\(level)",
        #""category":"unspecified","ordinal":\#(level),"name":{"en":"Floor \#(level)"},"short_name":{"en":"\#(level)F"}"#,
        Self.box(0, 0, 3, 3))
      addUnit("corridor\(level)", level, "walkway", Self.box(0, 1, 3, 2))
      addUnit("stairs\(level)", level, "stairs", Self.box(0, 2, 0.5, 3))
      addUnit("lift\(level)", level, "elevator", Self.box(1, 2, 1.3, 2.3))
      addOpening("stairdoor\(level)", level, (0.2, 2), (0.3, 2))
      addOpening("liftdoor\(level)", level, (1.1, 2), (1.2, 2))
      for room in 0..<3 {
        let x = Double(room)
        addOpening("door\(level)\(room)", level, (x + 0.4, 1), (x + 0.6, 1))
      }
    }
    addUnit("r00", 0, "office", Self.box(0, 0, 1, 1), name: "001")
    addUnit("r01", 0, "room", Self.box(1, 0, 2, 1), name: "002")
    addUnit("r02", 0, "restroom.female.wheelchair", Self.box(2, 0, 3, 1))
    addUnit("r10", 1, "classroom", Self.box(0, 0, 1, 1), name: "101")
    addUnit("r11", 1, "conferenceroom", Self.box(1, 0, 2, 1), name: "102")
    addUnit("r12", 1, "nonpublic", Self.box(2, 0, 3, 1))
    addOpening("entry", 0, (0, 1.4), (0, 1.6), #","category":"pedestrian.principal""#)
    add("anchor", "n", #""unit_id":"r01""#, Self.point(1.5, 0.5))
    add(
      "occupant", "o",
      #""name":{"en":"Bean"},"category":"coffee","anchor_id":"n","hours":"Mo-Fr 08:00-17:00""#)
    add("occupant", "o2", #""name":{"en":"Second"},"category":"shoes","anchor_id":"n""#)
    add(
      "amenity", "m", #""category":"atm","unit_ids":["corridor1"],"name":null"#, Self.point(2, 1.5))
    add("kiosk", "k", #""level_id":"l0","name":{"en":"News"}"#, Self.box(2.5, 1.5, 2.7, 1.7))
  }

  mutating func add(_ file: String, _ id: String, _ properties: String, _ geometry: String = "null")
  {
    files[file, default: []].append(
      #"{"type":"Feature","feature_type":"\#(file)","id":"\#(id)","geometry":\#(geometry),"properties":{\#(properties)}}"#
    )
  }

  mutating func addUnit(
    _ id: String, _ level: Int, _ category: String, _ geometry: String, name: String? = nil
  ) {
    let label = name.map { #"{"en":"\#($0)"}"# } ?? "null"
    add(
      "unit", id,
      #""category":"\#(category)","level_id":"l\#(level)","name":\#(label),"restriction":null"#,
      geometry)
  }

  mutating func addOpening(
    _ id: String, _ level: Int, _ from: (Double, Double), _ to: (Double, Double),
    _ more: String = ""
  ) {
    add(
      "opening", id, #""level_id":"l\#(level)","door":{"type":"sliding","automatic":true}\#(more)"#,
      #"{"type":"LineString","coordinates":[\#(Self.place(from.0, from.1)),\#(Self.place(to.0, to.1))]}"#
    )
  }

  /// Tens of meters east and north of a corner, as degrees.
  static func place(_ x: Double, _ y: Double) -> String { "[\(8 + x * 1e-4),\(50 + y * 1e-4)]" }

  static func point(_ x: Double, _ y: Double) -> String {
    #"{"type":"Point","coordinates":\#(place(x, y))}"#
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    let ring = corners.map { place($0.0, $0.1) }.joined(separator: ",")
    return #"{"type":"Polygon","coordinates":[[\#(ring)]]}"#
  }

  /// Writes the files into a folder.
  func write(to folder: TemporaryFolder) throws {
    try folder.write(#"{"version":"1.0.0","language":"en"}"#, to: "manifest.json")
    for (name, features) in files where name != "manifest" {
      try folder.write(
        #"{"type":"FeatureCollection","name":"\#(name)","features":[\#(features.joined(separator: ","))]}"#,
        to: name + ".geojson")
    }
  }
}
