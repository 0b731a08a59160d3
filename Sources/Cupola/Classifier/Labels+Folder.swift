extension Labels {
  /// Whether a label can be the name of a folder of photos: 1 to 100 letters, digits, blanks and `_-.'()`, no dot
  /// first. So it leads out of no folder.
  package static func isFolderName(_ label: String) -> Bool {
    let scalars = label.unicodeScalars
    return (1...100).contains(scalars.count) && !label.hasPrefix(".")
      && scalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "_- .'()".unicodeScalars.contains(scalar)
      }
  }
}
