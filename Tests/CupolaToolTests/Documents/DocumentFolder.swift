import CupolaTestSupport
import Foundation
import Testing

/// A folder with what the documents speak of: a few photos of the sample campus stand for one's own.
struct DocumentFolder {
  private let folder: TemporaryFolder
  private let cache: TemporaryFolder
  private let shell: [String: String]

  /// - Parameter cache: shared by all pages, because trainings describe the same photos.
  init(cache: TemporaryFolder) throws {
    folder = try TemporaryFolder()
    self.cache = cache
    try FileManager.default.createDirectory(
      atPath: folder.path("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("bin/cupola"), withDestinationPath: try Tool.executable().path)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["XDG_CACHE_HOME"] = cache.path
    environment["COLUMNS"] = "80"
    environment["NO_COLOR"] = "1"
    shell = environment
    try fill()
  }

  private func fill() throws {
    for name in ["TrainingData", "Models", "Examples"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name),
        withDestinationPath: Repository.root.appending(path: name).path)
    }
    for building in ["bell_tower", "founders_hall", "old_library", "palm_house"] {
      try copy("TrainingData/\(building)", to: "photos/\(building)", photos: 1...16)
    }
    try copy("TrainingData/_not_a_building", to: "streets", photos: 1...12)
    try copy("TrainingData/founders_hall", to: "walk", photos: 1...4)
    try copy("TrainingData/chapel", to: "DCIM/chapel", photos: 1...12)
    try copy("TrainingData/founders_hall/14.jpg", to: "visit.jpg")
    for name in ["campus.geojson", "paths.geojson", "tour.json"] {
      try copy("TrainingData/\(name)", to: name)
    }
    try copy("Models/sample-campus.safetensors", to: "campus.safetensors")
  }

  private func copy(_ source: String, to target: String, photos: ClosedRange<Int>) throws {
    for number in photos {
      let name = "\(number < 10 ? "0" : "")\(number).jpg"
      try copy("\(source)/\(name)", to: "\(target)/\(name)")
    }
  }

  private func copy(_ source: String, to target: String) throws {
    try folder.write(
      Array(try Data(contentsOf: Repository.root.appending(path: source))), to: target)
  }

  /// Runs a text as a shell does, and ends with its first command that fails; both outputs are one.
  func run(_ script: String) throws -> Tool.Output {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-euo", "pipefail", "-c", "exec 2>&1\n" + script]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = shell
    process.standardInput = FileHandle.nullDevice
    return try Tool.output(of: process)
  }
}
