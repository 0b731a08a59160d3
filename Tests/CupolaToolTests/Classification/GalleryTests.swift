import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTool

@Suite("Galleries and sorted copies")
struct GalleryTests {
  let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for kind in TinyCampus.Kind.allCases {
      try folder.write(try TinyCampus.jpeg(kind, seed: 90), to: "new/\(kind).jpg")
    }
  }

  func classify(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Output {
    try Tool.run(["classify", "m.safetensors"] + arguments, in: folder, environment: environment)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  func files(_ name: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: folder.path(name))?.compactMap {
      $0 as? String
    }
    return (all ?? []).filter { $0.hasSuffix(".jpg") }.sorted()
  }

  @Test("A gallery shows all photos, and a table lists them")
  func gallery() throws {
    try folder.write("text", to: "new/=bad.jpg")
    let output = try classify("new", "--gallery", "all.html", "-q")
    #expect(output.status == 1 && output.messages.count == 2)
    #expect(output.stderr.contains("gallery: all.html and all.csv\n"))
    #expect(output.stdout.split(separator: "\n").count == 4)
    let page = try text("all.html")
    #expect(page.components(separatedBy: "<li data-verdict=").count == 6)
    #expect(page.components(separatedBy: "src=\"data:image/jpeg").count == 5)
    for words in ["Old Arch: 1 photo", "Not a Campus Building: 1 photo", "Not readable: 1 photo"] {
      #expect(page.contains(words), "\(words)")
    }
    let rows = try text("all.csv").split(separator: "\r\n")
    #expect(rows.count == 6 && rows[1].hasPrefix("new/=bad.jpg,,,,,,,,"))
    #expect(rows[2].hasPrefix("new/arch.jpg,building,Old Arch,arch,"))
    // A second run replaces both files.
    #expect(try classify("new/arch.jpg", "--gallery", "all.html").status == 0)
    #expect(try text("all.csv").split(separator: "\r\n").count == 2)
  }

  @Test("Photos are copied into folders by answer, without replacing files")
  func copies() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 91), to: "new/more/arch.jpg")
    try folder.write("text", to: "new/bad.jpg")
    let before = try folder.bytes("new/arch.jpg")
    let names = [
      "Not a Campus Building/street.jpg", "arch/arch-2.jpg", "arch/arch.jpg", "barn/barn.jpg",
      "cone/cone.jpg",
    ]
    let output = try classify("new", "--copy-into", "sorted", "--gallery", "g.html", "-q")
    #expect(output.status == 1)
    #expect(output.stderr.contains("copies: sorted: 5 photos copied\n"))
    #expect(files("sorted") == names)
    #expect(try folder.bytes("sorted/arch/arch.jpg") == before)
    #expect(try folder.bytes("new/arch.jpg") == before)
    #expect(try text("g.csv").contains(",arch/arch-2.jpg,"))
    // The same photos are kept; another photo with the same name gets a number.
    let again = try classify("new", "--copy-into", "sorted", "-q")
    #expect(again.stderr.contains("copies: sorted: 0 photos copied, 5 already present\n"))
    try folder.write("mine", to: "sorted/cone/cone.jpg")
    #expect(try classify("new/cone.jpg", "--copy-into", "sorted").status == 0)
    #expect(try text("sorted/cone/cone.jpg") == "mine")
    #expect(files("sorted") == (names + ["cone/cone-2.jpg"]).sorted())
  }

  @Test(
    "Outputs that would change inputs are rejected",
    arguments: [
      (["new", "--copy-into", "new/sorted"], "is in the photo folder new"),
      (["new", "--copy-into", "."], "contains the photo folder new"),
      (["new", "--gallery", "g.htm"], "--gallery must end in .html"),
      (["new", "--gallery", "photos.html"], "photos.csv, which is not the table of a gallery"),
      (["new", "--gallery", ""], "empty path"),
      (["list.html", "--gallery", "list.html"], "would overwrite the input"),
      (["a.mp4"], "a.mp4 is a video; add --every 2s"),
      (["new", "--every", "2s"], "requires a video"),
      (["a.mp4", "--every", "0s"], "0.1s to 3600s"), (["a.mp4", "--every", "x"], "0.1s to 3600s"),
      (["a.mp4", "new", "--every", "2s"], "as the only input"),
    ])
  func rejected(arguments: [String], words: String) throws {
    try folder.write("path,label\n", to: "photos.csv")
    try folder.write("photo", to: "list.html")
    let output = try Tool.run(["classify", "m.safetensors"] + arguments, in: folder)
    expectUsageError(output, words)
    #expect(try text("photos.csv") == "path,label\n" && text("list.html") == "photo")
    #expect(files("new").count == 4)
  }

  @Test("A missing folder for outputs is reported before the work")
  func missingFolder() throws {
    expectFailure(try classify("new", "--gallery", "no/g.html"), 73, "no")
    expectFailure(try classify("new", "--copy-into", "no/sorted"), 73, "no")
  }

  @Test("Frames of a video are classified, or the message contains the commands for it")
  func video() throws {
    try folder.write("frames", to: "a walk.mp4")
    let arguments = ["a walk.mp4", "--every", "2s", "--copy-into", "sorted", "--jsonl"]
    func run(_ path: String) throws -> Tool.Output {
      try Tool.run(
        ["classify", "m.safetensors"] + arguments, in: folder, environment: ["PATH": path])
    }
    expectFailure(
      try run(folder.path("nowhere")), 74, "requires ffmpeg",
      "-i 'file:a walk.mp4' -r 0.5 -q:v 3 FRAMES/%05d.jpg; cupola classify MODEL FRAMES")
    let frames = try TinyCampus.Kind.allCases.flatMap { try TinyCampus.jpeg($0, seed: 91) }
    try folder.write(frames, to: "frames.mjpeg")
    try folder.write(
      program:
        "#!/bin/sh\ntest \"$7 $8 $9\" = '0.5 -f mjpeg' && cat frames.mjpeg\n", to: "bin/ffmpeg")
    let path = folder.path("bin") + ":/usr/bin:/bin"
    let output = try run(path)
    expectSuccess(output)
    let names = ["0:00", "0:02", "0:04", "0:06"].map { "a walk.mp4 " + $0 }
    #expect(try output.jsonLines().map { $0["photo"] as? String } == names)
    #expect(files("sorted").contains("barn/a walk.mp4 0-02.jpg"))
    try folder.write("#!/bin/sh\nexit 1\n", to: "bin/ffmpeg")
    let empty = try run(path)
    expectFailure(empty, 66, "a walk.mp4: ffmpeg found no video frames")
  }

  @Test("Times of frames have tenths only for fractions")
  func times() {
    let texts = [0, 2, 60.5, 3600, 59.96].map(VideoFile.Frames.text)
    #expect(texts == ["0:00", "0:02", "1:00.5", "60:00", "1:00"])
  }

  @Test("Names of copies are valid on all file systems")
  func names() {
    for (name, safe) in [
      ("old_library", "old_library"), ("a:b?.jpg", "a-b-.jpg"), ("CON", "_CON"),
      ("con.jpg", "_con.jpg"), ("..", "_"), (".hidden.jpg", "_.hidden.jpg"), ("", "_"),
      ("end. .", "end"), ("a\nb\u{202E}", "a-b-"), ("Käse 図書館.jpg", "Käse 図書館.jpg"),
    ] {
      #expect(PhotoSorter.portable(name) == safe)
    }
    let long = PhotoSorter.portable(String(repeating: "図", count: 200) + ".jpg")
    #expect(long.utf8.count <= 200 && long.hasSuffix("図.jpg"))
  }
}
