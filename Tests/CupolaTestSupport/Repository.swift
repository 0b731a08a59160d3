package import Foundation

/// Files outside of the sources: the sample campus, committed models and real photos.
package enum Repository {
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package static let sampleCampus = root.appending(path: "TrainingData").path
  package static let sampleMap = sampleCampus + "/campus.geojson"
  package static let sampleModel = root.appending(path: "Models/sample-campus.safetensors").path
  package static let hasSampleModel = FileManager.default.fileExists(atPath: sampleModel)

  /// The folder of real photos, which are not part of the repository.
  package static let realPhotos =
    ProcessInfo.processInfo.environment["CUPOLA_DATA"]
    ?? root.appending(path: "../shared/data").standardizedFileURL.path
  package static let hasRealPhotos = FileManager.default.fileExists(atPath: realPhotos + "/vyronas")

  package static func exists(_ place: URL) -> Bool {
    FileManager.default.fileExists(atPath: place.path)
  }
}
