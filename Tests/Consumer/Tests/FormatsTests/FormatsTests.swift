import Cupola
import CupolaCampus
import Foundation
// An unused import: SwiftPM silently skips a target without sources.
import Snippets
import Testing

/// Fixtures from Scripts/goldens/formats.py, and their pixels from Pillow.
enum Golden {
  static let names = [
    "plain.heic", "p3.heic", "rotated.heic", "alpha.heic", "ten.heic", "plain.avif", "p3.avif",
    "rotated.avif", "alpha.avif", "plain.png", "p3.png", "rotated.png", "alpha.png", "gray.png",
    "gray16.png", "rgb16.png", "interlaced.png", "palette.png", "plain.webp", "p3.webp",
    "rotated.webp", "alpha.webp", "plain.jpg", "p3.jpg", "rotated.jpg",
  ]

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures")
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  /// The samples of a PPM file with a header of three lines.
  static func expected(_ name: String) throws -> [UInt8] {
    let file = try bytes(name + ".ppm")
    let ends = file.indices.filter { file[$0] == 10 }
    return Array(file[(try #require(ends.dropFirst(2).first) + 1)...])
  }
}

@Suite("Image formats") struct FormatsTests {
  @Test("Every format matches Pillow", arguments: Golden.names)
  func pixels(name: String) throws {
    let image = try PhotoDecoder().open(Golden.bytes(name)).image()
    let expected = try Golden.expected(name)
    #expect(image.width == 64 && image.height == 48)
    let differences = zip(image.pixels, expected).map { abs(Int($0) - Int($1)) }
    try #require(differences.count == expected.count)
    // Lossless formats allow only rounding; lossy ones allow decoder differences.
    let isExact = name.hasSuffix("png") || name == "alpha.webp"
    // Conversion from P3 to sRGB amplifies decoder differences.
    let isConverted = name.hasPrefix("p3") || name.hasPrefix("alpha")
    let most = isExact ? (isConverted ? 1 : 0) : (isConverted ? 12 : 4)
    #expect(differences.max() ?? 0 <= most, "\(differences.max() ?? 0)")
    let mean = Double(differences.reduce(0, +)) / Double(differences.count)
    #expect(mean < (isExact ? 0.5 : 1), "\(mean)")
  }

  @Test(
    "EXIF metadata are read, and the photo is rotated once",
    arguments: Golden.names.filter { $0.hasPrefix("rotated") || $0.hasPrefix("p3") })
  func metadata(name: String) throws {
    let photo = try PhotoDecoder().open(Golden.bytes(name))
    #expect(photo.width == 64 && photo.height == 48)
    let position = try #require(photo.metadata.position)
    #expect(abs(position.latitude + 12.04601944) < 1e-6)
    #expect(abs(position.longitude + 77.03059750) < 1e-6)
    #expect(photo.metadata.heading?.degrees == 280.75)
    #expect(photo.metadata.captureTime == "2025:06:07 08:09:10")
  }

  @Test("A truncated file throws and never crashes", arguments: Golden.names)
  func cut(name: String) throws {
    let file = try Golden.bytes(name)
    for share in stride(from: 0.02, to: 0.98, by: 0.05) {
      let part = file.prefix(Int(Double(file.count) * share))
      let message = Self.fault(of: Array(part))?.message
      #expect(message.map { !$0.isEmpty && !$0.contains("\n") } ?? (share > 0.4))
    }
  }

  private static func fault(of bytes: [UInt8]) -> CupolaError? {
    do throws(CupolaError) { _ = try PhotoDecoder().open(bytes).image() } catch { return error }
    return nil
  }

  @Test("Damaged bytes throw or change the image, but never crash", arguments: Golden.names)
  func damaged(name: String) throws {
    let file = try Golden.bytes(name)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      var damaged = file
      for _ in 0..<3 {
        let at = Int.random(in: 0..<file.count, using: &generator)
        damaged[at] = UInt8.random(in: 0...255, using: &generator)
      }
      var decoder = PhotoDecoder()
      decoder.maximumPixels = 100_000
      _ = try? decoder.open(damaged).image()
    }
  }

  @Test("Limits are checked before memory is allocated", arguments: Golden.names)
  func limits(name: String) throws {
    var decoder = PhotoDecoder()
    decoder.maximumPixels = 64 * 48 - 1
    #expect(throws: CupolaError.self) { try decoder.open(Golden.bytes(name)) }
  }

  @Test("An overlay with a huge canvas is rejected before allocation")
  func overlay() throws {
    var file = try Golden.bytes("rotated.heic")
    let type = try #require(file.firstRange(of: Array("hvc1".utf8)))
    file.replaceSubrange(type, with: Array("iovl".utf8))
    let start = try #require(file.firstRange(of: Array("mdat".utf8))).upperBound
    // Version, flags and canvas color, then width and height.
    let header = [UInt8](repeating: 0, count: 10) + [0x80, 0, 0x80, 0]
    file.replaceSubrange(start..<start + header.count, with: header)
    #expect(try #require(Self.fault(of: file)).message.contains("32768x32768"))
  }

  @Test("A truncated PNG is gray after the cut if lenient")
  func lenient() throws {
    let file = try Golden.bytes("rgb16.png")
    let part = file.prefix(file.count / 4 * 3)
    let image = try Self.accepted(Array(part))
    #expect(image.pixels.suffix(6) == [128, 128, 128, 128, 128, 128])
    #expect(try image.pixels.prefix(3) == Golden.expected("rgb16.png").prefix(3))
  }

  @Test("A truncated interlaced PNG is coarse if lenient")
  func interlaced() throws {
    let part = try Self.interlacedRamps()
    let pixels = try Self.accepted(part).pixels
    try #require(pixels.count == 64 * 48 * 3)
    for (y, x) in (0..<48).flatMap({ y in (0..<64).map { (y, $0) } }) {
      let at = 3 * (64 * y + x)
      #expect((0...9).contains(3 * x - Int(pixels[at])) && pixels[at + 2] == 7)
      #expect((0...10).contains(5 * y - Int(pixels[at + 1])))
    }
  }

  private static func accepted(_ part: [UInt8]) throws -> RGBImage {
    #expect {
      try PhotoDecoder().open(part).image()
    } throws: {
      if case .truncatedPhoto(.png, _) = $0 as? CupolaError { true } else { false }
    }
    var decoder = PhotoDecoder()
    decoder.lenient = true
    return try decoder.open(part).image()
  }

  /// An uncompressed PNG of two ramps that ends before its last interlacing pass.
  private static func interlacedRamps() throws -> [UInt8] {
    // Left, top and steps.
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    ]
    var data: [UInt8] = []
    for (left, top, across, down) in passes {
      for y in stride(from: top, to: 48, by: down) {
        data.append(0)
        for x in stride(from: left, to: 64, by: across) {
          data += [UInt8(3 * x), UInt8(5 * y), 7]
        }
      }
    }
    func low(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
    // The stored block claims more data.
    let chunk = Array("IDAT".utf8) + [0x78, 1, 1] + low(9000) + low(65_535 - 9000) + data
    var check = ~UInt32(0)
    for byte in chunk {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
    }
    let ending = stride(from: 24, through: 0, by: -8).map { UInt8((~check >> $0) & 255) }
    var file = Array(try Golden.bytes("interlaced.png")[..<33])
    file += [0, 0] + Array(low(chunk.count - 4).reversed())
    return file + chunk + ending
  }

  @Test("The decoder lists its formats")
  func formats() {
    #expect(PhotoDecoder().formats.isSuperset(of: [.jpeg, .heic, .avif, .png, .webp]))
  }
}
