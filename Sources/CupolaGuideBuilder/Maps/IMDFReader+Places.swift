extension IMDFReader {
  /// Adds amenities and kiosks, and gives units the names of their occupants.
  mutating func addPlaces(to map: inout GuideMap) {
    for amenity in features("amenity") {
      var tags = IMDFCategories.amenity(amenity["category"] ?? "unspecified")
      tags.merge(amenity.commonTags) { $1 }
      tags["level"] = amenity.list("unit_ids").compactMap { level(ofUnit: $0) }.first
      ids.add("amenity/\(amenity.id)", tags, amenity.shapes, to: &map)
    }
    let anchors = Dictionary(features("anchor").map { ($0.id, $0) }) { first, _ in first }
    for kiosk in features("kiosk") {
      var tags = ["indoor": "area", "shop": "kiosk"].merging(kiosk.commonTags) { $1 }
      tags["level"] = kiosk["level_id"].flatMap { ordinals[$0] }.map { String($0) }
      ids.add("kiosk/\(kiosk.id)", tags, kiosk.shapes, to: &map)
    }
    var named: Set<Int> = []
    for occupant in features("occupant") {
      guard let anchor = occupant["anchor_id"].flatMap({ anchors[$0] }) else {
        let fault = "its anchor_id is no anchor; set it"
        map.add(MapFault("occupant/\(occupant.id)", tags: occupant.commonTags, fault))
        continue
      }
      let unit = anchor["unit_id"].flatMap { unitNumbers[$0] }
      if let unit, named.insert(unit).inserted {
        name(unit, after: occupant)
      } else {
        // Of several in a unit each but the first is a place of its own.
        var tags = Self.tags(of: occupant)
        tags["level"] = unit.flatMap { units[$0].level }.map { String($0) }
        ids.add("occupant/\(occupant.id)", tags, anchor.shapes, to: &map)
      }
    }
  }

  private func level(ofUnit id: String) -> String? {
    unitNumbers[id].flatMap { units[$0].level }.map { String($0) }
  }

  /// A unit's own name is then a number, such as `2.14`.
  private mutating func name(_ unit: Int, after occupant: IMDFFeature) {
    let tags = Self.tags(of: occupant)
    if let own = units[unit].tags["name"], tags["name"] != nil, own != tags["name"] {
      units[unit].tags["ref"] = own
    }
    units[unit].tags.merge(tags) { $1 }
  }

  private static func tags(of occupant: IMDFFeature) -> [String: String] {
    let kinds = [
      "bank": "bank", "bar": "bar", "cafe": "cafe", "coffee": "cafe", "library": "library",
      "pharmacy": "pharmacy", "postoffice": "post_office", "restaurant": "restaurant",
    ]
    var tags = occupant.commonTags
    guard let category = occupant["category"], category != "unspecified" else { return tags }
    if let kind = kinds[category] {
      tags["amenity"] = kind
    } else {
      tags["imdf:category"] = category
    }
    return tags
  }
}
