import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

enum MapTexts {
  static func map(_ texts: String...) throws -> GuideMap {
    var map = GuideMap()
    for text in texts { try map.read(Array(text.utf8), path: "map.json") }
    return map
  }

  static func overpass(_ elements: String...) throws -> GuideMap {
    try map(#"{"version": 0.6, "elements": [\#(elements.joined(separator: ","))]}"#)
  }

  static func grid(_ count: Int) -> String {
    (1...count).map { id in
      let (lat, lon) = (Double(id / 10) / 1e4 + 50, Double(id % 10) / 1e4 + 8)
      return #"{"type":"node","id":\#(id),"lat":\#(lat),"lon":\#(lon)}"#
    }.joined(separator: ",")
  }

  static func way(_ id: Int, _ nodes: [Int], _ tags: String = "{}") -> String {
    #"{"type":"way","id":\#(id),"nodes":\#(nodes),"tags":\#(tags)}"#
  }

  static func features(_ features: String...) throws -> GuideMap {
    try map(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
  }

  static func feature(_ geometry: String, _ coordinates: String, _ properties: String) -> String {
    #"{"type":"Feature","properties":\#(properties),"#
      + #""geometry":{"type":"\#(geometry)","coordinates":\#(coordinates)}}"#
  }

  static func guide(_ name: String) -> String { Repository.realPhotos + "/guide/" + name }
  static let northwestern = guide("northwestern/overpass.json")
  static let station = guide("indoor/gare-de-l-est.geojson")
  static let missingReason: Comment = "the real maps are not next to the repository"
  static let exist = Repository.exists(Repository.root.appending(path: "../shared/data/guide"))
}
