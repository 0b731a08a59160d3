internal import CupolaSupport

extension MapFault {
  /// How many scalars of a name, or of a tag's value, are shown.
  static let mostScalars = 80

  /// The beginning of a name or identifier, on one line.
  static func short(_ text: String) -> String { VisibleText.line(text.start(scalars: mostScalars)) }

  /// How to name something of a map to people: by its name, if it has one, and identifier.
  static func title(of id: String, named name: String?) -> String {
    guard let name, !name.isEmpty else { return short(id) }
    return "\(short(name)) (\(short(id)))"
  }

  /// A fault of a feature that may have a name.
  init(_ id: String, tags: [String: String], _ problem: String) {
    self.init(Self.title(of: id, named: tags["name"]), problem)
  }
}
