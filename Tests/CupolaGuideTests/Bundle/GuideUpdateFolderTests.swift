import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus
@testable import CupolaGuide

@Suite("Guide update from a folder") struct GuideUpdateFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func update(from source: String) async throws(GuideError) -> GuideUpdate.Outcome {
    let fetch = GuideUpdate.fetcher(fromFolder: source)
    return try await GuideUpdate(of: folder.path("app.guide"), fetching: fetch).run()
  }

  @Test("A path and a file URL bring the same guide, in pieces where parts are large")
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
    #expect(try wholeParts(of: folder.path("app.guide")) == parts)
  }

  @Test("A source that is missing, too large or damaged leaves the guide and says why")
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
        part: "https://example.org/a", problem: "neither a folder nor a file: URL of this machine")
    ) { try await update(from: "https://example.org/a") }
    #expect(!Directory.exists(folder.path("app.guide")))
    let bundle = try GuideBundle.write(
      parts: ["a.bin": [1, 2, 3]], name: "Park", to: folder.path("new"))
    let file = "new/" + bundle.manifest.parts[0].file
    try folder.write([1, 2], to: file)
    await #expect(throws: GuideError.downloadTooSmall(part: "a.bin")) {
      try await update(from: folder.path("new"))
    }
    // It goes on behind the bytes that were right.
    try folder.write([1, 2, 3], to: file)
    guard case .updated(_, _, let bytes) = try await update(from: folder.path("new")) else {
      return #expect(Bool(false))
    }
    #expect(bytes == 1)
  }

  @Test("File URLs mean paths; other URLs mean none")
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
