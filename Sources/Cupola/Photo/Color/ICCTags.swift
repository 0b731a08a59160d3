/// The tags of an ICC profile in memory, with every offset checked (ICC.1:2022, 7).
struct ICCTags {
  private let bytes: [UInt8]
  private var places: [String: Range<Int>] = [:]

  /// No more tags are looked at: profiles have some twenty.
  private static let mostTags = 100

  /// `nil` when it is no profile of RGB samples.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard text(at: 16) == "RGB ", text(at: 20) == "XYZ ", let count = integer(at: 128) else {
      return nil
    }
    for entry in 0..<min(count, Self.mostTags) {
      let at = 132 + 12 * entry
      guard let name = text(at: at), let start = integer(at: at + 4),
        let size = integer(at: at + 8), start + size <= bytes.count
      else { return nil }
      places[name] = start..<start + size
    }
  }

  /// A color under D50: X, Y and Z.
  func xyz(_ name: String) -> [Double]? {
    guard let place = places[name], place.count >= 20, text(at: place.lowerBound) == "XYZ " else {
      return nil
    }
    return (0..<3).compactMap { fixed(at: place.lowerBound + 8 + 4 * $0) }
  }

  /// A curve by numbers or by a formula.
  func curve(_ name: String) -> ToneCurve? {
    guard let place = places[name], place.count >= 12 else { return nil }
    switch text(at: place.lowerBound) {
    case "curv": return table(place)
    case "para": return formula(place)
    default: return nil
    }
  }

  private func table(_ place: Range<Int>) -> ToneCurve? {
    guard let count = integer(at: place.lowerBound + 8), 12 + 2 * count <= place.count else {
      return nil
    }
    let values = (0..<count).map { index in
      let at = place.lowerBound + 12 + 2 * index
      return Double(bytes[at..<at + 2].bigEndian)
    }
    switch count {
    case 0: return .power(1)
    case 1: return .power(values[0] / 256)
    default: return .table(values.map { $0 / 65_535 })
    }
  }

  private func formula(_ place: Range<Int>) -> ToneCurve? {
    let kind = bytes[place.lowerBound + 8..<place.lowerBound + 10].bigEndian
    guard kind < 5 else { return nil }
    let count = [1, 3, 4, 5, 7][kind]
    guard 12 + 4 * count <= place.count else { return nil }
    let p = (0..<count).compactMap { fixed(at: place.lowerBound + 12 + 4 * $0) }
    switch kind {
    case 0: return .power(p[0])
    case 1, 2:
      guard p[1] != 0 else { return nil }
      let rest = kind == 2 ? p[3] : 0
      return .parametric(
        gamma: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: rest, f: rest)
    default:
      return .parametric(
        gamma: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: kind == 4 ? p[5] : 0,
        f: kind == 4 ? p[6] : 0)
    }
  }

  private func text(at offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private func integer(at offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    return bytes[offset..<offset + 4].bigEndian
  }

  /// A number with 16 bits before and behind the point, with a sign.
  private func fixed(at offset: Int) -> Double? {
    integer(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}
