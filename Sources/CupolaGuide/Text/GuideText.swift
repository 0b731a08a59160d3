/// A text in one or more languages.
public struct LocalizedText: Equatable, Sendable {
  /// The texts by language, such as `en` or `pt-BR`; at least one.
  package let texts: [String: String]

  package init(_ texts: [String: String]) { self.texts = texts }

  /// Returns the text in a language, or in the best available alternative.
  ///
  /// - Parameters:
  ///   - language: A BCP 47 tag; `nil` means any language. `de-AT` also matches `de`; `zh-Hant-TW` matches `zh-Hant`
  ///     before `zh`.
  ///   - fallback: The languages to try next, in order of preference.
  public func text(in language: String? = nil, fallback: [String] = []) -> String {
    for wanted in [language].compactMap({ $0 }) + fallback {
      for range in Self.ranges(of: wanted) {
        if let text = texts[range] { return text }
      }
    }
    return texts.min { $0.key < $1.key }?.value ?? ""
  }

  /// Returns a language tag and its prefixes: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647, section 3.4).
  package static func ranges(of language: String) -> [String] {
    let dashes = language.indices.filter { language[$0] == "-" }
    return [language] + dashes.reversed().map { String(language[..<$0]) }
  }
}

package enum DistanceText {
  /// Returns a formatted distance, such as `85 m` or `1.4 km`; `far` if it is not finite.
  package static func text(meters: Double) -> String {
    guard meters.isFinite, meters.magnitude < 1e9 else { return "far" }
    let whole = meters.rounded()
    return whole < 1000 ? "\(Int(whole)) m" : "\((meters / 100).rounded() / 10) km"
  }
}

extension String {
  /// The values of an OpenStreetMap tag, separated by semicolons as in `restaurant; cafe`.
  package var tagValues: [Substring] {
    split(separator: ";").map { value in value.drop { $0 == " " } }
  }
}

/// Names of ways. A way can have several, such as "Ring Road / Route 3".
package enum StreetName {
  private static let separator = " / "

  /// Returns the names in a tag as users read them.
  package static func text(_ tag: String) -> String {
    tag.contains(";") ? tag.tagValues.joined(separator: separator) : tag
  }

  /// Returns up to two names of a way; of more, the one that it has in common with the next way, or the first.
  static func brief(_ name: String, before next: String?) -> String {
    let names = name.split(separator: separator)
    guard names.count > 2, let first = names.first else { return name }
    return String(names.first { share(String($0), next) } ?? first)
  }

  /// Returns a name as users say it: "the north sidewalk of Row" for "Row North Sidewalk".
  static func spoken(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard words.count > 2, words.last?.lowercased() == "sidewalk" else { return name }
    let side = words[words.count - 2].lowercased()
    guard ["north", "east", "south", "west"].contains(side) else { return name }
    return "the \(side) sidewalk of \(words.dropLast(2).joined(separator: " "))"
  }

  /// Returns the names that two ways have in common; `nil` if there are none.
  static func shared(_ one: String?, _ other: String?) -> String? {
    guard let one, let other else { return nil }
    let names = other.split(separator: separator)
    let shared = one.split(separator: separator).filter { names.contains($0) }
    return shared.isEmpty ? nil : shared.joined(separator: separator)
  }

  /// Whether two ways have a name in common.
  static func share(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return false }
    if one == other { return true }
    let names = one.split(separator: separator)
    return other.split(separator: separator).contains { name in
      names.contains { $0 == name || isAbbreviation($0, name) }
    }
  }

  /// Whether two names differ only in abbreviated words, such as "Av. Central" and "Avenida Central".
  private static func isAbbreviation(_ one: Substring, _ other: Substring) -> Bool {
    guard one.contains(".") || other.contains(".") else { return false }
    let words = (one.split(separator: " "), other.split(separator: " "))
    return words.0.count == words.1.count
      && zip(words.0, words.1).allSatisfy { one, other in
        one == other || one.last == "." && other.hasPrefix(one.dropLast())
          || other.last == "." && one.hasPrefix(other.dropLast())
      }
  }
}
