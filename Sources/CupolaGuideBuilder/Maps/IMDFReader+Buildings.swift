extension IMDFReader {
  /// Adds the boundary of the whole.
  mutating func addVenue(to map: inout GuideMap) {
    for venue in features("venue") {
      var tags = venue.commonTags
      tags["cupola:role"] = "boundary"
      if venue["category"] == "university" { tags["amenity"] = "university" }
      ids.add("venue/\(venue.id)", tags, venue.shapes, to: &map)
    }
  }

  /// Gathers the outlines of buildings: of each the one on the ground, or else the first.
  mutating func readBuildings() {
    let addresses = Dictionary(features("address").map { ($0.id, $0) }) { first, _ in first }
    var outlines: [String: IMDFFeature] = [:]
    for footprint in features("footprint") {
      for building in footprint.list("building_ids") {
        if outlines[building] == nil || footprint["category"] == "ground" {
          outlines[building] = footprint
        }
      }
    }
    for building in features("building") {
      guard let outline = outlines[building.id] else { continue }
      var tags = building.commonTags
      tags["building"] = "yes"
      tags["name"] = tags["name"] ?? outline.name
      if let address = building["address_id"].flatMap({ addresses[$0] }) {
        tags["addr:full"] = address["address"]
        tags["addr:city"] = address["locality"]
        tags["addr:postcode"] = address["postal_code"]
      }
      let feature = IMDFSpace(outline, tags, level: nil, category: "building")
      buildings.append(feature.renamed(building.id))
    }
  }
}
