/// OpenStreetMap tags for IMDF categories (OGC 20-094).
enum IMDFCategories {
  enum Shaft: String { case elevator, stairs, escalator, ramp }

  static func shaft(_ category: String) -> Shaft? {
    category == "steps" ? .stairs : Shaft(rawValue: category)
  }

  static func unit(_ category: String) -> [String: String] {
    if category.hasPrefix("restroom") {
      return toilets(category).merging(["indoor": "room", "room": "toilets"]) { $1 }
    }
    if corridors.contains(category) { return ["indoor": "corridor"] }
    if walls.contains(category) { return ["indoor": "wall"] }
    var tags = units[category] ?? [:]
    tags["indoor"] = tags["indoor"] ?? "room"
    tags["room"] = rooms[category]
    return tags
  }

  private static let corridors: Set<String> = ["footbridge", "lobby", "walkway", "walkway.island"]
  private static let walls: Set<String> = [
    "brick", "column", "concretewall", "drywall", "glass", "wood",
  ]

  private static let rooms = [
    "auditorium": "auditorium", "classroom": "class", "conferenceroom": "conference",
    "elevator": "elevator", "escalator": "stairs", "firstaid": "first_aid",
    "huddleroom": "conference", "kitchen": "kitchen", "laboratory": "laboratory",
    "lounge": "lounge", "mailroom": "mail", "office": "office", "serverroom": "technical",
    "shower": "shower", "stairs": "stairs", "steps": "stairs", "storage": "storage",
    "waitingroom": "waiting",
  ]

  private static let units: [String: [String: String]] = [
    "elevator": ["elevator": "yes"], "escalator": ["stairs": "yes", "conveying": "yes"],
    "fieldofplay": ["indoor": "area", "leisure": "pitch"],
    "firstaid": ["emergency": "first_aid"], "fitnessroom": ["leisure": "fitness_centre"],
    "foodservice": ["amenity": "food_court"], "library": ["amenity": "library"],
    "mothersroom": ["amenity": "lactation_room"], "movietheater": ["amenity": "cinema"],
    "movingwalkway": ["indoor": "corridor", "conveying": "yes"],
    "nonpublic": ["access": "private"], "opentobelow": ["indoor": "area", "access": "no"],
    "parking": ["indoor": "area", "amenity": "parking"],
    "platform": ["indoor": "area", "railway": "platform"],
    "ramp": ["indoor": "corridor", "ramp": "yes"], "road": ["indoor": "area", "foot": "no"],
    "shower": ["amenity": "shower"], "smokingarea": ["amenity": "smoking_area"],
    "stairs": ["stairs": "yes"], "steps": ["stairs": "yes"],
    "structure": ["indoor": "area", "access": "no"], "terrace": ["indoor": "area"],
    "theater": ["amenity": "theatre"], "unenclosedarea": ["indoor": "area"],
    "vegetation": ["indoor": "area", "access": "no"],
  ]

  static func amenity(_ category: String) -> [String: String] {
    if category.hasPrefix("restroom") { return toilets(category) }
    // `prayerroom.islam` is a kind of `prayerroom`.
    let kind = String(category.prefix { $0 != "." })
    if category == "phone.emergency" { return ["emergency": "phone"] }
    if let amenity = amenities[kind] { return ["amenity": amenity] }
    return others[kind] ?? ["imdf:category": category]
  }

  private static let amenities = [
    "atm": "atm", "bikeparking": "bicycle_parking", "cashier": "payment_centre",
    "drinkingfountain": "drinking_water", "emergencyshelter": "shelter", "library": "library",
    "mailbox": "post_box", "mothersroom": "lactation_room", "parking": "parking",
    "phone": "telephone", "prayerroom": "place_of_worship", "seating": "bench",
    "shower": "shower", "smokingarea": "smoking_area", "taxi": "taxi",
    "vending": "vending_machine",
  ]

  private static let others = [
    "babychanging": ["changing_table": "yes"], "boardinggate": ["aeroway": "gate"],
    "defibrillator": ["emergency": "defibrillator"],
    "fireextinguisher": ["emergency": "fire_extinguisher"],
    "firealarmpullstation": ["emergency": "fire_alarm_box"],
    "firstaid": ["emergency": "first_aid"], "information": ["tourism": "information"],
    "ticketing": ["shop": "ticket"], "wifi": ["internet_access": "wlan"],
  ]

  private static func toilets(_ category: String) -> [String: String] {
    var tags = ["amenity": "toilets"]
    for part in category.split(separator: ".").dropFirst() {
      switch part {
      case "female", "male", "unisex": tags[String(part)] = "yes"
      case "wheelchair": tags["wheelchair"] = "yes"
      case "family": tags["changing_table"] = "yes"
      default: continue
      }
    }
    return tags
  }

  static func door(_ type: String?, isAutomatic: Bool) -> [String: String] {
    let kinds = ["revolving": "revolving", "sliding": "sliding", "swinging": "hinged"]
    var tags = ["door": kinds[type ?? ""] ?? "yes"]
    if isAutomatic { tags["automatic_door"] = "yes" }
    return tags
  }

  static func entrance(_ category: String) -> String {
    switch category {
    case "pedestrian.principal": "main"
    case "emergencyexit": "emergency"
    case "service": "service"
    case "automobile": "garage"
    default: "yes"
    }
  }
}
