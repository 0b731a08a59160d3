extension String {
  /// The values of a tag of OpenStreetMap: several, as `restaurant; cafe`, have semicolons between them.
  package var tagValues: [Substring] {
    split(separator: ";").map { value in value.drop { $0 == " " } }
  }
}
