import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("JPEGs at an eighth of their size") struct JPEGEighthTests {
  private static func eighth(_ bytes: [UInt8]) throws -> RGBImage? {
    JPEGEighth(bytes, try JPEGHeader(of: bytes))?.picture()
  }

  private static let names =
    ["eighth-420", "eighth-422", "eighth-444", "eighth-restarts-420", "eighth-restarts-422"]

  @Test("They are another decoder's pictures, to the last sample", arguments: names)
  func golden(name: String) throws {
    let expected = try Fixtures.tensors("jpeg/eighths.safetensors").picture(name)
    let bytes = try Fixtures.jpeg(name)
    #expect(try Self.eighth(bytes) == expected)
    // And what a photo is decoded to that needs no more of it.
    let photo = try PhotoDecoder().open(bytes)
    #expect(try photo.image(minimumWidth: 10, minimumHeight: 10) == expected)
  }

  @Test("They are libjpeg's for all sizes and qualities", arguments: [1, 20, 50, 80, 95, 100])
  func encoded(quality: Int) throws {
    var generator = SplitMix64(seed: UInt64(quality))
    for (width, height) in [(1, 1), (8, 8), (9, 16), (16, 17), (33, 21), (97, 70), (200, 31)] {
      let smooth = UInt8(generator.next() & 255)
      let pixels = (0..<width * height * 3).map { at in
        at % 17 < 8 ? UInt8(truncatingIfNeeded: at / 40) &+ smooth : UInt8(generator.next() & 255)
      }
      let image = RGBImage(width: width, height: height, pixels: pixels)
      let bytes = try JPEGEncoder.encode(image, quality: quality)
      let found = try #require(try Self.eighth(bytes), "\(width)x\(height)")
      #expect(try found == JPEGCodec.decode(bytes, scale: 1, lenient: false), "\(width)x\(height)")
    }
  }

  @Test(
    "They are libjpeg's of real photos, too",
    .enabled(if: Repository.hasRealPhotos, "real photos are not at ../shared/data"))
  func real() throws {
    var read = 0
    for set in ["poznan", "koe", "exif", "notredame", "negatives"] {
      let folder = URL(filePath: Repository.realPhotos).appending(path: set)
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      let names = (files?.compactMap { ($0 as? URL)?.path } ?? []).filter { $0.hasSuffix(".jpg") }
      for name in names.sorted().enumerated().filter({ $0.offset % 9 == 0 }).map(\.element) {
        let bytes = try FileAccess.read(name)
        guard let header = try? JPEGHeader(of: bytes),
          let found = JPEGEighth(bytes, header)?.picture()
        else { continue }
        read += 1
        #expect(try found == JPEGCodec.decode(bytes, scale: 1, lenient: false), "\(name)")
      }
    }
    #expect(read > 100)
  }

  @Test(
    "What cameras do not write is libjpeg's to read",
    arguments: ["progressive", "progressive-444", "grey", "rgb", "cmyk", "ycck"])
  func others(name: String) throws {
    let bytes = try Fixtures.jpeg(name)
    #expect(JPEGEighth(bytes, try JPEGHeader(of: bytes)) == nil)
    #expect(try PhotoDecoder().open(bytes).image(minimumWidth: 4, minimumHeight: 2).width == 5)
  }

  @Test("Means that no camera writes are libjpeg's, whose samples wrap around", arguments: names)
  func means(name: String) throws {
    let bytes = try Fixtures.jpeg(name)
    let tables = bytes.indices.dropLast(5).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDB }
    #expect(tables.count == 2)
    // The steps of luma's means, and of those of color.
    for table in tables {
      var spoilt = bytes
      spoilt[table + 5] = 255
      #expect(try Self.eighth(spoilt) == nil)
      let picture = try PhotoDecoder().open(spoilt).image(minimumWidth: 10, minimumHeight: 10)
      #expect(try picture == JPEGCodec.decode(spoilt, scale: 1, lenient: false))
    }
  }

  @Test("Data that are cut, at any byte, are libjpeg's to judge", arguments: names)
  func cut(name: String) throws {
    let bytes = try Fixtures.jpeg(name)
    for count in bytes.indices {
      let cut = Array(bytes[..<count])
      if let header = try? JPEGHeader(of: cut) {
        #expect(JPEGEighth(cut, header)?.picture() == nil, "\(count) bytes")
      }
    }
  }

  @Test("Bytes behind the picture, or no picture before its end, are libjpeg's to judge")
  func ends() throws {
    let bytes = try Fixtures.jpeg("eighth-420")
    #expect(try Self.eighth(bytes + [1, 2, 3]) != nil)
    let data = bytes.dropLast(2)
    #expect(try Self.eighth(data + [0x12, 0xFF, 0xD9]) == nil)
    #expect(try Self.eighth(data + [0xFF, 0xD0, 0xFF, 0xD9]) == nil)
    #expect(try Self.eighth(data + [0xFF, 0xFF, 0xD9]) == nil)
  }

  @Test("Restarts out of order, missing or too many are libjpeg's to judge")
  func restarts() throws {
    let bytes = try Fixtures.jpeg("eighth-restarts-420")
    let places = bytes.indices.dropLast().filter {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
    #expect(places.count == 23)
    var exchanged = bytes
    exchanged[places[1] + 1] = 0xD5
    #expect(try Self.eighth(exchanged) == nil)
    var missing = bytes
    missing.removeSubrange(places[4]..<places[4] + 2)
    #expect(try Self.eighth(missing) == nil)
    // An interval that the data do not keep.
    let interval = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDD]) })
    for value in [2, 4, 0] as [UInt8] {
      var other = bytes
      other[interval + 5] = value
      #expect(try Self.eighth(other) == nil, "an interval of \(value)")
    }
  }

  @Test("What libjpeg warns of is never accepted", arguments: names)
  func damaged(name: String) throws {
    let bytes = try Fixtures.jpeg(name)
    var generator = SplitMix64(seed: 7)
    var accepted = 0
    for _ in 0..<1500 {
      var spoilt = bytes
      spoilt[Int(generator.next() % UInt64(bytes.count))] = UInt8(generator.next() & 255)
      // Sizes stay small: the decoder looks at those before.
      guard let header = try? JPEGHeader(of: spoilt), header.width * header.height < 100_000,
        JPEGCodec.isSound(headerOf: spoilt), let found = JPEGEighth(spoilt, header)?.picture()
      else { continue }
      accepted += 1
      let expected = try JPEGCodec.decode(spoilt, scale: 1, lenient: false)
      #expect(found.width == expected.width && found.height == expected.height)
    }
    #expect(accepted > 50)
  }
}
