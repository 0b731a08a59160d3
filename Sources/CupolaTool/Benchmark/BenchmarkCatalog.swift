import Cupola

/// A made-up catalog of many buildings, to time searches in.
struct BenchmarkCatalog {
  static let size = 10_000

  let campus: Campus
  let index: BuildingIndex
  /// Somewhere in the middle of it.
  let position: Position?

  /// Two words with an error each, one of them of most buildings, as an impatient person types.
  let query = BuildingQuery("obsevatory buildnig")

  init() throws {
    var generator = SplitMix64(seed: 1)
    let buildings = (0..<Self.size).map { Self.building($0, using: &generator) }
    let fence = "[[10,48],[10.5,48],[10.5,48.5],[10,48.5],[10,48]]"
    let features =
      [Self.feature(#""role":"boundary""#, ring: fence)]
      + buildings.map { Self.feature($0.properties, ring: $0.ring) }
    let map = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    campus = try Campus(geoJSON: Array(map.utf8))
    index = BuildingIndex(campus.buildings)
    position = Position(latitude: 48.05, longitude: 10.05)
  }

  private static func feature(_ properties: String, ring: String) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"#
      + #""geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
  }

  private static func building(
    _ number: Int, using generator: inout SplitMix64
  ) -> (properties: String, ring: String) {
    func word() -> String {
      let count = 1 + generator.below(3)
      return (0..<count).map { _ in syllables[generator.below(syllables.count)] }.joined()
    }
    let kind = kinds[generator.below(kinds.count)]
    let about = (0..<12).map { _ in word() }.joined(separator: " ")
    let year = 1600 + generator.below(421)
    let properties =
      #""role":"building","id":"\#(number)","name":"\#(word()) \#(kind)","#
      + #""abbreviation":"\#(kind.prefix(1))\#(number)","category":"\#(kind)","#
      + #""description":"A building of \#(about).","address":"\#(word()) Street \#(number % 90)","#
      + #""year_built":\#(year)"#
    // A hundred rows of a hundred, some 75 by 110 meters apart.
    let (west, south) = (10 + Double(number % 100) * 0.001, 48 + Double(number / 100) * 0.001)
    let corners = [
      (0.0, 0.0), (4, 0), (4, 2), (5, 2), (5, 4), (2, 4), (2, 3), (0, 3), (0, 0),
    ].map { "[\(west + $0.0 * 1e-4),\(south + $0.1 * 1e-4)]" }
    return (properties, "[\(corners.joined(separator: ","))]")
  }

  private static let kinds = [
    "Library", "Hall", "Laboratory", "Observatory", "Chapel", "Museum", "Residence", "Institute",
    "Theatre", "Refectory", "Stadium", "Archive",
  ]
  private static let syllables = [
    "ab", "bor", "cam", "den", "el", "fan", "gar", "hol", "is", "ken", "lor", "mar", "nor", "os",
    "per", "quin", "ros", "sten", "tor", "ul", "ver", "win", "yor", "zel", "brück", "łąk", "æg",
  ]
}
