extension String {
  /// The beginning of a text of a file, which may have megabytes: so many scalars, as a character may have any number.
  package func start(scalars most: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
  }
}
