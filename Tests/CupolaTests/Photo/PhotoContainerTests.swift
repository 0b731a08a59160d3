import Foundation
import Testing

@testable import Cupola

/// Serialized because the test container counts its openings.
@Suite("Photo containers", .serialized) struct PhotoContainerTests {
  static let decoder: PhotoDecoder = {
    var decoder = PhotoDecoder()
    decoder.containers.append(BitmapContainer.self)
    return decoder
  }()

  static func openings(_ body: () throws -> Void) rethrows -> Int {
    let before = BitmapContainer.openings
    try body()
    return BitmapContainer.openings - before
  }

  @Test("Another format is read only if its container is registered")
  func registeredContainer() throws {
    let picture = RGBImage.gray(5, 3) { x, y in UInt8(40 * x + y) }
    let file = BitmapContainer.file(picture)
    #expect(throws: CupolaError.unsupportedFormat(.bmp)) { try PhotoDecoder().open(file) }
    let photo = try Self.decoder.open(file)
    #expect(photo.format == .bmp && photo.width == 5 && photo.height == 3)
    #expect(try photo.image() == picture)
    // JPEG files are still read.
    #expect(try Self.decoder.open(Fixtures.jpeg("grey")).format == .jpeg)
  }

  @Test("A container's photos are turned upright with their size", arguments: Orientation.allCases)
  func orientation(_ orientation: Orientation) throws {
    let picture = RGBImage.gray(5, 3) { x, y in UInt8(40 * x + y) }
    let photo = try Self.decoder.open(BitmapContainer.file(picture, orientation: orientation))
    let upright = picture.upright(from: orientation)
    #expect(try photo.image() == upright)
    #expect(photo.width == upright.width && photo.height == upright.height)
    #expect(photo.metadata.orientation == orientation)
  }

  @Test("Limits and faults apply to every container")
  func limits() throws {
    let file = BitmapContainer.file(RGBImage.gray(5, 3) { _, _ in 9 })
    var strict = Self.decoder
    strict.maximumPixels = 14
    #expect(throws: CupolaError.pictureTooLarge(width: 5, height: 3, limit: 14)) {
      try strict.open(file)
    }
    #expect(throws: CupolaError.damagedPhoto(.bmp, "cut short")) {
      try Self.decoder.open(file.prefix(40))
    }
    let short = try Self.decoder.open(file.dropLast())
    #expect(throws: CupolaError.truncatedPhoto(.bmp, "101 bytes")) { try short.image() }
    #expect(CupolaError.truncatedPhoto(.bmp, "101 bytes").message.contains("truncated BMP"))
    #expect(throws: CupolaError.damagedPhoto(.bmp, "invalid image size of 0x3")) {
      try Self.decoder.open(file[..<18] + [0, 0, 0, 0] + file[22...])
    }
  }

  @Test("The recognizer opens a photo only once")
  func once() throws {
    var recognizer = Recognizer(model: try SampleModel.model())
    recognizer.decoder = Self.decoder
    let picture = SampleModel.picture(.tower)
    let file = BitmapContainer.file(picture, longitude: 10)
    let expected = try recognizer.recognize(picture).candidates
    let count = try Self.openings {
      let answer = try recognizer.recognize(photo: file, usingPlace: false)
      #expect(answer.candidates == expected)
      #expect(answer.timing.milliseconds[.metadata] != nil)
    }
    #expect(count == 1)
    let photo = try Self.decoder.open(file)
    let more = try Self.openings {
      let answer = try recognizer.recognize(photo)
      let explanation = try Explainer(model: recognizer.model).explain(photo)
      #expect(answer.position?.longitude == 10 && explanation.label == "tower")
    }
    #expect(more == 0)
  }

  @Test("Photos are read from arrays, slices, Data and file URLs")
  func inputs() throws {
    let bytes = try Fixtures.jpeg("grey")
    let expected = try PhotoDecoder().open(bytes).image()
    #expect(try PhotoDecoder().open(Data(bytes)).image() == expected)
    #expect(try PhotoDecoder().open((bytes + [0, 0])[..<bytes.count]).image() == expected)
    let file = FileManager.default.temporaryDirectory
      .appending(path: "cupola %20 ü \(UInt64.random(in: 0...UInt64.max)).jpg")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    #expect(try PhotoDecoder().open(contentsOf: file).image() == expected)
    var small = PhotoDecoder()
    small.maximumBytes = bytes.count - 1
    #expect(throws: CupolaError.file(.tooLarge(bytes: bytes.count, limit: bytes.count - 1))) {
      try small.open(contentsOf: file)
    }
    let far = try #require(URL(string: "https://example.org\(file.path(percentEncoded: true))"))
    #expect(throws: CupolaError.file(.cannotRead(path: far.absoluteString, code: ENOENT))) {
      try PhotoDecoder().open(contentsOf: far)
    }
  }
}

@Suite("Photo format") struct PhotoFormatTests {
  static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  @Test(
    "The first bytes determine the format",
    arguments: [
      ("", PhotoFormat.empty), ("\u{FF}\u{D8}", .jpeg), ("\u{FF}\u{D8}\u{FF}\u{E0}", .jpeg),
      ("\u{89}PNG\r\n\u{1A}\n", .png), ("GIF87a", .gif), ("GIF89a", .gif),
      ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", .webp), ("\0\0\0\u{1C}ftypavif", .avif),
      ("\0\0\0\u{1C}ftypheic", .heic), ("\0\0\0\u{1C}ftypheix", .heic),
      ("\0\0\0\u{1C}ftyphevc", .heic), ("\0\0\0\u{1C}ftypmif1", .heic), ("II*\0\0\0\0\0", .tiff),
      ("MM\0*\0\0\0\0", .tiff), ("%PDF-1.7", .pdf), ("\u{FF}\u{A}\0", .jpegXL),
      ("\0\0\0\u{C}JXL \r\n\u{87}\n", .jpegXL), ("<html>404</html>", .text), ("a\tb\n", .text),
      ("\0\0\0\u{C}jP  \r\n\u{87}\n", .jpeg2000), ("\u{FF}O\u{FF}Q\0", .jpeg2000),
      ("RIFF\u{1}\u{2}\u{3}\u{4}WAVE", .unknown), ("\0\0\0\u{1C}ftypmp42", .unknown),
      ("\0", .unknown), ("\u{7F}ELF", .unknown), ("\u{1}\u{2}\u{3}", .unknown),
    ])
  func signatures(text: String, format: PhotoFormat) {
    #expect(PhotoFormat(of: Self.bytes(text)) == format)
  }

  @Test("A bitmap differs from text that begins with BM")
  func bitmap() {
    #expect(PhotoFormat(of: Self.bytes("BM") + [UInt8](repeating: 0, count: 52)) == .bmp)
    #expect(PhotoFormat(of: Self.bytes("BMW")) == .text)
  }

  @Test("Text in any language is recognized as text")
  func languages() { #expect(PhotoFormat(of: Array("Библиотека – bibliothèque".utf8)) == .text) }

  @Test("Bytes that are not UTF-8 are not text")
  func notUTF8() {
    #expect(PhotoFormat(of: [0xFF]) == .unknown)
    #expect(PhotoFormat(of: Array("caf".utf8) + [0xE9, 0x20]) == .unknown)
  }

  @Test("Long text is recognized even if a character is cut", arguments: 0..<4)
  func longText(lead: Int) {
    let text = String(repeating: "x", count: lead) + String(repeating: "\u{1F3DB}", count: 300)
    #expect(PhotoFormat(of: Array(text.utf8)) == .text)
  }

  @Test("Every format except JPEG has its own error message")
  func advice() {
    let formats: [PhotoFormat] = [
      .empty, .png, .gif, .webp, .heic, .avif, .tiff, .bmp, .pdf, .jpegXL, .jpeg2000, .text,
      .unknown,
    ]
    let sentences = formats.map { CupolaError.unsupportedFormat($0).message }
    #expect(Set(sentences).count == formats.count)
    #expect(sentences.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
    #expect(CupolaError.unsupportedFormat(.heic).message.contains("HEIC"))
    #expect(CupolaError.unsupportedFormat(.webp).message.contains("WebP"))
  }
}
