import Cupola
import CupolaTraining

/// The training photo that a retrieval model finds most like a picture, as a file of a folder.
struct MatchedPhoto {
  /// Its name within the folder.
  let name: String
  let photo: Photo

  /// - Returns: `nil` when none of the photos is it.
  init?(_ match: Explanation.Match, label: String, among photos: [LabeledPhoto]) throws {
    let decoder = PhotoDecoder()
    for photo in photos.filter({ $0.label == label }) + photos.filter({ $0.label != label }) {
      guard
        let bytes = try? FileAccess.read(photo.path, limit: decoder.limits.bytes),
        SHA256.hexadecimal(of: bytes).hasPrefix(match.digest)
      else { continue }
      (name, self.photo) = (photo.name, try decoder.open(bytes))
      return
    }
    return nil
  }
}
