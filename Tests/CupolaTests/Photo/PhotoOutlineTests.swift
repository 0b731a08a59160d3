import CupolaCampus
import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Photo outlines") struct PhotoOutlineTests {
  private typealias Tag = EXIFBuilder.Tag

  private static let time = "2026:05:01 10:00:00"
  private static let entries: [UInt16: EXIFBuilder.Value] = [
    Tag.orientation: .short(6),
    Tag.exif: .directory([Tag.time: .text(time), 0x927C: .text("maker note")]),
    Tag.gps: .directory(EXIFBuilder.place),
  ]
  private static let block = EXIFBuilder().block(entries)
  /// Stored 40x30: light on the left, dark on the right.
  private static let stored = RGBImage.gray(40, 30) { x, _ in x < 20 ? 250 : 10 }

  private func image(_ outline: PhotoOutline, _ image: RGBImage) throws -> RGBImage {
    // Conversion programs may keep the orientation of pixels that they have turned.
    let exif = EXIFBuilder().payload([Tag.orientation: .short(6)])
    let jpeg = try JPEGEncoder.encode(image, quality: 98, exif: exif)
    return try outline.image(fromConverted: try PhotoDecoder().open(jpeg))
  }

  private func expectKept(_ outline: PhotoOutline, _ image: RGBImage) throws {
    let exif = outline.exif(for: image)
    let photo = try PhotoDecoder().open(try JPEGEncoder.encode(image, exif: exif))
    #expect(photo.metadata.orientation == .up && photo.metadata.captureTime == Self.time)
    #expect(photo.metadata.position == EXIFReader.metadata(in: Self.block).position)
    #expect(photo.metadata.position != nil && photo.metadata.faults.isEmpty)
    #expect(outline.losses(in: exif).isEmpty)
    #expect(!exif.contains(subsequence: Array("maker note".utf8)))
  }

  @Test("The pixels of PNG, WebP and TIFF are turned according to their EXIF block")
  func turned() throws {
    let tiff = Self.entries.merging([256: .long(40), 257: .short(30)]) { $1 }
    let files: [(PhotoFormat, [UInt8])] = [
      (.png, PhotoFileBuilder.png(width: 40, height: 30, exif: Self.block)),
      (.webp, PhotoFileBuilder.webP(width: 40, height: 30, exif: Self.block)),
      // Some programs keep the mark of JPEG segments.
      (.png, PhotoFileBuilder.png(width: 40, height: 30, exif: EXIFReader.mark + Self.block)),
      (.webp, PhotoFileBuilder.webP(width: 40, height: 30, exif: EXIFReader.mark + Self.block)),
      (.tiff, EXIFBuilder(bigEndian: true).block(tiff)),
    ]
    for (format, bytes) in files {
      let outline = PhotoOutline(of: bytes, format)
      #expect(outline.size?.width == 40 && outline.size?.height == 30, "\(format)")
      let upright = try image(outline, Self.stored)
      #expect(upright.width == 30 && upright.height == 40, "\(format)")
      // The left side of the stored image is on top.
      #expect(upright.pixels[0] > 200 && (upright.pixels.last ?? 255) < 50, "\(format)")
      try expectKept(outline, upright)
      #expect(throws: CupolaError.self) { try image(outline, upright) }
    }
  }

  @Test("The rotation of a HEIC file is applied once")
  func heicRotation() throws {
    let bytes = PhotoFileBuilder.heic(width: 30, height: 40, turns: 3, exif: Self.block)
    let outline = PhotoOutline(of: bytes, .heic)
    #expect(outline.size?.width == 40 && outline.size?.height == 30)
    let upright = try image(outline, Self.stored)
    #expect(upright.width == 40 && upright.height == 30)
    try expectKept(outline, upright)
    #expect(throws: CupolaError.self) { try image(outline, RGBImage.gray(30, 40) { _, _ in 9 }) }
    // The EXIF orientation does not count, even without a rotation.
    for turns: UInt8 in 0...3 {
      for format in [PhotoFormat.heic, .avif] {
        let bytes = PhotoFileBuilder.heic(width: 40, height: 30, turns: turns, exif: Self.block)
        let outline = PhotoOutline(of: bytes, format)
        let isTurned = turns % 2 == 1
        #expect(outline.size?.width == (isTurned ? 30 : 40))
        let stored = isTurned ? Self.stored.upright(from: .right) : Self.stored
        let upright = try image(outline, stored)
        #expect(upright.width == stored.width && upright.height == stored.height)
      }
    }
  }

  @Test("Images of a HEIC file except the primary one are hidden")
  func severalImages() throws {
    let bytes = PhotoFileBuilder.heic(
      width: 40, height: 30, exif: Self.block, images: 3, primary: 2)
    let outline = PhotoOutline(of: bytes, .heic)
    #expect(outline.size?.width == 40)
    let changes = zip(bytes, outline.input).enumerated().filter { $1.0 != $1.1 }
    #expect(bytes.count == outline.input.count && changes.count == 2)
    #expect(changes.allSatisfy { $1 == (0, 1) })
    let single = PhotoFileBuilder.heic(width: 40, height: 30, exif: Self.block)
    #expect(PhotoOutline(of: single, .heic).input == single)
  }

  @Test("Display P3 in a HEIC file is converted to sRGB")
  func displayP3() throws {
    let color = Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80]
    let bytes = PhotoFileBuilder.heic(width: 8, height: 8, color: color)
    let red = RGBImage(
      width: 8, height: 8, pixels: (0..<64).flatMap { _ -> [UInt8] in [200, 60, 60] })
    let converted = try image(PhotoOutline(of: bytes, .heic), red)
    #expect(converted.pixels[0] > 210 && converted.pixels[1] < 50)
  }

  @Test("Times in the main directory of a TIFF file are kept")
  func timeInMainDirectory() {
    let bytes = EXIFBuilder().block([256: .long(40), 257: .long(30), Tag.time: .text(Self.time)])
    let exif = PhotoOutline(of: bytes, .tiff).exif(for: Self.stored)
    #expect(EXIFReader.metadata(in: Array(exif.dropFirst(6))).captureTime == Self.time)
  }

  @Test("EXIF blocks in text chunks of PNG files are read")
  func textProfiles() throws {
    func chunk(_ kind: String, _ keyword: String, _ block: [UInt8], isCompressed: Bool = false)
      -> PhotoFileBuilder.Chunk
    {
      let digits = block.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      let lines = stride(from: 0, to: digits.count, by: 36).map {
        digits[$0..<min($0 + 36, digits.count)].joined()
      }
      let text = "\nexif\n  \(block.count)\n" + lines.joined(separator: "\n") + "\n"
      return PhotoFileBuilder.text(kind, keyword, Array(text.utf8), isCompressed: isCompressed)
    }
    let exif = "Raw profile type exif"
    for chunk in [
      chunk("tEXt", exif, Self.block), chunk("zTXt", exif, Self.block),
      chunk("zTXt", "Raw profile type APP1", EXIFReader.mark + Self.block),
      chunk("iTXt", exif, Self.block), chunk("iTXt", exif, Self.block, isCompressed: true),
    ] {
      let bytes = PhotoFileBuilder.png(width: 40, height: 30, more: [chunk])
      let upright = try image(PhotoOutline(of: bytes, .png), Self.stored)
      #expect(upright.width == 30 && upright.height == 40, "\(chunk.name)")
      try expectKept(PhotoOutline(of: bytes, .png), upright)
    }
    let whole = chunk("zTXt", exif, Self.block)
    for bad in [
      (whole.name, whole.content.dropLast(30)), chunk("tEXt", exif, Array("no TIFF header".utf8)),
      PhotoFileBuilder.text("tEXt", exif, Array("\nexif\n1\nxy".utf8)),
    ] as [PhotoFileBuilder.Chunk] {
      let outline = PhotoOutline(of: PhotoFileBuilder.png(width: 4, height: 4, more: [bad]), .png)
      #expect(outline.losses(in: []) == ["EXIF data in an unsupported form"])
    }
  }

  @Test(
    "Time and position in XMP are used where EXIF has none",
    arguments: [
      #"<rdf:Description exif:DateTimeOriginal="2026-05-01T10:00:00.5+02:00" exif:GPSLatitudeRef="N""#
        + #" exif:GPSLatitude="12,30.0S" exif:GPSLongitude = '77,0,36W'/>"#,
      """
      <exif:GPSLatitude>12,30,0S</exif:GPSLatitude><exif:GPSLongitude>77,0.6W</exif:GPSLongitude>
      <photoshop:DateCreated>
        2026:05:01 10:00:00+02:00
      </photoshop:DateCreated>
      """,
    ])
  func xmp(text: String) throws {
    let packet = Array(text.utf8)
    for builder in [EXIFBuilder(), EXIFBuilder(bigEndian: true)] {
      let own = builder.block([
        Tag.orientation: .short(6), Tag.gps: .directory([Tag.direction: .rationals([(45, 1)])]),
      ])
      for exif in [[], own] {
        let png = PhotoFileBuilder.png(
          width: 4, height: 4, exif: exif,
          more: [PhotoFileBuilder.text("iTXt", "XML:com.adobe.xmp", packet)])
        let webP = PhotoFileBuilder.webP(
          width: 4, height: 4, exif: exif, more: [("XMP ", packet)])
        for outline in [PhotoOutline(of: png, .png), PhotoOutline(of: webP, .webp)] {
          let payload = outline.exif(for: Self.stored)
          let read = EXIFReader.metadata(in: EXIFReader.unmarked(payload[...]))
          #expect(read.captureTime == Self.time && read.captureTimeOffset == "+02:00")
          let position = try #require(read.position)
          #expect(abs(position.latitude + 12.5) < 1e-7 && abs(position.longitude + 77.01) < 1e-7)
          #expect(read.orientation == .up && (read.heading?.degrees == 45) == !exif.isEmpty)
          #expect(read.faults.isEmpty && outline.losses(in: payload).isEmpty)
        }
      }
    }
  }

  @Test("A sidecar replaces only what a photo lacks")
  func sidecar() throws {
    var sidecar = PhotoMetadata()
    sidecar.captureTime = "2020:01:01 00:00:00"
    sidecar.position = Position(latitude: 48.123456, longitude: 10.9)
    let png = PhotoFileBuilder.png(
      width: 4, height: 4,
      exif: EXIFBuilder().block([Tag.exif: .directory([Tag.time: .text(Self.time)])]))
    var outline = PhotoOutline(of: png, .png)
    outline.add(sidecar)
    let payload = outline.exif(for: Self.stored)
    let read = EXIFReader.metadata(in: EXIFReader.unmarked(payload[...]))
    #expect(read.captureTime == Self.time && read.captureTimeOffset == nil)
    #expect(abs((read.position?.latitude ?? 0) - 48.123456) < 1e-7)
    #expect(outline.losses(in: payload).isEmpty)
  }

  @Test("Metadata that a copy cannot keep is listed")
  func losses() {
    func losses(_ bytes: [UInt8], _ format: PhotoFormat) -> [String] {
      let outline = PhotoOutline(of: bytes, format)
      return outline.losses(in: outline.exif(for: Self.stored))
    }
    let xmp = Array("exif:GPSLatitude exif:DateTimeOriginal".utf8)
    #expect(
      losses(PhotoFileBuilder.webP(width: 4, height: 4, more: [("XMP ", xmp)]), .webp)
        == ["position in XMP", "time in XMP"])
    let raw: [PhotoFileBuilder.Chunk] = [
      ("zTXt", Array("Software".utf8)), ("zTXt", Array("Raw profile type exif".utf8)),
    ]
    #expect(
      losses(PhotoFileBuilder.png(width: 4, height: 4, more: raw), .png)
        == ["EXIF data in an unsupported form"])
    let damaged = Array("no TIFF header".utf8)
    #expect(
      losses(PhotoFileBuilder.png(width: 4, height: 4, exif: damaged), .png)
        == ["damaged EXIF data"])
    let profile = [UInt8](repeating: 0, count: 16) + Array("CMYKLab ".utf8)
    #expect(
      losses(PhotoFileBuilder.webP(width: 4, height: 4, more: [("ICCP", profile)]), .webp)
        == ["color profile"])
    #expect(losses(PhotoFileBuilder.png(width: 4, height: 4), .png).isEmpty)
  }

  @Test("Every truncated HEIC file is read without a crash")
  func truncated() {
    let bytes = PhotoFileBuilder.heic(width: 40, height: 30, exif: Self.block, images: 2)
    for count in 0..<bytes.count {
      _ = PhotoOutline(of: Array(bytes.prefix(count)), .heic)
      var changed = bytes
      changed[count] = 0xFF
      _ = PhotoOutline(of: changed, .heic)
    }
  }

  @Test("Raw photos are recognized by content and name")
  func rawPhotos() {
    let inner: EXIFBuilder.Value = .directory([262: .short(32803)])
    let dng = EXIFBuilder().block([254: .long(1), 50706: .long(1025)])
    let nef = EXIFBuilder(bigEndian: true).block([
      254: .long(1), 271: .text("NIKON CORPORATION"), 330: inner,
    ])
    #expect(RawPhoto.format(of: dng) == "DNG" && RawPhoto.format(of: nef) == "NEF")
    #expect(RawPhoto.format(of: Array("II*\0\u{10}\0\0\0CR\u{2}\0".utf8)) == "CR2")
    #expect(RawPhoto.format(of: [0, 0, 0, 24] + Array("ftypcrx ".utf8)) == "CR3")
    #expect(RawPhoto.format(of: Array("IIU\0\u{18}\0\0\0".utf8)) == "RW2")
    #expect(RawPhoto.format(of: Array("FUJIFILMCCD-RAW 0201".utf8)) == "RAF")
    #expect(RawPhoto.format(of: EXIFBuilder().block([256: .long(4)])) == nil)
    #expect(RawPhoto.format(ofFile: "IMG_1.DNG") == "DNG")
    #expect(RawPhoto.format(ofFile: "dng") == nil && RawPhoto.format(ofFile: "a.jpg") == nil)
    let reduced = EXIFBuilder().block([254: .long(1), 256: .long(4), 257: .long(4)])
    #expect(PhotoOutline(of: reduced, .tiff).startsReduced)
    #expect(!PhotoOutline(of: Self.block, .tiff).startsReduced)
  }
}

extension [UInt8] {
  fileprivate func contains(subsequence part: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
