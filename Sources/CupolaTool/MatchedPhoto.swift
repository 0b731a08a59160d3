import Cupola
import CupolaTraining

/// The training photo that a retrieval model finds most like a picture, as a file of a folder.
struct MatchedPhoto {
  /// Its name within the folder.
  let name: String
  let photo: Photo

  /// - Returns: `nil` when the folder has no such photo.
  init?(_ match: Explanation.Match, label: String, in folder: String) throws {
    let decoder = PhotoDecoder()
    let photos = try PhotoSet(root: folder, allowOutside: true).photos
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
