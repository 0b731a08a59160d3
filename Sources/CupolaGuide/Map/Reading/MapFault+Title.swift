internal import CupolaCampus

extension MapFault {
  /// How many scalars of a name, or of a tag's value, are shown.
  static let mostScalars = 80

  /// How to name a feature to people, on one line: the beginnings of its name and identifier, or of the identifier.
  static func title(of id: String, tags: [String: String]) -> String {
    let name = tags["name"] ?? ""
    let short = name.start(scalars: mostScalars)
    let shown = VisibleText.line(id.start(scalars: mostScalars))
    return name.isEmpty ? shown : "\(VisibleText.line(short)) (\(shown))"
  }

  /// A fault of a feature that may have a name.
  init(_ id: String, tags: [String: String], _ problem: String) {
    self.init(Self.title(of: id, tags: tags), problem)
  }
}
