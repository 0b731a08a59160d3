internal import CupolaSupport

/// How steep ways are, by OpenStreetMap's tag `incline`.
enum Incline {
  /// Meters up for each meter forward, of `7 %`, `-4°`, `1:12`, or of the steeper end of `12-15%`; `up` and `down` count
  /// as 2 %. `nil` for what cannot be read.
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
    guard let value = ratio(plain) ?? number(plain) ?? steeper(plain), value.magnitude <= 100
    else { return nil }
    return text.contains("°")
      ? min(value.magnitude / 57.3, 2) * (value < 0 ? -1 : 1) : value / 100
  }

  /// What of a map's inclines cannot be read.
  static func faults(of map: GuideMap) -> [MapFault] {
    let faults = map.features.lazy.compactMap { feature -> MapFault? in
      guard let text = feature["incline"], slope(text) == nil, WayRules.way(of: feature) != nil
      else { return nil }
      let shown = text.start(scalars: MapFault.mostScalars)
      return MapFault(
        feature.title,
        "incline=\(shown) is no incline, such as 8%, -4°, 1:12, up or down")
    }
    return Array(faults.prefix(GuideMap.mostFaults))
  }

  /// In hundredths.
  private static func ratio(_ text: String) -> Float? {
    guard let colon = text.firstIndex(of: ":"), let rise = number(text[..<colon]),
      let run = number(text[text.index(after: colon)...]), run > 0
    else { return nil }
    return 100 * rise / run
  }

  private static func steeper(_ text: String) -> Float? {
    // The first minus is a sign.
    guard let dash = text.dropFirst().firstIndex(of: "-"), let one = number(text[..<dash]),
      let other = number(text[text.index(after: dash)...])
    else { return nil }
    return one.magnitude > other.magnitude ? one : other
  }

  private static func number(_ text: some StringProtocol) -> Float? {
    let isPlain = text.allSatisfy { "+-.".contains($0) || $0.isASCII && $0.isNumber }
    return isPlain ? Float(String(text)) : nil
  }
}
