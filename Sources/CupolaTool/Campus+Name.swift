import Cupola

extension Campus? {
  /// The building's name in the catalogue, or else its label.
  func name(of label: String) -> String { self?.building(labelled: label)?.name ?? label }
}
