package import Foundation

/// What lies beside the sources: the sample campus, the committed models, the real photos.
package enum Repository {
  /// The package's root.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The photos of the sample campus.
  package static let sampleCampus = root.appending(path: "TrainingData").path
  /// The map of the sample campus.
  package static let sampleMap = sampleCampus + "/campus.geojson"
  /// The model of the sample campus.
  package static let sampleModel = root.appending(path: "Models/sample-campus.safetensors").path
  /// Whether the model is there.
  package static let hasSampleModel = FileManager.default.fileExists(atPath: sampleModel)

  /// The folder of real photos, which are never part of the repository.
  package static let realPhotos =
    ProcessInfo.processInfo.environment["CUPOLA_DATA"]
    ?? root.appending(path: "../shared/data").standardizedFileURL.path
  /// Whether the real photos are there.
  package static let hasRealPhotos = FileManager.default.fileExists(atPath: realPhotos + "/vyronas")

  /// Whether something is there.
  package static func exists(_ place: URL) -> Bool {
    FileManager.default.fileExists(atPath: place.path)
  }
}
