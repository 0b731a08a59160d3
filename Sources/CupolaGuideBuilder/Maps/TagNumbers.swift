internal import CupolaSupport

// 1. Read the floors of `level`.
// 2. Read the slope of `incline`.

enum TagNumber {
  static func plain<Number: LosslessStringConvertible>(_ text: some StringProtocol) -> Number? {
    let isPlain = text.allSatisfy { "+-.".contains($0) || $0.isASCII && $0.isNumber }
    return isPlain ? Number(String(text)) : nil
  }

  /// Splits a text such as `0-3` at a separator; a minus sign at the start is not a separator.
  static func pair<Number>(
    _ text: String, at mark: Character, _ number: (Substring) -> Number?
  ) -> (Number, Number)? {
    guard let place = text.dropFirst().firstIndex(of: mark), let one = number(text[..<place]),
      let other = number(text[text.index(after: place)...])
    else { return nil }
    return (one, other)
  }
}

/// The floors in OpenStreetMap's tag `level`: `2`, `-1;0`, `0-3`, `-3--1`, `0.5`.
struct Levels: Equatable, Sendable {
  /// The floors in ascending order; 0 is usually the ground floor, and halves are mezzanines.
  let numbers: [Double]

  private static let most = 250

  init?(_ text: String) {
    var numbers: Set<Double> = []
    for part in text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let part = part.filter { $0 != " " }
      if let number = Self.number(part[...]) {
        numbers.insert(number)
      } else if let (low, high) = TagNumber.pair(part, at: "-", Self.number), low <= high,
        high - low < Double(Self.most)
      {
        numbers.formUnion(stride(from: low, through: high, by: 1))
      } else {
        return nil
      }
    }
    guard !numbers.isEmpty, numbers.count <= Self.most else { return nil }
    self.numbers = numbers.sorted()
  }

  /// Reads the floors of a feature; `nil` if it has no valid `level` tag.
  init?(of feature: MapFeature) {
    guard let text = feature["level"] else { return nil }
    self.init(text)
  }

  func cover(_ text: String) -> Bool {
    Levels(text)?.numbers.allSatisfy { numbers.contains($0) } ?? false
  }

  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.count <= 8, let number: Double = TagNumber.plain(text),
      number.magnitude <= 1_000,
      (number * 10).rounded() == number * 10
    else { return nil }
    // Add 0 to convert minus zero to zero.
    return number + 0
  }
}

enum Incline {
  /// Returns the slope in meters per meter from `7 %`, `-4°` or `1:12`, or from the steeper end of `12-15%`. `up` and
  /// `down` mean 2%. Returns `nil` if the text is invalid.
  static func slope(_ text: String) -> Float? {
    if text == "up" { return 0.02 }
    if text == "down" { return -0.02 }
    let plain = String(
      text.compactMap { character -> Character? in
        switch character {
        case " ", "%", "°": nil
        case "–": "-"
        case ",": "."
        default: character
        }
      })
    let ratio = TagNumber.pair(plain, at: ":", number).flatMap { rise, run in
      run > 0 ? 100 * rise / run : nil
    }
    let steeper = TagNumber.pair(plain, at: "-", number).map {
      $0.magnitude > $1.magnitude ? $0 : $1
    }
    guard let value = ratio ?? number(plain[...]) ?? steeper, value.magnitude <= 100
    else { return nil }
    return text.contains("°")
      ? min(value.magnitude / 57.3, 2) * (value < 0 ? -1 : 1) : value / 100
  }

  private static func number(_ text: Substring) -> Float? { TagNumber.plain(text) }

  static func faults(of map: GuideMap) -> [MapFault] {
    let faults = map.features.lazy.compactMap { feature -> MapFault? in
      guard let text = feature["incline"], slope(text) == nil, WayRules.way(of: feature) != nil
      else { return nil }
      let shown = text.start(scalars: MapFault.mostScalars)
      return MapFault(
        feature.title,
        "incline=\(shown) is invalid; use a value such as 8%, -4°, 1:12, up or down")
    }
    return Array(faults.prefix(GuideMap.mostFaults))
  }
}
