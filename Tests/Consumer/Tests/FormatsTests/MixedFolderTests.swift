import Foundation
import Testing

/// Uses the command with all formats that Scripts/verify consumer builds.
@Suite("Folder of mixed files") struct MixedFolderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: UUID().uuidString)
  private static let labels = ["Hall 🏛", "barn", "_others"]
  private static let broken = ["cut.heic", "empty.jpg", "gone.png", "pipe.jpg", "renamed.heic"]

  @Test("Mixed files are trained with correct counts and imported as JPEG")
  func everything() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makePhotos()
    try makeRest()
    let trained = try run(
      "train", "mixed", "-o", "m.safetensors", "--features", "hog", "--json", "-q")
    #expect(trained.status == 0)
    let labels = try #require(trained.json["labels"] as? [String: Int])
    #expect(labels == ["Hall 🏛": 100, "barn": 100, "_others": 100])
    let ignored = ["videos": 2, "other_files": 1, "repeated_folders": 1]
    #expect(trained.json["ignored"] as? [String: Int] == ignored)
    let skipped = try #require(trained.json["skipped"] as? [[String: String]])
    #expect(skipped.compactMap { $0["photo"] } == Self.broken.map { "barn/" + $0 })

    let before = try names(below: "mixed")
    let imported = try run("import", "mixed", "-o", "photos", "--json", "-q")
    #expect(imported.status == 1)
    #expect(imported.json["copied"] as? Int == 36)
    let converted = ["AVIF": 48, "HEIC": 60, "PNG": 108, "WebP": 48]
    #expect(imported.json["converted"] as? [String: Int] == converted)
    #expect((imported.json["failed"] as? [String])?.count == Self.broken.count)
    #expect(imported.json["left_out"] as? [String: Int] == ignored)
    let photos = try names(below: "photos")
    #expect(photos.count == 300 && photos.allSatisfy { $0.hasSuffix(".jpg") })
    #expect(try names(below: "mixed") == before)

    let found = try run("classify", "m.safetensors", "photos/barn", "--jsonl", "-q")
    #expect(found.status == 0 && found.output.split(separator: "\n").count == 100)
    #expect(found.output.contains("-12.046"))
  }

  private func makePhotos() throws {
    for label in Self.labels {
      for number in 0..<100 {
        let name = Golden.names[number % Golden.names.count]
        let below = number % 7 == 0 ? "nested/deep/" : ""
        try write(try Golden.bytes(name), to: "\(label)/\(below)\(number) \(name)")
      }
    }
  }

  private func makeRest() throws {
    for name in ["a.mov", "b.MP4", ".DS_Store", "notes.txt"] { try write([1], to: "barn/" + name) }
    let whole = try Golden.bytes("plain.heic")
    try write(Array(whole.prefix(whole.count / 2)), to: "barn/cut.heic")
    try write([], to: "barn/empty.jpg")
    try write(Array("text, no picture".utf8), to: "barn/renamed.heic")
    let barn = folder.appending(path: "mixed/barn").path
    for (name, target) in [("loop", ".."), ("gone.png", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: barn + "/" + name, withDestinationPath: target)
    }
    #expect(mkfifo(barn + "/pipe.jpg", 0o600) == 0)
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    let file = folder.appending(path: "mixed/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  private func names(below name: String) throws -> [String] {
    let path = folder.appending(path: name).path
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter {
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(atPath: path + "/" + $0, isDirectory: &isFolder)
      return !isFolder.boolValue
    }.sorted()
  }

  private struct Output {
    let status: Int32
    let output: String
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
    }
  }

  private func run(_ arguments: String...) throws -> Output {
    let command = try #require(
      ProcessInfo.processInfo.environment["CUPOLA"], "run by Scripts/verify consumer")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    (process.arguments, process.currentDirectoryURL) = (arguments, folder)
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}
