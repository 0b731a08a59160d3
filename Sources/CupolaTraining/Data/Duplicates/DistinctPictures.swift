/// The pictures of photos, equal ones once, so that each is searched for once however many photos show it.
struct DistinctPictures: Sendable {
  /// Pictures that can be compared, in the order of their first photos; none that is plain.
  private(set) var pictures: [LumaThumbnail] = []
  /// For each picture the numbers of the photos that show it, ascending.
  private(set) var photos: [[Int]] = []

  init(_ thumbnails: [LumaThumbnail?]) {
    var numbers: [LumaThumbnail: Int] = [:]
    for (photo, thumbnail) in thumbnails.enumerated() {
      guard let thumbnail, !thumbnail.isPlain else { continue }
      if let number = numbers[thumbnail] {
        photos[number].append(photo)
      } else {
        numbers[thumbnail] = pictures.count
        pictures.append(thumbnail)
        photos.append([photo])
      }
    }
  }
}
