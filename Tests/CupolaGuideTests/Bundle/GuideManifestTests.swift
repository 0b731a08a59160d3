import CupolaSupport
import Testing

@testable import CupolaCampus
@testable import CupolaGuide

@Suite("Guide manifests") struct GuideManifestTests {
  private static let parts: [String: [UInt8]] = ["paths.bin": [1, 2, 3], "a": [], "z-9.json": [7]]

  private func read(_ text: String) throws(GuideError) -> GuideManifest {
    try GuideManifest(json: Array(text.utf8), path: "guide.json")
  }

  private func text(
    part: String = #"{"name":"a.bin","bytes":1,"sha256":"\#(Self.digest)"}"#, more: String = ""
  ) -> String {
    #"{"format":"cupola.guide/1","name":"n","version":"v","parts":[\#(part)]\#(more)}"#
  }

  private static let digest = String(repeating: "0f", count: 32)

  @Test("Round-trips with parts sorted by name")
  func roundTrip() throws {
    let manifest = try GuideManifest(
      name: "Grün \"1\"\n", version: nil, timeZone: "Europe/Berlin",
      attribution: "© OpenStreetMap contributors", parts: Self.parts)
    let again = try GuideManifest(json: manifest.json, path: "x")
    #expect(again == manifest && again.json == manifest.json)
    #expect(manifest.parts.map(\.name) == ["a", "paths.bin", "z-9.json"])
    #expect(manifest.parts.map(\.bytes) == [0, 3, 1])
    #expect(manifest.bytes == 4)
    #expect(manifest.part("paths.bin")?.sha256 == SHA256.hexadecimal(of: [1, 2, 3]))
  }

  @Test(
    "The default version is a prefix of the digest of all part digests")
  func version() throws {
    let digests = [[], [1, 2, 3], [7]].map { SHA256.hexadecimal(of: $0) }.joined()
    let version = String(SHA256.hexadecimal(of: Array(digests.utf8)).prefix(16))
    let manifest = try GuideManifest(name: "n", parts: Self.parts)
    #expect(manifest.version == version)
    var other = Self.parts
    other["a"] = [0]
    #expect(try GuideManifest(name: "n", parts: other).version != version)
    #expect(try GuideManifest(name: "n", version: "2", parts: other).version == "2")
  }

  @Test("Writes the expected JSON bytes")
  func golden() throws {
    let manifest = try GuideManifest(name: "n", version: "1", parts: ["b.bin": []])
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(
      String(decoding: manifest.json, as: UTF8.self)
        == #"{"format":"cupola.guide/1","name":"n","parts":[{"bytes":0,"name":"b.bin","sha256":""#
        + empty + #""}],"version":"1"}"# + "\n")
    #expect(manifest.parts.map(\.file) == ["b-e3b0c44298fc1c14.bin"])
  }

  @Test("File names contain digests and are unique")
  func files() throws {
    let digest = Self.digest
    func file(_ name: String) throws -> String {
      try GuideManifest.Part(name: name, bytes: 0, sha256: digest).file
    }
    let names = ["a", "a.b", "a.b.c", "a-0f0f0f0f0f0f0f0f.b", "a-.b", "a.", "-", "guide.json"]
    let files = try names.map(file)
    #expect(Set(files).count == names.count)
    #expect(try file("a.b.c") == "a-0f0f0f0f0f0f0f0f.b.c")
    #expect(!files.contains(GuideManifest.file))
  }

  @Test(
    "Rejects part names that are unsafe as file names",
    arguments: [
      "", ".", "..", ".hidden", "../x", "a/b", "/etc/passwd", "a\\\\b", "A.bin", "a b", "a\\u0000",
      "ä", "a_b", "~", "c:x", "a%2fb", "a\\n", "e\\u0301", String(repeating: "a", count: 65),
    ])
  func badNames(name: String) {
    let part = #"{"name":"\#(name)","bytes":1,"sha256":"\#(Self.digest)"}"#
    #expect(throws: GuideError.badManifest(path: "guide.json", problem: "part 1 is invalid")) {
      try read(text(part: part))
    }
  }

  @Test(
    "Accepts valid part names",
    arguments: ["a", "0", "-", "a..b", String(repeating: "z", count: 64)])
  func goodNames(name: String) throws {
    let part = #"{"name":"\#(name)","bytes":1,"sha256":"\#(Self.digest)"}"#
    let file = try #require(try read(text(part: part)).parts.first).file
    #expect(!file.contains("/") && !file.hasPrefix("."))
  }

  @Test(
    "Rejects malformed parts",
    arguments: [
      "1", "null", "{}", #"{"name":"a","bytes":1}"#, #"{"name":"a","bytes":1,"sha256":""}"#,
      #"{"name":"a","bytes":-1,"sha256":"\#(digest)"}"#,
      #"{"name":"a","bytes":1.5,"sha256":"\#(digest)"}"#,
      #"{"name":"a","bytes":"1","sha256":"\#(digest)"}"#,
      #"{"name":"a","bytes":1e300,"sha256":"\#(digest)"}"#,
      #"{"name":"a","bytes":1,"sha256":"\#(digest.uppercased())"}"#,
      #"{"name":"a","bytes":1,"sha256":"\#(digest)0"}"#,
      #"{"name":"a","bytes":1,"sha256":"\#(digest.dropLast())/"}"#,
    ])
  func badParts(part: String) {
    #expect(throws: GuideError.badManifest(path: "guide.json", problem: "part 1 is invalid")) {
      try read(text(part: part))
    }
  }

  @Test("Limits part size, part count and text size")
  func limits() throws {
    func part(_ name: String, _ bytes: Int) -> String {
      #"{"name":"\#(name)","bytes":\#(bytes),"sha256":"\#(Self.digest)"}"#
    }
    let most = 256 << 20
    #expect(try read(text(part: part("a", most))).bytes == most)
    #expect(throws: GuideError.partTooLarge(name: "a", bytes: most + 1, limit: most)) {
      try read(text(part: part("a", most + 1)))
    }
    func many(_ count: Int) -> String {
      text(part: (0..<count).map { part("p\($0)", most) }.joined(separator: ","))
    }
    #expect(try read(many(64)).bytes == 64 * most)
    #expect(throws: GuideError.badManifest(path: "guide.json", problem: "more than 64 parts")) {
      try read(many(65))
    }
    #expect(throws: GuideError.self) {
      try read(text(more: #","x":"\#(String(repeating: "x", count: 1 << 18))""#))
    }
    #expect(throws: GuideError.self) {
      try read(text(more: #","x":\#(String(repeating: "[", count: 1_000))"#))
    }
  }

  @Test("Reports duplicate names, other formats and invalid JSON")
  func refused() {
    let part = #"{"name":"a.bin","bytes":1,"sha256":"\#(Self.digest)"}"#
    func problem(_ problem: String) -> GuideError {
      .badManifest(path: "guide.json", problem: problem)
    }
    #expect(throws: problem("two parts are named a.bin")) {
      try read(text(part: part + "," + part))
    }
    #expect(throws: GuideError.newerFormat("cupola.guide/2")) {
      try read(#"{"format":"cupola.guide/2"}"#)
    }
    for other in ["[]", "{}", #"{"format":1}"#, #"{"format":"tour/1"}"#] {
      #expect(throws: problem("no \"format\": \"cupola.guide/1\"")) { try read(other) }
    }
    for (key, problem) in [("name", "no \"name\""), ("version", "no \"version\"")] {
      #expect(throws: GuideError.badManifest(path: "guide.json", problem: problem)) {
        try read(text().replacing("\"\(key)\":\"\(key.prefix(1))\"", with: "\"x\":0"))
      }
    }
    #expect(throws: problem("\"time_zone\" is not a string")) {
      try read(text(more: #","time_zone":3"#))
    }
  }

  @Test("Rejects truncated text and ignores unknown keys")
  func cut() throws {
    let whole = Array(text(more: #","attribution":null,"later":[1]"#).utf8)
    #expect(try GuideManifest(json: whole, path: "").attribution == nil)
    for count in 0..<whole.count {
      #expect(throws: GuideError.self) {
        try GuideManifest(json: Array(whole.prefix(count)), path: "")
      }
    }
  }

  @Test("Every error message is one line, whatever the names contain")
  func messages() {
    let evil = "a\n\u{1B}[2J\u{202E}"
    let errors: [GuideError] = [
      .file(.cannotRead(path: evil, code: 2)), .badManifest(path: evil, problem: evil),
      .noGuide(path: evil), .newerFormat(evil), .wrongPart(path: evil, name: evil),
      .partTooLarge(name: evil, bytes: 2, limit: 1), .tooManyValues(part: evil, limit: 1),
      .inTheWay(path: evil), .busy(path: evil),
      .fetchFailed(part: evil, problem: evil), .downloadTooLarge(part: evil, limit: 1),
      .downloadTooSmall(part: evil), .wrongDownload(part: evil), .canceled,
    ]
    for error in errors {
      #expect(error.message.utf8.count > 20 && error.description == error.message)
      #expect(!error.message.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
    #expect(Set(errors.map(\.message)).count == errors.count)
  }
}
