internal import Mustache

/// Text that a browser shows as it stands, whatever it holds.
///
/// Mustache's own escaping looks at whole characters, and so leaves a quotation mark with an accent
/// on it as it is, which ends an attribute all the same. This looks at the scalars.
enum HTMLEscaping {
  /// Safe as the text of an element and inside of a quoted attribute, of HTML and of XML 1.0.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      case "`": result.append(contentsOf: "&#96;".unicodeScalars)
      case "\t", "\n": result.append(scalar)
      // Control characters, those that turn the direction of what follows, and two that XML has no place for.
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}",
        "\u{FFFE}", "\u{FFFF}":
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// What templates name in `{{% CONTENT_TYPE:... }}`.
  static let contentType = "CUPOLA_HTML"

  /// Makes the content type known to Mustache, once.
  static let isRegistered: Bool = {
    MustacheContentTypes.register(ContentType(), named: contentType)
    return true
  }()

  private struct ContentType: MustacheContentType {
    func escapeText(_ text: String) -> String { HTMLEscaping.escaped(text) }
  }
}
