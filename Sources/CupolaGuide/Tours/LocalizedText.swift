/// A text in one or several languages.
public struct LocalizedText: Equatable, Sendable {
  /// The texts by language, such as `en` or `pt-BR`; at least one.
  public let texts: [String: String]

  init(_ texts: [String: String]) { self.texts = texts }

  /// The text for somebody who reads a language.
  ///
  /// - Parameters:
  ///   - language: as of BCP 47; of `de-AT` also `de` is taken. `nil` is any.
  ///   - fallback: languages to take where that is missing, best first.
  public func text(in language: String? = nil, fallback: [String] = []) -> String {
    for wanted in [language].compactMap({ $0 }) + fallback {
      if let text = texts[wanted] { return text }
      let base = wanted.prefix { $0 != "-" }
      if let text = texts[String(base)] { return text }
    }
    return texts.min { $0.key < $1.key }?.value ?? ""
  }
}
