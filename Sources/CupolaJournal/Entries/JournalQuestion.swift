/// A question of the visitor to those who run the campus.
public struct JournalQuestion: Equatable, Sendable {
  /// At most 100,000 bytes of UTF-8.
  public var text: String
  /// Where the answer is to go: an address such as `ada@example.org`.
  public var email: String?

  /// A question; ``Journal`` refuses one beyond these limits, or with an address that is none.
  public init(text: String, email: String? = nil) {
    self.text = text
    self.email = email
  }

  /// Whether a text has the form of an address: something, one @, something, without blanks and quotes. Whether
  /// somebody reads there, nobody knows offline.
  public static func isEmail(_ text: String) -> Bool {
    let bytes = text.utf8
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    // RFC 5321, section 4.5.3.1, less the angle brackets.
    guard bytes.count <= 254, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      return false
    }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
      default: !"\"<>()[],;:\\".unicodeScalars.contains(scalar)
      }
    }
  }
}
