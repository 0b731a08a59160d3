import CupolaTestSupport
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("cupola classify with folders and stdin")
struct PhotoInputTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90), to: "new/a/b/arch.jpg")
    try folder.write(try TinyCampus.jpeg(.cone, seed: 90), to: "new/cone.jpg")
  }

  private func classify(_ arguments: String..., input: [UInt8]? = nil) throws -> Tool.Output {
    let process = try Tool.process(["classify", "m.safetensors"] + arguments, in: folder)
    if let input {
      let file = try folder.write(input, to: "stdin-of-this-run")
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: file))
    }
    return try Tool.output(of: process)
  }

  private func names(_ output: Tool.Output) throws -> [String] {
    try output.jsonLines().compactMap { $0["photo"] as? String }
  }

  @Test("A photo on stdin is named stdin")
  func photo() throws {
    let photo = try TinyCampus.jpeg(.arch, seed: 90)
    let output = try classify("-", input: photo)
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("stdin: Old Arch "))
    let both = try classify("-", "new/cone.jpg", "--jsonl", "-q", input: photo)
    #expect(try names(both) == ["stdin", "new/cone.jpg"])
  }

  @Test("Several photos on stdin are noted, but not MPF images")
  func several() throws {
    let photo = try TinyCampus.jpeg(.arch, seed: 90)
    let note = "note: stdin: only the first of several photos is classified; pass a list of paths"
    let two = try classify("-", input: photo + (try TinyCampus.jpeg(.cone, seed: 90)))
    expectSuccess(two)
    #expect(two.stdout.hasPrefix("stdin: Old Arch ") && two.messages == [note])
    // The MPF segment without a list of images.
    let segment: [UInt8] = [0xFF, 0xE2, 0, 6] + Array("MPF\0".utf8)
    let listing: [UInt8] = [0xFF, 0xD8] + segment + Array(photo.dropFirst(2))
    let one = try classify("-", input: listing + photo)
    expectSuccess(one)
    #expect(one.stderr.isEmpty)
  }

  @Test(
    "Other image formats on stdin are named",
    arguments: [("picture.png", "stdin: PNG, not JPEG"), ("picture.webp", "stdin: WebP, not JPEG")])
  func otherPicture(fixture: String, words: String) throws {
    expectFailure(try classify("-", input: try TinyCampus.fixture(fixture)), 65, words)
    expectFailure(try classify("-", input: [0, 1, 2, 0xFF, 3]), 65, "stdin: not a JPEG")
  }

  @Test("Input that is neither a photo nor a list is reported")
  func noList() throws {
    let model = try folder.bytes("m.safetensors")
    let tape = Array("letter.txt".utf8) + [UInt8](repeating: 0, count: 90) + Array("0000644".utf8)
    let wide: [UInt8] = [0xFF, 0xFE] + "new/cone.jpg\n".utf8.flatMap { [$0, 0] }
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 5000) + [0x0A]
    for bytes in [model, tape, wide, long, [0, 0, 0, 0]] {
      expectFailure(try classify("-", input: bytes), 65, "stdin: ", "not a")
      try folder.write(bytes, to: "list")
      expectFailure(try classify("--list", "list"), 65, "list:1: not a list of photos")
    }
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90), to: "list")
    expectFailure(try classify("--list", "list"), 65, "list:1: not a list of photos")
  }

  @Test("A photo on stdin has the size limit of a file")
  func limit() throws {
    let photo = try TinyCampus.jpeg(.arch, seed: 90)
    let many = photo + [UInt8](repeating: 0, count: 64 << 20)
    expectFailure(try classify("-", input: many), 65, "stdin: ", "exceeds the limit of 64 MB")
  }

  @Test(
    "Paths on stdin may end with a line break or a zero byte",
    arguments: [
      "new/cone.jpg\nnew/a/b/arch.jpg\n", "new/cone.jpg\r\nnew/a/b/arch.jpg",
      "new/cone.jpg\0new/a/b/arch.jpg\0",
    ])
  func paths(input: String) throws {
    let output = try classify("-", "--jsonl", "-q", input: Array(input.utf8))
    expectSuccess(output)
    #expect(try names(output) == ["new/cone.jpg", "new/a/b/arch.jpg"])
  }

  @Test("Paths that look like image signatures are read")
  func oddPaths() throws {
    let photo = try TinyCampus.jpeg(.arch, seed: 90)
    for name in ["BM and some more letters/1.jpg", "GIF89a.jpg", "two\nlines.jpg"] {
      try folder.write(photo, to: name)
      let ends: [UInt8] = name.contains("\n") ? [0] : [0, 0x0A]
      for end in ends {
        let output = try classify("-", "--jsonl", input: Array(name.utf8) + [end])
        #expect(try names(output) == [name])
      }
    }
  }

  @Test(
    "A name that is not UTF-8 is reported",
    .enabled(if: TemporaryFolder.acceptsAnyName, "this file system refuses such names"))
  func notUTF8() throws {
    let bytes: [UInt8] = [0x62, 0xE9, 0x2E, 0x6A, 0x70, 0x67]
    try folder.create(bytes, in: "new")
    let words = "cupola: new/b\u{FFFD}.jpg: its name is not valid UTF-8; rename it"
    let found = try classify("new", "-q")
    #expect(found.status == 1 && found.messages == [words])
    expectFailure(try classify("-", input: Array("new/".utf8) + bytes), 66, words)
    let watched = try Tool.run(["watch", "m.safetensors", "new", "-q"], in: folder)
    #expect(watched.status == 1 && watched.messages == [words])
  }

  @Test("JSON errors do not repeat the path")
  func errors() throws {
    try folder.write("text", to: "text.jpg")
    let lines = try classify("text.jpg", "missing.jpg", "--jsonl", "-q").jsonLines()
    let errors = lines.compactMap { $0["error"] as? String }
    #expect(
      errors == [
        "text, not a photo; remove it",
        "cannot be read: No such file or directory",
      ])
    let frames = try Tool.run(["watch", "m.safetensors", "missing.jpg", "--jsonl"], in: folder)
    #expect(try frames.jsonLines().first?["error"] as? String == errors.last)
  }

  @Test(
    "Linked folders are read once, and unreadable files are named",
    .timeLimit(.minutes(10)))
  func folders() throws {
    for (name, target) in [("new/up", ".."), ("new/a/all", "../../new"), ("new/gone", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: target)
    }
    let made = unsafe mkfifo(folder.path("new/pipe.jpg"), 0o600)
    try #require(made == 0)
    let output = try classify("new", "-q")
    #expect(output.status == 1)
    #expect(
      output.stdout.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
        "new/a/b/arch.jpg", "new/cone.jpg",
      ])
    #expect(
      output.messages == [
        "cupola: new/gone: cannot be read: No such file or directory",
        "cupola: new/pipe.jpg: is a pipe, socket or device; use a regular file",
      ])
    let lines = try classify("new", "--jsonl", "-q").jsonLines()
    #expect(lines.count { $0["error"] != nil } == 2)
  }
}
