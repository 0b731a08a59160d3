import Cupola
import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus
@testable import CupolaGuide

@Suite("Guide updates: interruptions and faulty servers")
struct GuideResumeTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("campus.guide") }
  private static let old = [
    "ground.bin": randomBytes(9, seed: 1), "paths.bin": randomBytes(20, seed: 2),
  ]
  private static let new = [
    "ground.bin": randomBytes(11, seed: 3), "paths.bin": randomBytes(23, seed: 4),
  ]

  init() throws {
    folder = try TemporaryFolder()
    _ = try GuideBundle.write(parts: Self.old, name: "Park", to: path)
  }

  private func update(_ server: GuideServer) async throws(GuideError) -> GuideUpdate.Outcome {
    try await GuideUpdate(of: path, fetching: server.fetch).run()
  }

  private func staged(_ name: String) throws -> String {
    let manifest = try GuideManifest(name: "Park", parts: Self.new)
    return ".update/" + (try #require(manifest.part(name)).file)
  }

  private func paths(_ answer: @escaping GuideServer.Fault) async throws -> GuideServer {
    let server = try GuideServer(Self.new)
    await server.set { request, number in
      request.name == "paths.bin" ? try answer(request, number) : nil
    }
    return server
  }

  @Test("Fetches only the rest after an interruption at any byte", arguments: 0...34)
  func everyByte(cut: Int) async throws {
    let server = try GuideServer(Self.new)
    await server.set(piece: 1) { _, number in
      if number == cut + 1 { throw GuideServer.ConnectionLost() } else { nil }
    }
    if cut < 34 {
      await #expect(throws: GuideError.self) { try await update(server) }
      #expect(try verifiedParts(of: path) == Self.old)
    } else {
      _ = try await update(server)
    }
    await server.set(piece: 5)
    guard case .updated(_, _, let bytes) = try await update(server) else {
      #expect(cut == 34)
      return
    }
    #expect(bytes == 34 - cut)
    let offset = cut < 11 ? cut : cut - 11
    #expect(await server.requests.dropFirst().first?.offset == offset)
    #expect(await server.requests.dropFirst().first?.etag == (offset > 0 ? "\"1\"" : nil))
    #expect(try verifiedParts(of: path) == Self.new)
    #expect(!Directory.exists(path + "/.update"))
  }

  @Test("Keeps the old guide until all requests have succeeded")
  func everyRequest() async throws {
    let server = try GuideServer(Self.new)
    var runs = 0
    while true {
      // In each run, the connection breaks after guide.json and one piece.
      await server.set(piece: 4) { _, number in
        if number >= 2 { throw GuideServer.ConnectionLost() } else { nil }
      }
      runs += 1
      do {
        _ = try await update(server)
        break
      } catch {
        #expect(
          error == .fetchFailed(part: await server.parts.last ?? "", problem: "ConnectionLost()"))
        #expect(try verifiedParts(of: path) == Self.old)
      }
    }
    #expect(runs == 3 + 6)
    #expect(try verifiedParts(of: path) == Self.new)
  }

  @Test(
    "Refetches a part if its staged download is stale or damaged")
  func stagedDownloads() async throws {
    let (file, whole) = (try staged("paths.bin"), Self.new["paths.bin"] ?? [])
    let remains: [(bytes: [UInt8], fetched: Int)] = [
      (whole, 0), (Array(whole[..<10]), 13), ([0] + whole[1..<10], 13 + 23), (whole + [0], 23),
      ([UInt8](repeating: 0, count: 23), 23), ([], 23),
    ]
    for (bytes, fetched) in remains {
      _ = try GuideBundle.write(parts: Self.old, name: "Park", to: path)
      try folder.write(bytes, to: "campus.guide/" + file)
      try folder.write("x", to: "campus.guide/.update/paths-0123456789abcdef.bin")
      let server = try GuideServer(Self.new)
      guard case .updated(_, _, let count) = try await update(server) else {
        Issue.record("with \(bytes.count) staged bytes, the guide is reported as up to date")
        continue
      }
      #expect(count == 11 + fetched)
      #expect(try verifiedParts(of: path) == Self.new)
      #expect(!Directory.exists(path + "/.update"))
    }
  }

  @Test(
    "Discards a partial download when the etag changes", arguments: 1..<23)
  func otherTag(cut: Int) async throws {
    let server = try await paths { request, number in
      if number == cut + 2 { throw GuideServer.ConnectionLost() }
      return request.name == "paths.bin" ? .partial([0xAA], etag: "\"other\"") : nil
    }
    await #expect(throws: GuideError.self) { try await update(server) }
    #expect(try folder.bytes("campus.guide/" + staged("paths.bin")).count == cut)
    await server.set(piece: 6)
    guard case .updated(_, _, let bytes) = try await update(server) else {
      Issue.record("the old guide is reported as up to date")
      return
    }
    let offsets = await server.requests.filter { $0.name == "paths.bin" }.map(\.offset)
    #expect(offsets.starts(with: [cut, 0, 6, 12]))
    #expect(bytes == min(6, 23 - cut) + 23)
    #expect(try verifiedParts(of: path) == Self.new)
  }

  @Test("Removes the files of a killed update even when up to date")
  func removesKilledUpdate() async throws {
    let manifest = try GuideManifest(name: "Park", parts: Self.new)
    let before = try folder.contents()
    try folder.write(manifest.json, to: "campus.guide/.update/guide.json")
    for part in manifest.parts { try folder.write([1], to: "campus.guide/" + part.file) }
    _ = try await update(try GuideServer(Self.old))
    #expect(try folder.contents().filter { !$0.key.hasSuffix("/.etag") } == before)
  }

  @Test("Removes partial downloads of old versions while updates fail")
  func stale() async throws {
    let server = try GuideServer(["paths.bin": randomBytes(30, seed: 6)])
    let cut: GuideServer.Fault = { _, number in
      if number == 2 { throw GuideServer.ConnectionLost() } else { nil }
    }
    for version in 7..<10 as Range<UInt64> {
      await server.set(piece: 4, fault: cut)
      await #expect(throws: GuideError.self) { try await update(server) }
      #expect(try Directory.entries(of: path + "/.update").count == 2)
      try await server.publish(["paths.bin": randomBytes(30, seed: version)])
    }
  }

  @Test("Gives up when the etag changes with every response")
  func changingTags() async throws {
    let server = try await paths { request, number in
      .partial([UInt8(truncatingIfNeeded: number)], etag: "\"\(number)\"")
    }
    await #expect(throws: GuideError.wrongDownload(part: "paths.bin")) { try await update(server) }
    #expect(await server.requests.count < 8)
    #expect(try verifiedParts(of: path) == Self.old)
  }

  @Test("Restarts the download when the server cannot resume")
  func noRanges() async throws {
    let whole = Self.new["paths.bin"] ?? []
    for cut in [1, 2, 11, 21, 22] {
      _ = try GuideBundle.write(parts: Self.old, name: "Park", to: path)
      let server = try await paths { _, number in
        if number == 3 { throw GuideServer.ConnectionLost() }
        return .whole(Array(whole[..<cut]), etag: nil)
      }
      await #expect(throws: GuideError.self) { try await update(server) }
      await server.set { request, _ in request.name == "paths.bin" ? .whole(whole) : nil }
      _ = try await update(server)
      #expect(await server.requests.map(\.offset) == [0, cut])
      #expect(try verifiedParts(of: path) == Self.new)
    }
  }

  @Test("Ends the update if the connection breaks at the same byte again")
  func repeatedInterruption() async throws {
    let whole = Self.new["paths.bin"] ?? []
    for tagged in [false, true] {
      let server = try await paths { _, number in
        .whole(Array(whole[..<8]), etag: tagged ? "\"\(number)\"" : nil)
      }
      let fault = GuideError.downloadTooSmall(part: "paths.bin")
      await #expect(throws: fault) { try await update(server) }
      await #expect(throws: fault) { try await update(server) }
      #expect(await server.requests.count < 12)
    }
    #expect(try verifiedParts(of: path) == Self.old)
  }

  @Test("Ends the update on wrong data; the next update starts over")
  func wrongData() async throws {
    let whole = Self.new["paths.bin"] ?? []
    let large = GuideError.downloadTooLarge(part: "paths.bin", limit: 23)
    let small = GuideError.downloadTooSmall(part: "paths.bin")
    let other = GuideError.wrongDownload(part: "paths.bin")
    let answers: [(GuideResponse, GuideError)] = [
      (.whole(whole + [1]), large), (.partial(whole + [1]), large),
      (.whole(randomBytes(1 << 20, seed: 1)), large), (.partial([]), small), (.whole([]), small),
      (.whole([], etag: "\"2\""), small), (.whole(randomBytes(23, seed: 9)), other),
      (.partial(randomBytes(23, seed: 9)), other), (.partial(randomBytes(8, seed: 9)), large),
      (.partial([0]), other), (.notModified, other),
    ]
    for (answer, fault) in answers {
      _ = try GuideBundle.write(parts: Self.old, name: "Park", to: path)
      let server = try await paths { _, _ in answer }
      await #expect(throws: fault) { try await update(server) }
      #expect(try verifiedParts(of: path) == Self.old)
      #expect(!Directory.exists(path + "/" + (try staged("paths.bin"))))
      await server.set()
      _ = try await update(server)
      #expect(await server.parts == ["paths.bin"])
      #expect(try verifiedParts(of: path) == Self.new)
    }
  }

  @Test("Random server behavior never damages the guide")
  func randomServers() async throws {
    let path = path
    for seed in 0..<300 {
      let server = try GuideServer(seed % 2 == 0 ? Self.new : Self.old)
      await server.set { request, number in
        var random = SplitMix64(seed: UInt64(seed * 1_000 + number))
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        let tag = below(2) == 0 ? nil : "\"\(below(3))\""
        let whole = (seed % 2 == 0 ? Self.new : Self.old)[request.name] ?? []
        switch below(7) {
        case 0: throw GuideServer.ConnectionLost()
        case 1: return .notModified
        case 2: return .whole(randomBytes(below(25), seed: random.next()), etag: tag)
        case 3: return .partial(randomBytes(below(25), seed: random.next()), etag: tag)
        case 4: return .partial(Array(whole.dropFirst(request.offset).prefix(below(9))), etag: tag)
        default: return nil
        }
      }
      _ = try? await GuideUpdate(of: path, fetching: server.fetch).run()
      #expect(await server.requests.count < 60)
      let now = try verifiedParts(of: path)
      #expect(now == Self.old || now == Self.new)
    }
  }

  @Test("Discards etags that are unsafe in a header")
  func tags() {
    #expect(ETag.usable("W/\"a b\"") == "W/\"a b\"")
    for bad in [nil, "", "a\r\nX: y", "a\u{0}", "\u{7F}", String(repeating: "a", count: 1_001)] {
      #expect(ETag.usable(bad) == nil)
    }
  }
}

actor GuideServer {
  struct ConnectionLost: Error {}

  /// Returns a faulty response, or `nil` to return the actual file.
  typealias Fault = @Sendable (_ request: GuideRequest, _ number: Int) throws -> GuideResponse?

  private var files: [String: [UInt8]] = [:]
  private(set) var requests: [GuideRequest] = []
  private var piece = Int.max
  private var fault: Fault = { _, _ in nil }
  private var tag = "\"1\""

  init(_ parts: [String: [UInt8]], version: String? = nil) throws {
    files = try Self.files(parts, version)
  }

  private static func files(_ parts: [String: [UInt8]], _ version: String?) throws
    -> [String: [UInt8]]
  {
    let manifest = try GuideManifest(name: "Park", version: version, parts: parts)
    var files = [GuideManifest.file: manifest.json]
    for part in manifest.parts { files[part.file] = parts[part.name] }
    return files
  }

  func publish(_ parts: [String: [UInt8]]) throws {
    files = try Self.files(parts, nil)
    tag += "+"
  }

  func set(piece: Int = .max, fault: @escaping Fault = { _, _ in nil }) {
    (self.piece, self.fault) = (piece, fault)
    requests = []
  }

  var parts: [String] {
    var names: [String] = []
    for request in requests where request.name != GuideManifest.file && names.last != request.name {
      names.append(request.name)
    }
    return names
  }

  func answer(_ request: GuideRequest) throws -> GuideResponse {
    requests.append(request)
    if let answer = try fault(request, requests.count - 1) { return answer }
    guard let bytes = files[request.file] else { throw ConnectionLost() }
    if request.name == GuideManifest.file {
      return request.etag == tag ? .notModified : .whole(bytes, etag: tag)
    }
    if request.offset == 0, piece == .max { return .whole(bytes, etag: tag) }
    return .partial(Array(bytes.dropFirst(request.offset).prefix(piece)), etag: tag)
  }

  nonisolated var fetch: GuideUpdate.Fetch { { try await self.answer($0) } }
}

func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var random = SplitMix64(seed: seed)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

/// Returns the guide's parts by name, or throws if a part does not match the manifest.
func verifiedParts(of path: String) throws -> [String: [UInt8]] {
  let bundle = try GuideBundle(reading: path)
  return try Dictionary(
    uniqueKeysWithValues: bundle.manifest.parts.map { ($0.name, try bundle.bytes(of: $0)) })
}
