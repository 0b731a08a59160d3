import Cupola

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Draws the sample training data into the folder given as the only argument.
@main struct SampleCampus {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: SampleCampus <folder>")
      return
    }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    let photos = everyPhoto()
    var random = SplitMix64(seed: 5)
    for photo in photos {
      let exif = ExifWriter.payload(for: photo.note(using: &random))
      try save(encoded(photo.storedPicture(), exif: exif), to: photo.path, in: folder)
    }
    try save(Array(CampusMap.geoJSON().utf8), to: "campus.geojson", in: folder)
    try save(Array(CampusMap.splitTable(photos).utf8), to: "split.csv", in: folder)
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

  private static func encoded(_ image: RGBImage, exif: [UInt8]) throws -> [UInt8] {
    try JPEGEncoder.encode(image, quality: 80, exif: exif)
  }

  private static func save(_ bytes: [UInt8], to path: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}
