internal import Cupola

/// A photo that a model has seen: what it made of the pixels, and what else figures need, so that nobody decodes it again.
struct SeenPhoto: Sendable {
  /// With the digest and the metadata of its file, and small.
  let traits: PhotoTraits
  /// Where it was taken, and how.
  let shot: Shot
  /// Columns and rows of the upright picture.
  let width: Int
  let height: Int
  /// What the model makes of the picture wherever it was taken, one a label.
  let logits: [Float]
  /// How long opening, decoding and asking took.
  let timing: StageTiming
  /// What a ``SecondLook`` saw.
  var second: (checked: CheckedPhoto, baseline: [Float]?)?

  var photo: LabeledPhoto { traits.photo }

  /// - Throws: ``CupolaError`` when the photo cannot be used.
  init(
    _ photo: LabeledPhoto, by recognizer: Recognizer, _ secondLook: SecondLook?
  ) throws(CupolaError) {
    let opened = try photo.opened(by: recognizer.decoder)
    let look = try recognizer.look(at: opened)
    traits = PhotoTraits(
      photo: photo, digest: SHA256.hexadecimal(of: opened.bytes),
      metadata: photo.metadata(of: opened), thumbnail: LumaThumbnail(look.image))
    shot = Shot(opened)
    (width, height) = (opened.width, opened.height)
    (logits, timing) = (look.logits, look.timing)
    second = try secondLook?.look(photo, opened, look.image, for: recognizer.model.recipe)
  }

  /// What the baseline makes of the photo; `nil` where it did not see it.
  var ofBaseline: SeenPhoto? {
    second?.baseline.map {
      SeenPhoto(traits: traits, shot: shot, size: (width, height), logits: $0, timing: timing)
    }
  }

  /// The same photo where it is at hand.
  func found(as photo: LabeledPhoto) -> SeenPhoto {
    SeenPhoto(
      traits: PhotoTraits(
        photo: photo, digest: traits.digest, metadata: traits.metadata,
        thumbnail: traits.thumbnail),
      shot: shot, size: (width, height), logits: logits, timing: timing)
  }

  init(
    traits: PhotoTraits, shot: Shot, size: (width: Int, height: Int), logits: [Float],
    timing: StageTiming
  ) {
    (self.traits, self.shot, self.logits, self.timing) = (traits, shot, logits, timing)
    (width, height) = size
  }
}

/// Photos that a model has seen, and those that it could not see.
public struct SeenPhotos: Sendable {
  let photos: [SeenPhoto]
  /// Photos that could not be read.
  public let skipped: [SkippedFile]

  /// The same by the baseline; `nil` where it did not see all of them.
  var ofBaseline: SeenPhotos? {
    let photos = photos.compactMap(\.ofBaseline)
    return photos.count == self.photos.count ? SeenPhotos(photos: photos, skipped: skipped) : nil
  }

  /// What the check of the photos sees in them, by their files.
  var checked: [[UInt8]: CheckedPhoto] {
    Dictionary(
      photos.compactMap { seen in seen.second.map { (seen.photo.file, $0.checked) } }
    ) { first, _ in first }
  }

  /// How many were to be seen.
  public var count: Int { photos.count + skipped.count }

  /// The photos that were seen.
  public var listed: [LabeledPhoto] { photos.map(\.photo) }
}
