import Cupola

@testable import CupolaGuide

/// A server of a guide's files in memory, as an app's closure sees one.
actor GuideServer {
  struct Unplugged: Error {}

  /// What it does other than to serve; `nil` serves.
  typealias Fault = @Sendable (_ request: GuideRequest, _ number: Int) throws -> GuideResponse?

  private var files: [String: [UInt8]] = [:]
  /// All requests so far.
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

  /// The parts asked for, in order, each once.
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
    guard let bytes = files[request.file] else { throw Unplugged() }
    if request.name == GuideManifest.file {
      return request.etag == tag ? .notModified : .whole(bytes, etag: tag)
    }
    if request.offset == 0, piece == .max { return .whole(bytes, etag: tag) }
    return .partial(Array(bytes.dropFirst(request.offset).prefix(piece)), etag: tag)
  }

  nonisolated var fetch: GuideUpdate.Fetch { { try await self.answer($0) } }
}

/// Bytes that look like nothing, the same for the same seed.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
  var random = SplitMix64(seed: seed)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

/// A guide's parts by name as they can be read; throws when one is not what the manifest says.
func wholeParts(of path: String) throws -> [String: [UInt8]] {
  let bundle = try GuideBundle(reading: path)
  return try Dictionary(
    uniqueKeysWithValues: bundle.manifest.parts.map { ($0.name, try bundle.bytes(of: $0)) })
}
