import ArgumentParser
import Cupola
import CupolaExport
import CupolaTraining

// 1. Find training photos of each building by their digests in the model.
// 2. Reduce them to small JPEG files without metadata.

/// The test photos in an export.
enum GoldenChoice: String, CaseIterable, ExpressibleByArgument {
  case drawn, photos
}

enum GoldenPhotos {
  private static let perBuilding = 2
  /// Pixels of the longer side.
  private static let side = 480

  /// Returns two training photos of each building, in the order of the labels.
  ///
  /// - Throws: ``ExportError`` if the model has no digests, or if no photo is one of its training photos.
  static func chosen(
    for model: Model, from photos: [LabeledPhoto], decoder: PhotoDecoder
  ) throws -> [ExportOptions.Photo] {
    guard !model.provenance.photoDigests.isEmpty else { throw ExportError.strippedPhotos }
    var chosen: [ExportOptions.Photo] = []
    for label in model.labels.buildings.map({ model.labels.names[$0] }) {
      var count = 0
      for photo in photos where photo.label == label && count < perBuilding {
        // Another photo replaces one that cannot be read.
        guard let trained = photo.opened(asTrained: model, by: decoder),
          let jpeg = try? reduced(trained.photo)
        else { continue }
        chosen.append(.init(label: label, jpeg: jpeg))
        count += 1
      }
    }
    guard !chosen.isEmpty else { throw ExportError.otherPhotos }
    return chosen
  }

  private static func reduced(_ photo: Photo) throws -> [UInt8] {
    let image = try photo.image(minimumWidth: side, minimumHeight: side)
    let scale = min(1, Double(side) / Double(max(image.width, image.height)))
    return try JPEGEncoder.encode(AreaResampler.scaled(image, by: scale), quality: 90)
  }
}
