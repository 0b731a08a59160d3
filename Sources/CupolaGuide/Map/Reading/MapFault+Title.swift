internal import CupolaCampus

extension MapFault {
  /// How many scalars of a name, or of a tag's value, are shown.
  static let mostScalars = 80

  /// A fault of a feature that may have a name, which is shown on one line.
  init(_ id: String, tags: [String: String], _ problem: String) {
    let name = tags["name"] ?? ""
    let short = name.start(scalars: Self.mostScalars)
    let shown = VisibleText.line(id.start(scalars: Self.mostScalars))
    self.init(name.isEmpty ? shown : "\(VisibleText.line(short)) (\(shown))", problem)
  }
}
