import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus
@testable import CupolaGuide

@Suite("Guide bundles") struct GuideBundleTests {
  private let folder: TemporaryFolder
  private let parts = [
    "paths.bin": randomBytes(47, seed: 1), "places.json": randomBytes(20, seed: 2), "empty": [],
  ]
  private var path: String { folder.path("campus.guide") }

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func write(_ parts: [String: [UInt8]]? = nil, to name: String = "campus.guide") throws
    -> GuideBundle
  {
    try GuideBundle.write(
      parts: parts ?? self.parts, name: "Park", timeZone: "Asia/Tokyo", to: folder.path(name))
  }

  private func files(_ name: String = "campus.guide") throws -> [String: Data] {
    try folder.contents().filter { $0.key.hasPrefix(name + "/") }
  }

  @Test("A written bundle can be read back")
  func roundTrip() throws {
    let bundle = try write()
    #expect(try GuideBundle(reading: path) == bundle)
    #expect(try verifiedParts(of: path) == parts)
    #expect(bundle.manifest.timeZone == "Asia/Tokyo" && bundle.manifest.name == "Park")
    #expect(try bundle.bytes(ofPart: "paths.bin") == parts["paths.bin"])
    #expect(throws: GuideError.self) { try bundle.bytes(ofPart: "other") }
    #expect(try files().count == 4)
  }

  @Test("Rejects an empty version without creating a folder")
  func emptyVersion() throws {
    #expect(throws: GuideError.self) {
      try GuideBundle.write(parts: parts, name: "Park", version: "", to: path)
    }
    #expect(try files().isEmpty)
  }

  @Test("Equal parts create equal folders, also over another guide")
  func deterministic() throws {
    try write(to: "a")
    try write(["paths.bin": [1], "old.bin": [2]], to: "b")
    try write(to: "b/")
    let (first, second) = (try files("a"), try files("b"))
    #expect(first.map(\.value.count).sorted() == second.map(\.value.count).sorted())
    for (name, bytes) in first { #expect(second["b" + name.dropFirst()] == bytes) }
  }

  @Test("A tampered file never yields wrong part data")
  func tampering() throws {
    let bundle = try write()
    for (name, data) in try files() where !data.isEmpty {
      let bytes = [UInt8](data)
      let isPart = !name.hasSuffix("/guide.json")
      func check(_ tampered: [UInt8]) throws {
        try FileAccess.write(tampered, to: folder.path(name), synced: false)
        if isPart { #expect(throws: GuideError.self) { try verifiedParts(of: path) } }
        let now = (try? GuideBundle(reading: path)) ?? bundle
        for part in now.manifest.parts {
          if let found = try? now.bytes(of: part) { #expect(found == parts[part.name]) }
        }
      }
      for index in bytes.indices {
        var tampered = bytes
        tampered[index] ^= 1 << UInt8(index % 8)
        try check(tampered)
        if isPart || index % 8 == 0 { try check(Array(bytes[..<index])) }
      }
      try check(bytes + [0])
      try folder.write(bytes, to: name)
    }
    #expect(try verifiedParts(of: path) == parts)
  }

  @Test("Reading a missing or oversized part throws an error")
  func missing() throws {
    let bundle = try write()
    let part = try #require(bundle.manifest.part("paths.bin"))
    try folder.write(randomBytes(48, seed: 1), to: "campus.guide/" + part.file)
    #expect(throws: GuideError.wrongPart(path: path, name: "paths.bin")) {
      try bundle.bytes(of: part)
    }
    try FileManager.default.removeItem(atPath: path + "/" + part.file)
    let missing = FileError.cannotRead(path: path + "/" + part.file, code: 2)
    #expect(throws: GuideError.file(missing)) { try bundle.bytes(of: part) }
    try FileManager.default.createDirectory(
      atPath: path + "/" + part.file, withIntermediateDirectories: false)
    #expect(throws: GuideError.self) { try bundle.bytes(of: part) }
  }

  @Test("Rejects a file, a folder without guide.json, and a missing folder")
  func noGuide() throws {
    try folder.touch("file", "other/part.bin")
    for name in ["file", "other"] {
      #expect(throws: GuideError.noGuide(path: folder.path(name))) {
        try GuideBundle(reading: folder.path(name))
      }
    }
    let missing = FileError.cannotRead(path: folder.path("no/guide.json"), code: 2)
    #expect(throws: GuideError.file(missing)) { try GuideBundle(reading: folder.path("no")) }
  }

  @Test("Does not overwrite other files but uses an empty folder")
  func inTheWay() throws {
    try folder.write("mine", to: "campus.guide/photo.jpg")
    #expect(throws: GuideError.inTheWay(path: path)) { try write() }
    try folder.write("mine", to: "file")
    #expect(throws: GuideError.inTheWay(path: folder.path("file"))) { try write(to: "file") }
    try folder.write(#"{"format":"tour/1"}"#, to: "other/guide.json")
    #expect(throws: GuideError.inTheWay(path: folder.path("other"))) { try write(to: "other") }
    #expect(
      try folder.contents().keys.sorted() == ["campus.guide/photo.jpg", "file", "other/guide.json"])
    try FileManager.default.createDirectory(
      atPath: folder.path("new"), withIntermediateDirectories: false)
    try write(to: "new")
    #expect(throws: GuideError.self) { try write(to: "no/where") }
  }

  @Test("Replaces newer or damaged guides and keeps other files")
  func replaced() throws {
    for text in [#"{"format":"cupola.guide/9"}"#, "{", ""] {
      try folder.write(text, to: "campus.guide/guide.json")
      try folder.write("mine", to: "campus.guide/notes-0123456789abcdef.txt")
      try write()
      #expect(try verifiedParts(of: path) == parts)
      #expect(try files().count == 5)
    }
  }

  @Test("A second writer throws busy while the guide is locked")
  func busy() throws {
    try write()
    let before = try files()
    let owner = try GuideFolder(path)
    #expect(throws: GuideError.busy(path: path)) { try write(["a": [1]]) }
    owner.close()
    #expect(try files() == before)
    try write(["a": [1]])
    #expect(try verifiedParts(of: path) == ["a": [1]])
  }

  @Test("A killed write keeps the old guide; the next write cleans up")
  func killed() throws {
    let newer = [
      "paths.bin": randomBytes(97, seed: 7), "places.json": randomBytes(51, seed: 8), "more": [1],
    ]
    for moved in 0...newer.count {
      try write()
      let manifest = try GuideManifest(name: "Park", parts: newer)
      try folder.write(manifest.json, to: "campus.guide/.update/guide.json")
      for (index, part) in manifest.parts.enumerated() {
        let place = index < moved ? "campus.guide/" : "campus.guide/.update/"
        try folder.write(newer[part.name] ?? [], to: place + part.file)
      }
      #expect(try verifiedParts(of: path) == parts)
      let third: [String: [UInt8]] = ["paths.bin": [3], "more": [1]]
      try write(third)
      #expect(try verifiedParts(of: path) == third)
      #expect(try files().count == 3)
    }
  }

  @Test("A write or update removes old parts that a killed writer left", arguments: [true, false])
  func killedAfterSwitch(isUpdate: Bool) async throws {
    let old = try write().manifest
    let left = try folder.contents().filter { !$0.key.hasSuffix("guide.json") }
    let newer: [String: [UInt8]] = ["paths.bin": [3], "more": [1]]
    try write(newer)
    let expected = try files()
    for (name, bytes) in left { try folder.write(Array(bytes), to: name) }
    try folder.write(old.json, to: "campus.guide/.update/replaced.json")
    if isUpdate {
      try write(newer, to: "published")
      _ = try await GuideUpdate(
        of: path, fetching: GuideUpdate.fetcher(fromFolder: folder.path("published"))
      ).run()
    } else {
      try write(newer)
    }
    #expect(try files().filter { !$0.key.hasSuffix("/.etag") } == expected)
  }

  @Test("A failing write removes the files of an earlier killed write")
  func failedTwice() throws {
    try write()
    let second = try GuideManifest(name: "Park", parts: ["lost.bin": [1]])
    let third = try GuideManifest(name: "Park", parts: ["more.bin": [2]])
    let lost = "campus.guide/" + second.parts[0].file
    try folder.write(second.json, to: "campus.guide/.update/guide.json")
    try folder.write([1], to: lost)
    // A folder with the part's name prevents the file from being written.
    try folder.write([3], to: "campus.guide/" + third.parts[0].file + "/x")
    #expect(throws: GuideError.self) { try write(["more.bin": [2]]) }
    #expect(try verifiedParts(of: path) == parts)
    #expect(!Directory.exists(folder.path(lost)))
  }

  @Test("A write that fails at any file removes all new parts")
  func failed() throws {
    try write()
    let newer: [String: [UInt8]] = ["paths.bin": [7], "more": [1]]
    for part in try GuideManifest(name: "Park", parts: newer).parts {
      // A folder with the part's name prevents the file from being written.
      let obstacle = "campus.guide/" + part.file
      try folder.write([3], to: obstacle + "/x")
      let before = try folder.contents()
      #expect(throws: GuideError.self) { try write(newer) }
      #expect(try folder.contents() == before)
      #expect(!Directory.exists(path + "/.update"))
      try FileManager.default.removeItem(atPath: folder.path(obstacle))
    }
    try folder.write([3], to: "other/guide.json/x")
    #expect(throws: GuideError.self) { try write(to: "other") }
    #expect(try files("other").keys.sorted() == ["other/guide.json/x"])
    #expect(!Directory.exists(folder.path("other/.update")))
  }

  @Test("A failing write after a killed one leaves no moved parts")
  func failedAfterKilled() throws {
    let first = try GuideManifest(name: "Park", parts: ["a": [1], "b": [2]])
    try folder.write(first.json, to: "campus.guide/.update/guide.json")
    try folder.write([1], to: "campus.guide/" + first.parts[0].file)
    let third = try GuideManifest(name: "Park", parts: ["c": [3]]).parts[0]
    try folder.write([4], to: "campus.guide/.update/\(third.file)/x")
    #expect(throws: GuideError.self) { try write(["a": [1], "c": [3]]) }
    #expect(Directory.exists(path + "/.update/guide.json"))
    try FileManager.default.removeItem(atPath: path + "/.update/" + third.file)
    try folder.write([4], to: "campus.guide/guide.json/x")
    #expect(throws: GuideError.self) { try write(["a": [1], "c": [3]]) }
    #expect(try files().keys.sorted() == ["campus.guide/guide.json/x"])
  }

  @Test("A write error reports the final path, not the staging path")
  func unwritable() throws {
    let file = try GuideManifest(name: "Park", parts: ["a": [1]]).parts[0].file
    try folder.write([3], to: "campus.guide/.update/\(file)/x")
    let fault = FileError.cannotWrite(path: path + "/" + file, code: EISDIR)
    #expect(throws: GuideError.file(fault)) { try write(["a": [1]]) }
  }

  @Test("A change removes temporary files of killed writers")
  func temporaryFiles() throws {
    try write()
    let left = ["campus.guide/", "campus.guide/.update/"].map { $0 + "a.bin.part-0123456789abcdef" }
    for name in left {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)],
        ofItemAtPath: folder.write([3], to: name))
    }
    try write()
    #expect(try files().count == parts.count + 1)
    for name in left { #expect(!Directory.exists(folder.path(name))) }
  }

  @Test("A guide can be written over a killed first write")
  func killedAtFirst() throws {
    let manifest = try GuideManifest(name: "Park", parts: parts)
    try folder.write(manifest.json, to: "campus.guide/.update/guide.json")
    let part = manifest.parts[1]
    try folder.write([1, 2], to: "campus.guide/" + part.file)
    let left = try folder.write([3], to: "campus.guide/guide.json.part-0123456789abcdef")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: left)
    try write(["a": [1]])
    #expect(try verifiedParts(of: path) == ["a": [1]])
    #expect(try files().count == 2)
  }

  @Test(
    "Rejects a name too long for guide.json before writing")
  func tooLarge() throws {
    #expect(throws: GuideError.self) {
      try GuideBundle.write(
        parts: parts, name: String(repeating: "n", count: 1 << 18), to: path)
    }
    #expect(!Directory.exists(path))
  }
}
