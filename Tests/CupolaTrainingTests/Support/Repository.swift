import Foundation
import Testing

/// What lies beside the sources: the sample campus, the committed models, the real photos.
enum Repository {
  /// The package's root.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The photos of the sample campus.
  static let sampleCampus = root.appending(path: "TrainingData").path
  /// The map of the sample campus.
  static let sampleMap = sampleCampus + "/campus.geojson"
  /// The model of the sample campus.
  static let sampleModel = root.appending(path: "Models/sample-campus.safetensors").path
  /// Whether the model is there.
  static let hasSampleModel = FileManager.default.fileExists(atPath: sampleModel)

  /// The folder of real photos, which are never part of the repository.
  static let realPhotos =
    ProcessInfo.processInfo.environment["CUPOLA_DATA"]
    ?? root.appending(path: "../shared/data").standardizedFileURL.path
  /// Whether the real photos are there.
  static let hasRealPhotos = FileManager.default.fileExists(atPath: realPhotos + "/vyronas")
  /// Why tests on real photos are skipped.
  static let noRealPhotos: Comment = "no real photos; name their folder in CUPOLA_DATA"
}
