import Cupola

extension Campus? {
  /// The building's name in the catalog, or else its label.
  func name(of label: String) -> String { self?.building(labeled: label)?.name ?? label }
}
