import Cupola
import CupolaTestSupport
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Photos that cannot be used, and what is odd about others.
extension ClassifyTests {
  @Test(
    "a file that is no JPEG is told with what it is and what to do",
    arguments: [
      ("picture.png", "PNG, not JPEG; this"), ("picture.gif", "GIF, not JPEG; this"),
      ("picture.webp", "WebP, not JPEG; this"), ("header.heic", "HEIC, not JPEG; this"),
    ])
  func otherFormats(fixture: String, words: String) throws {
    try folder.write(try TinyCampus.fixture(fixture), to: "photo.jpg")
    let output = try classify("photo.jpg")
    expectFailure(output, 65, "photo.jpg: \(words)")
    #expect(output.stdout.isEmpty)
  }

  @Test(
    "an empty file and a text are told",
    arguments: [("", "empty"), ("some text\n", "text, not a photo"), ("\u{1}\u{2}", "not a JPEG")])
  func noPicture(text: String, words: String) throws {
    try folder.write(text, to: "photo.jpg")
    expectFailure(try classify("photo.jpg"), 65, "photo.jpg: ", words)
  }

  @Test("a photo that ends early is told, at any length", arguments: 0..<20)
  func truncated(twentieths: Int) throws {
    let whole = try folder.bytes("new/arch.jpg")
    try folder.write(Array(whole.prefix(whole.count * twentieths / 20)), to: "cut.jpg")
    expectFailure(try classify("cut.jpg"), 65, "cut.jpg: ")
    let both = try classify("cut.jpg", "new/arch.jpg", "-q")
    #expect(both.status == 1)
    #expect(both.stdout.hasPrefix("new/arch.jpg: Old Arch"))
    #expect(both.messages.count == 1 && both.stderr.hasPrefix("cupola: cut.jpg: "))
  }

  @Test("--lenient accepts a photo that ends early")
  func lenient() throws {
    let whole = try folder.bytes("new/arch.jpg")
    try folder.write(Array(whole.prefix(whole.count * 19 / 20)), to: "cut.jpg")
    let output = try classify("cut.jpg", "--lenient")
    expectSuccess(output)
    #expect(output.stdout.contains("Old Arch"))
  }

  @Test("a header that claims 65,500 x 65,500 pixels is refused before it costs memory")
  func hugeHeader() throws {
    var bytes = try folder.bytes("new/arch.jpg")
    let frame = try #require(
      (0..<bytes.count - 9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for at in [frame + 5, frame + 7] { (bytes[at], bytes[at + 1]) = (0xFF, 0xDC) }
    try folder.write(bytes, to: "huge.jpg")
    expectFailure(try classify("huge.jpg"), 65, "huge.jpg: 65500x65500 pixels", "save it smaller")
  }

  @Test(
    "unusual but sound JPEGs are answered",
    arguments: ["cmyk.jpg", "ycck.jpg", "grey.jpg", "progressive.jpg", "rgb.jpg"])
  func unusual(fixture: String) throws {
    try folder.write(try TinyCampus.fixture(fixture), to: fixture)
    let output = try classify(fixture, "--no-place")
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("\(fixture): "))
    #expect(output.stderr.isEmpty)
  }

  @Test(
    "damaged EXIF is a note to the answer",
    arguments: [("exif-loop.jpg", "leads nowhere"), ("exif-past-end.jpg", "leads nowhere")])
  func damagedEXIF(fixture: String, words: String) throws {
    try folder.write(try TinyCampus.fixture(fixture), to: fixture)
    let output = try classify(fixture, "--no-place")
    expectSuccess(output)
    #expect(output.stdout.contains("\n  note: damaged EXIF ("))
    #expect(output.stdout.contains(words))
  }

  @Test("photos that cannot be opened are no input")
  func unreadable() throws {
    expectFailure(try classify("missing.jpg"), 66, "missing.jpg", "No such file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("dangling.jpg"), withDestinationPath: "nowhere.jpg")
    expectFailure(try classify("dangling.jpg"), 66, "dangling.jpg", "No such file")
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.jpg"), withIntermediateDirectories: false)
    expectFailure(try classify("folder.jpg"), 66, "folder.jpg", "no photos")
  }

  @Test(
    "a photo that may not be read is no input",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func forbidden() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.path("new/arch.jpg"))
    expectFailure(try classify("new/arch.jpg"), 66, "new/arch.jpg", "Permission denied")
  }

  @Test("good photos are answered whatever is wrong with others; data and messages stay apart")
  func mixed() throws {
    try folder.write([], to: "mix/1 empty.jpg")
    try folder.write(try TinyCampus.jpeg(.barn, seed: 80), to: "mix/2 good.jpg")
    try folder.write(try TinyCampus.fixture("picture.png"), to: "mix/3 png.jpg")
    try folder.write("no photo by its name", to: "mix/notes.txt")
    let output = try classify("mix", "missing.jpg", "new/cone.jpg", "-q")
    #expect(output.status == 1)
    #expect(
      output.stdout.split(separator: "\n").map { $0.prefix { $0 != "(" } }
        == ["mix/2 good.jpg: Red Barn ", "new/cone.jpg: The Cone "])
    #expect(
      output.messages.map { $0.split(separator: ": ").dropFirst().first.map(String.init) }
        == ["mix/1 empty.jpg", "mix/3 png.jpg", "missing.jpg"])
  }

  @Test("when no photo can be answered, the code is that of the first")
  func allBad() throws {
    try folder.write("text", to: "text.jpg")
    #expect(try classify("text.jpg", "missing.jpg", "-q").status == 65)
    #expect(try classify("missing.jpg", "text.jpg", "-q").status == 66)
  }

  @Test("never changes photos or the model")
  func inputsStay() throws {
    try folder.write("text", to: "new/text.jpg")
    let before = try folder.contents()
    #expect(try classify("new", "--at", "48.005,10.01", "--lenient", "-q").status == 1)
    #expect(try folder.contents() == before)
  }
}
