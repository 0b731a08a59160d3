package import Cupola
internal import DrawnPictures

/// Pictures of things that are no buildings, drawn by Cupola for those who have few or none.
///
/// They make two background labels of their own. With them, a model trained without any other background
/// refuses most of what is no building, and one trained with few kinds of it refuses other kinds.
package enum DrawnPhotos {
  /// The label of those of things on a campus: lawns, paths, cars, people, desks.
  package static let label = "_drawn"
  /// The label of those of landscapes: mountains, sea, forest, meadows, ice, clouds.
  package static let landscapeLabel = "_drawn_landscape"
  /// Both.
  package static let labels: Set = [label, landscapeLabel]
  /// How many there are.
  package static let count = DrawnPictures.photoCount

  /// All of them: always the same.
  static func all() throws -> [LabeledPhoto] {
    try DrawnPictures.photos().enumerated().map { index, bytes in
      let label = index < DrawnPictures.thingCount ? label : landscapeLabel
      let name = label + "/\(index + 1)"
      return LabeledPhoto(
        path: name, name: name, label: label, split: .train, group: nil, contents: bytes)
    }
  }
}

extension Labels {
  /// Whether photos of no buildings trained, not only drawn ones.
  package var knowPhotosOfNoBuildings: Bool {
    trainedBackgrounds.contains { !DrawnPhotos.labels.contains(names[$0]) }
  }
}
