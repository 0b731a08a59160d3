/// When and from what a page was made. It stands on the page only: figures and tables of the same photos
/// and model stay the same bytes.
public struct ReportOrigin: Sendable {
  private let date: String?
  private let command: String
  private let photos: String
  private let modelDigest: String

  /// - Parameters:
  ///   - date: when; `nil` where nobody knows.
  ///   - command: the words of the command, as they were given.
  ///   - photos: the folder, as it was given.
  ///   - modelDigest: the SHA-256 of the model's file, in hexadecimal digits.
  package init(date: UTCDate?, command: [String], photos: String, modelDigest: String) {
    self.date = date?.text
    self.command = command.map(Self.quoted).joined(separator: " ")
    self.photos = photos
    self.modelDigest = modelDigest
  }

  /// What each of them is called, and what it is.
  var facts: [(name: String, value: String)] {
    [
      ("made", date), ("command", command), ("photos", photos),
      ("SHA-256 of the model", modelDigest),
    ].compactMap { name, value in value.map { (name, $0) } }
  }

  /// A word as a shell would take it.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
          || "-_./=,:+@%".unicodeScalars.contains($0)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
