internal import Cupola

/// What is known about a photo once it was read: what tells whether two photos show nearly the same.
struct PhotoTraits: Sendable {
  let photo: LabeledPhoto
  /// SHA-256 of the file.
  let digest: String
  let metadata: PhotoMetadata
  /// `nil` when nobody looked.
  var thumbnail: LumaThumbnail?
}
