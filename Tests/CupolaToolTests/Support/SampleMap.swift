import Foundation

/// The map of the sample campus.
enum SampleMap {
  static func path() -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "TrainingData/campus.geojson").path
  }
}
