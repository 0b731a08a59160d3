import Cupola
import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus
@testable import CupolaGuide

@Suite("Guide updates") struct GuideUpdateTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("campus.guide") }
  private static let old = [
    "ground.bin": randomBytes(40, seed: 1), "paths.bin": randomBytes(60, seed: 2),
    "places.json": randomBytes(30, seed: 3), "gone": [1, 2],
  ]
  private static let new = [
    "ground.bin": randomBytes(40, seed: 1), "paths.bin": randomBytes(61, seed: 4),
    "places.json": randomBytes(30, seed: 3), "added": randomBytes(5, seed: 5), "empty": [],
  ]

  init() throws { folder = try TemporaryFolder() }

  private func writeOld() throws {
    _ = try GuideBundle.write(parts: Self.old, name: "Park", to: path)
  }

  private func update(_ server: GuideServer) async throws(GuideError) -> GuideUpdate.Outcome {
    try await GuideUpdate(of: path, fetching: server.fetch).run()
  }

  @Test("Fetches only changed parts and produces the same folder as a build")
  func changed() async throws {
    try writeOld()
    let server = try GuideServer(Self.new)
    let version = try GuideManifest(name: "Park", parts: Self.new).version
    #expect(
      try await update(server)
        == .updated(version: version, parts: ["added", "empty", "paths.bin"], fetchedBytes: 66))
    #expect(await server.parts == ["added", "paths.bin"])
    #expect(try verifiedParts(of: path) == Self.new)
    _ = try GuideBundle.write(parts: Self.new, name: "Park", to: folder.path("built"))
    let all = try folder.contents().filter { !$0.key.hasSuffix(".etag") && $0.key.contains("/") }
    for (name, bytes) in all where name.hasPrefix("built/") {
      #expect(all[name.replacing("built/", with: "campus.guide/")] == bytes)
    }
    #expect(all.count == 12)
  }

  @Test("Requests guide.json once with its etag when up to date")
  func upToDate() async throws {
    try writeOld()
    let server = try GuideServer(Self.old)
    let version = try GuideBundle(reading: path).manifest.version
    for etag in [nil, "\"1\""] {
      await server.set()
      #expect(try await update(server) == .upToDate(version: version))
      #expect(await server.requests.map(\.etag) == [etag])
      #expect(await server.requests.map(\.file) == ["guide.json"])
    }
    try await server.publish(Self.new)
    await server.set()
    _ = try await update(server)
    #expect(await server.requests.map(\.etag) == ["\"1\"", nil, nil])
    #expect(try verifiedParts(of: path) == Self.new)
  }

  @Test("Does not send the etag of another guide.json")
  func staleTag() async throws {
    let server = try GuideServer(Self.new)
    _ = try await update(server)
    let tag = try folder.bytes("campus.guide/.etag")
    try writeOld()
    try folder.write(tag, to: "campus.guide/.etag")
    await server.set()
    _ = try await update(server)
    #expect(await server.requests.first?.etag == nil)
    #expect(try verifiedParts(of: path) == Self.new)
  }

  @Test("Updates the manifest without fetching parts that are equal")
  func renamed() async throws {
    try writeOld()
    let server = try GuideServer(Self.old, version: "2")
    #expect(try await update(server) == .updated(version: "2", parts: [], fetchedBytes: 0))
    #expect(try GuideBundle(reading: path).manifest.version == "2")
    #expect(await server.parts == [])
  }

  @Test("Refetches damaged parts when guide.json is unchanged")
  func damagedParts() async throws {
    let server = try GuideServer(Self.old)
    _ = try await update(server)
    let manifest = try GuideBundle(reading: path).manifest
    for part in manifest.parts {
      try folder.write([9], to: "campus.guide/" + part.file)
      await server.set()
      let outcome = GuideUpdate.Outcome.updated(
        version: manifest.version, parts: [part.name], fetchedBytes: part.bytes)
      #expect(try await update(server) == outcome)
      #expect(await server.requests.first?.etag != nil)
      #expect(try verifiedParts(of: path) == Self.old)
    }
  }

  @Test(
    "Refetches a damaged guide.json and keeps the parts", arguments: ["", "{", "[]x"])
  func damagedManifest(text: String) async throws {
    let server = try GuideServer(Self.old)
    _ = try await update(server)
    try folder.write(text, to: "campus.guide/guide.json")
    await server.set()
    _ = try await update(server)
    #expect(await server.parts == [])
    #expect(try verifiedParts(of: path) == Self.old)
  }

  @Test("Fetches a new guide whole; a failure leaves no folder")
  func newGuide() async throws {
    let server = try GuideServer(Self.new)
    await server.set { _, _ in throw GuideServer.ConnectionLost() }
    let fault = GuideError.fetchFailed(part: "guide.json", problem: "ConnectionLost()")
    await #expect(throws: fault) { try await update(server) }
    #expect(!Directory.exists(path))
    await server.set()
    _ = try await update(server)
    #expect(try verifiedParts(of: path) == Self.new)
  }

  @Test("Does not touch a folder that is not a guide")
  func inTheWay() async throws {
    try folder.write("mine", to: "campus.guide/mine")
    let server = try GuideServer(Self.new)
    await #expect(throws: GuideError.inTheWay(path: path)) { try await update(server) }
    let below = GuideUpdate(of: folder.path("no/where"), fetching: server.fetch)
    await #expect(throws: GuideError.self) { try await below.run() }
    #expect(await server.requests == [])
    #expect(try folder.contents().keys.sorted() == ["campus.guide/mine"])
  }

  @Test("Progress rises to the total size of the changed parts")
  func progress() async throws {
    try writeOld()
    let server = try GuideServer(Self.new)
    await server.set(piece: 7)
    var steps: [Int] = []
    _ = try await GuideUpdate(of: path, fetching: server.fetch).run { bytes, total in
      steps.append(bytes)
      #expect(total == 66)
    }
    #expect(steps.last == 66 && steps == steps.sorted() && steps.count == 10)
  }

  @Test("Keeps the old guide when guide.json is invalid")
  func badManifests() async throws {
    try writeOld()
    let before = try folder.contents()
    let most = GuideManifest.mostBytes
    let answers: [(GuideResponse, GuideError)] = [
      (.notModified, .wrongDownload(part: "guide.json")),
      (.partial([1]), .wrongDownload(part: "guide.json")),
      (
        .whole([UInt8](repeating: 0x20, count: most + 1)),
        .downloadTooLarge(part: "guide.json", limit: most)
      ),
      (.whole(Array(#"{"format":"cupola.guide/2"}"#.utf8)), .newerFormat("cupola.guide/2")),
      (
        .whole(Array("{}".utf8)),
        .badManifest(path: "guide.json", problem: "no \"format\": \"cupola.guide/1\"")
      ),
    ]
    let server = try GuideServer(Self.new)
    for (answer, fault) in answers {
      await server.set { _, _ in answer }
      await #expect(throws: fault) { try await update(server) }
    }
    var random = SplitMix64(seed: 3)
    let good = try GuideManifest(name: "Park", parts: Self.new).json
    for _ in 0..<60 {
      var bad = good
      for _ in 0..<3 {
        bad[Int(random.next() % UInt64(bad.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let text = bad
      await server.set { request, _ in
        guard request.name == "guide.json" else { throw GuideServer.ConnectionLost() }
        return .whole(text)
      }
      _ = try? await update(server)
      #expect(try verifiedParts(of: path) == Self.old)
    }
    #expect(try folder.contents() == before)
  }

  @Test("A canceled update throws canceled and keeps the old guide")
  func canceled() async throws {
    try writeOld()
    let server = try GuideServer(Self.new)
    let path = path
    let task = Task { () async throws -> GuideUpdate.Outcome in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await GuideUpdate(of: path, fetching: server.fetch).run()
    }
    await #expect(throws: GuideError.canceled) { try await task.value }
    await server.set { _, number in if number == 1 { throw CancellationError() } else { nil } }
    await #expect(throws: GuideError.canceled) { try await update(server) }
    #expect(try verifiedParts(of: path) == Self.old)
  }

  @Test("Rejects the second of two concurrent updates")
  func concurrentUpdates() async throws {
    try writeOld()
    let server = try GuideServer(Self.new)
    let path = path
    let inner = GuideUpdate(of: path, fetching: server.fetch)
    let outer = GuideUpdate(of: path) { request in
      if request.name != "guide.json" {
        await #expect(throws: GuideError.busy(path: path)) { try await inner.run() }
      }
      return try await server.answer(request)
    }
    _ = try await outer.run()
    #expect(try verifiedParts(of: path) == Self.new)
    let manifest = try GuideBundle(reading: path).manifest
    #expect(try await inner.run() == .upToDate(version: manifest.version))
  }

  @Test("Readers get the old parts or an error during an update")
  func reader() async throws {
    try writeOld()
    let bundle = try GuideBundle(reading: path)
    let server = try GuideServer(Self.new)
    await server.set { _, _ in
      for part in bundle.manifest.parts {
        let bytes = try bundle.bytes(of: part)
        #expect(bytes == Self.old[part.name])
      }
      return nil
    }
    _ = try await update(server)
    for part in bundle.manifest.parts {
      if let bytes = try? bundle.bytes(of: part) { #expect(bytes == Self.old[part.name]) }
    }
  }
}

@Suite("Guide updates from a folder") struct GuideUpdateFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func update(from source: String) async throws(GuideError) -> GuideUpdate.Outcome {
    let fetch = GuideUpdate.fetcher(fromFolder: source)
    return try await GuideUpdate(of: folder.path("app.guide"), fetching: fetch).run()
  }

  @Test("Updates from a path and a file URL, reading large parts in pieces")
  func updates() async throws {
    let source = folder.path("new campus ü.guide")
    var parts = [
      "large.bin": [UInt8](repeating: 7, count: 9 << 20), "small.bin": [1, 2, 3], "empty": [],
    ]
    let bundle = try GuideBundle.write(parts: parts, name: "Park", to: source)
    #expect(
      try await update(from: source)
        == .updated(
          version: bundle.manifest.version, parts: ["empty", "large.bin", "small.bin"],
          fetchedBytes: 9 << 20 + 3))
    let url = URL(filePath: source, directoryHint: .isDirectory).absoluteString
    #expect(try await update(from: url) == .upToDate(version: bundle.manifest.version))
    parts["small.bin"] = [4]
    let newer = try GuideBundle.write(parts: parts, name: "Park", to: source)
    #expect(
      try await update(from: url)
        == .updated(version: newer.manifest.version, parts: ["small.bin"], fetchedBytes: 1))
    #expect(try verifiedParts(of: folder.path("app.guide")) == parts)
  }

  @Test("Reports a missing, oversized or damaged source")
  func faults() async throws {
    let missing = FileError.cannotRead(path: folder.path("no/guide.json"), code: 2)
    await #expect(throws: GuideError.file(missing)) {
      try await update(from: folder.path("no"))
    }
    let most = GuideManifest.mostBytes
    try folder.write([UInt8](repeating: 0x20, count: most + 1), to: "big/guide.json")
    await #expect(throws: GuideError.downloadTooLarge(part: "guide.json", limit: most)) {
      try await update(from: folder.path("big"))
    }
    await #expect(
      throws: GuideError.fetchFailed(
        part: "https://example.org/a", problem: "not a folder or a local file: URL")
    ) { try await update(from: "https://example.org/a") }
    #expect(!Directory.exists(folder.path("app.guide")))
    let bundle = try GuideBundle.write(
      parts: ["a.bin": [1, 2, 3]], name: "Park", to: folder.path("new"))
    let file = "new/" + bundle.manifest.parts[0].file
    try folder.write([1, 2], to: file)
    await #expect(throws: GuideError.downloadTooSmall(part: "a.bin")) {
      try await update(from: folder.path("new"))
    }
    try folder.write([1, 2, 3], to: file)
    guard case .updated(_, _, let bytes) = try await update(from: folder.path("new")) else {
      return #expect(Bool(false))
    }
    #expect(bytes == 1)
  }

  @Test("Converts file URLs to paths and rejects other URLs")
  func urls() {
    let paths = [
      "a/b": "a/b", "/a b": "/a b", "file:///a%20b/": "/a b/", "FILE://localhost/c": "/c",
      "file:/d": "/d", "file:///%C3%BC": "/ü", "x:y": "x:y", "a/b://c": "a/b://c", "file:": "file:",
    ]
    for (text, path) in paths { #expect(GuideUpdate.path(of: text) == path, "\(text)") }
    let others = [
      "http://a/b", "https://a", "file://host/a", "file://", "file:///%0", "file:///%FF",
      "file:///%00", "file:///%+1", "file:///%zz",
    ]
    for text in others { #expect(GuideUpdate.path(of: text) == nil, "\(text)") }
  }
}
