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
    self.command = command.map(ShellWord.quoted).joined(separator: " ")
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
}
