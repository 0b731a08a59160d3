internal import Cupola

/// What a report asks of photos beside the model, prepared before these are decoded: so none is decoded again for it.
public struct SecondLook: Sendable {
  /// What ``DatasetCheck`` sees in a photo.
  let reader: PhotoReader
  /// The `hog` features trained on the same photos; `nil` when the model has them itself, or nothing was learned.
  let baseline: Baseline.Trained?
  /// What its training threw, where that was tried.
  var failure: String?
  /// Why it was not tried: its figures could not stand beside the model's.
  var lack: String?

  /// What a picture that was decoded for a model tells; `nil` of pictures of another size than that needs.
  func look(
    _ photo: LabeledPhoto, _ opened: Photo, _ image: RGBImage, for recipe: Recipe
  ) throws(CupolaError) -> (checked: CheckedPhoto, baseline: [Float]?)? {
    guard recipe.inputSide == Light.side else { return nil }
    let recognizer = baseline.flatMap {
      $0.recognizer.model.recipe.inputSide == recipe.inputSide ? $0.recognizer : nil
    }
    return (
      try CheckedPhoto(photo, opened, image, with: reader), try recognizer?.look(at: image)
    )
  }
}
