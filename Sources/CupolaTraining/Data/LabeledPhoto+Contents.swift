extension LabeledPhoto {
  /// A photo in memory, to be trained on or evaluated.
  ///
  /// - Parameters:
  ///   - contents: the bytes of a whole file.
  ///   - name: what messages and reports call it.
  ///   - label: the building, or a background label beginning with `_`.
  ///   - group: what a shooting session has in common; photos of one are never divided.
  public init(contents: [UInt8], name: String, label: String, group: String? = nil) {
    self.init(
      path: name, name: name, label: label, split: .train, group: group, contents: contents)
  }
}
