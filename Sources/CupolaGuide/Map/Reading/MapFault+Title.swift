internal import CupolaCampus

extension MapFault {
  /// How many characters of a name are shown.
  private static let mostCharacters = 80

  /// A fault of a feature that may have a name, which is shown on one line.
  init(_ id: String, tags: [String: String], _ problem: String) {
    let name = tags["name"] ?? ""
    let short = String(name.prefix(Self.mostCharacters))
    let shown = VisibleText.line(String(id.prefix(Self.mostCharacters)))
    self.init(name.isEmpty ? shown : "\(VisibleText.line(short)) (\(shown))", problem)
  }
}
