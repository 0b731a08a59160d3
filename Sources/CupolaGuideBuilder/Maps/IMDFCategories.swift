/// OpenStreetMap's tags for the categories of IMDF (OGC 20-094).
enum IMDFCategories {
  /// How units join floors.
  enum Shaft: String { case elevator, stairs, escalator, ramp }

  static func shaft(_ category: String) -> Shaft? {
    category == "steps" ? .stairs : Shaft(rawValue: category)
  }

  /// The tags of a unit.
  static func unit(_ category: String) -> [String: String] {
    if category.hasPrefix("restroom") {
      return toilets(category).merging(["indoor": "room", "room": "toilets"]) { $1 }
    }
    if corridors.contains(category) { return ["indoor": "corridor"] }
    if walls.contains(category) { return ["indoor": "wall"] }
    if let tags = units[category] { return ["indoor": "room"].merging(tags) { $1 } }
    return ["indoor": "room"]
  }

  private static let corridors: Set<String> = [
    "footbridge", "lobby", "walkway", "walkway.island",
  ]
  private static let walls: Set<String> = [
    "brick", "column", "concretewall", "drywall", "glass", "wood",
  ]

  private static let units: [String: [String: String]] = [
    "auditorium": ["room": "auditorium"],
    "classroom": ["room": "class"],
    "conferenceroom": ["room": "conference"],
    "elevator": ["room": "elevator", "elevator": "yes"],
    "escalator": ["room": "stairs", "stairs": "yes", "conveying": "yes"],
    "fieldofplay": ["indoor": "area", "leisure": "pitch"],
    "firstaid": ["room": "first_aid", "emergency": "first_aid"],
    "fitnessroom": ["leisure": "fitness_centre"],
    "foodservice": ["amenity": "food_court"],
    "huddleroom": ["room": "conference"],
    "kitchen": ["room": "kitchen"],
    "laboratory": ["room": "laboratory"],
    "library": ["amenity": "library"],
    "lounge": ["room": "lounge"],
    "mailroom": ["room": "mail"],
    "mothersroom": ["amenity": "lactation_room"],
    "movietheater": ["amenity": "cinema"],
    "movingwalkway": ["indoor": "corridor", "conveying": "yes"],
    "nonpublic": ["access": "private"],
    "office": ["room": "office"],
    "opentobelow": ["indoor": "area", "access": "no"],
    "parking": ["indoor": "area", "amenity": "parking"],
    "platform": ["indoor": "area", "railway": "platform"],
    "ramp": ["indoor": "corridor", "ramp": "yes"],
    "road": ["indoor": "area", "foot": "no"],
    "serverroom": ["room": "technical"],
    "shower": ["room": "shower", "amenity": "shower"],
    "smokingarea": ["amenity": "smoking_area"],
    "stairs": ["room": "stairs", "stairs": "yes"],
    "steps": ["room": "stairs", "stairs": "yes"],
    "storage": ["room": "storage"],
    "structure": ["indoor": "area", "access": "no"],
    "terrace": ["indoor": "area"],
    "theater": ["amenity": "theatre"],
    "unenclosedarea": ["indoor": "area"],
    "vegetation": ["indoor": "area", "access": "no"],
    "waitingroom": ["room": "waiting"],
  ]

  /// The tags of an amenity; one that is not known keeps its category.
  static func amenity(_ category: String) -> [String: String] {
    if category.hasPrefix("restroom") { return toilets(category) }
    // `prayerroom.islam` is a `prayerroom`.
    let kind = category.prefix { $0 != "." }
    return amenities[category] ?? amenities[String(kind)] ?? ["imdf:category": category]
  }

  private static let amenities: [String: [String: String]] = [
    "atm": ["amenity": "atm"],
    "babychanging": ["changing_table": "yes"],
    "bikeparking": ["amenity": "bicycle_parking"],
    "boardinggate": ["aeroway": "gate"],
    "cashier": ["amenity": "payment_centre"],
    "defibrillator": ["emergency": "defibrillator"],
    "drinkingfountain": ["amenity": "drinking_water"],
    "emergencyshelter": ["amenity": "shelter"],
    "fireextinguisher": ["emergency": "fire_extinguisher"],
    "firealarmpullstation": ["emergency": "fire_alarm_box"],
    "firstaid": ["emergency": "first_aid"],
    "information": ["tourism": "information"],
    "library": ["amenity": "library"],
    "mailbox": ["amenity": "post_box"],
    "mothersroom": ["amenity": "lactation_room"],
    "parking": ["amenity": "parking"],
    "phone": ["amenity": "telephone"],
    "phone.emergency": ["emergency": "phone"],
    "prayerroom": ["amenity": "place_of_worship"],
    "seating": ["amenity": "bench"],
    "shower": ["amenity": "shower"],
    "smokingarea": ["amenity": "smoking_area"],
    "taxi": ["amenity": "taxi"],
    "ticketing": ["shop": "ticket"],
    "vending": ["amenity": "vending_machine"],
    "wifi": ["internet_access": "wlan"],
  ]

  /// The parts behind the dots say for whom.
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

  /// The tags of an opening but for its entrance.
  static func door(_ type: String?, isAutomatic: Bool) -> [String: String] {
    let kinds = ["revolving": "revolving", "sliding": "sliding", "swinging": "hinged"]
    var tags = ["door": kinds[type ?? ""] ?? "yes"]
    if isAutomatic { tags["automatic_door"] = "yes" }
    return tags
  }

  /// What an opening to the outside is.
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
