extension Array where Element: Hashable {
  /// Where each element stands, such as a label among all.
  ///
  /// - Precondition: no element stands twice.
  var indexByElement: [Element: Int] {
    Dictionary(uniqueKeysWithValues: enumerated().map { ($1, $0) })
  }
}
