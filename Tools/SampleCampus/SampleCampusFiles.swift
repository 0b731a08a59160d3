import Cupola

/// The sample campus's files: photos, maps and split table.
enum SampleCampusFiles {
  struct File: Sendable {
    let path: String
    let bytes: [UInt8]
  }

  /// Renders all files. Their bytes are reproducible.
  static func all() throws -> [File] {
    let photos = everyPhoto()
    var random = SplitMix64(seed: 5)
    var files = try photos.map { photo in
      let exif = ExifWriter.payload(for: photo.note(using: &random))
      return File(
        path: photo.path,
        bytes: try JPEGEncoder.encode(photo.storedPicture(), quality: 80, exif: exif))
    }
    files.append(File(path: "campus.geojson", bytes: Array(CampusMap.geoJSON().utf8)))
    files.append(File(path: "paths.geojson", bytes: Array(CampusPaths.geoJSON().utf8)))
    files.append(File(path: "split.csv", bytes: Array(CampusMap.splitTable(photos).utf8)))
    return files
  }

  private static func everyPhoto() -> [Photo] {
    var photos: [Photo] = []
    for index in Campus.buildings.indices {
      var photographer = Photographer(building: index)
      photos += photographer.photos()
    }
    var negatives = NegativePhotographer()
    return photos + negatives.photos()
  }
}
