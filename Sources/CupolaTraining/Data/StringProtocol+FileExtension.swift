extension StringProtocol {
  /// What stands behind the last dot of a file's name, in lowercase; `nil` without a dot.
  var fileExtension: String? {
    lastIndex(of: ".").map { self[index(after: $0)...].lowercased() }
  }
}
