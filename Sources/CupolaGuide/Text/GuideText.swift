/// A text in one or several languages.
public struct LocalizedText: Equatable, Sendable {
  /// The texts by language, such as `en` or `pt-BR`; at least one.
  package let texts: [String: String]

  package init(_ texts: [String: String]) { self.texts = texts }

  /// The text for somebody who reads a language.
  ///
  /// - Parameters:
  ///   - language: as of BCP 47; of `de-AT` also `de` is taken, of `zh-Hant-TW` `zh-Hant` before `zh`. `nil` is any.
  ///   - fallback: languages to take where that is missing, best first.
  public func text(in language: String? = nil, fallback: [String] = []) -> String {
    for wanted in [language].compactMap({ $0 }) + fallback {
      for range in Self.ranges(of: wanted) {
        if let text = texts[range] { return text }
      }
    }
    return texts.min { $0.key < $1.key }?.value ?? ""
  }

  /// A language, and what it is a kind of, from part to part: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647, 3.4).
  package static func ranges(of language: String) -> [String] {
    let dashes = language.indices.filter { language[$0] == "-" }
    return [language] + dashes.reversed().map { String(language[..<$0]) }
  }
}

/// Distances as people read them.
package enum DistanceText {
  /// Whole meters, from 1 km on kilometers with one digit, such as `85 m` and `1.4 km`; `far` for what is no distance.
  package static func text(meters: Double) -> String {
    guard meters.isFinite, meters.magnitude < 1e9 else { return "far" }
    let whole = meters.rounded()
    return whole < 1000 ? "\(Int(whole)) m" : "\((meters / 100).rounded() / 10) km"
  }
}

extension String {
  /// The values of a tag of OpenStreetMap: several, as `restaurant; cafe`, have semicolons between them.
  package var tagValues: [Substring] {
    split(separator: ";").map { value in value.drop { $0 == " " } }
  }
}
