import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Motion JPEG") struct MotionJPEGTests {
  private static func pictures(_ stream: [UInt8], portion: Int) -> [[UInt8]] {
    var divider = MotionJPEG()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: portion) {
      divider.append(stream[start..<min(start + portion, stream.count)])
      while let picture = divider.next() { found.append(picture) }
    }
    return found
  }

  private static func jpegs() throws -> [[UInt8]] {
    let inner = try JPEGEncoder.encode(.random(9, 7, seed: 9))
    return [
      try JPEGEncoder.encode(.random(33, 20, seed: 1)),
      // With an embedded EXIF thumbnail, as cameras write.
      try JPEGEncoder.encode(.random(40, 20, seed: 2), exif: Array("Exif\0\0".utf8) + inner),
      try JPEGEncoder.encode(.gray(8, 8) { _, _ in 255 }),
    ]
  }

  @Test(
    "Photos are found unchanged, regardless of the chunk size",
    arguments: [1, 7, 4096, 1 << 20])
  func whole(portion: Int) throws {
    let jpegs = try Self.jpegs()
    #expect(Self.pictures(jpegs.flatMap(\.self), portion: portion) == jpegs)
    // The format of multipart/x-mixed-replace.
    let between = jpegs.flatMap {
      Array("\r\n--next\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + $0
    }
    #expect(Self.pictures(between, portion: portion) == jpegs)
  }

  private static func photo(_ jpeg: [UInt8], listing count: Int) -> [UInt8] {
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let whole = jpeg.count + 66
    var photo: [UInt8] = Array(jpeg.prefix(2)) + [0xFF, 0xE2, 0, 64]
    photo += Array("MPF\0".utf8)
    // A header, which is the origin of offsets, and a directory with one field.
    photo += Array("II*\0".utf8)
    for (value, bytes) in [(8, 4), (1, 2), (0xB002, 2), (7, 2), (32, 4), (26, 4), (0, 4)] {
      photo += little(value, bytes)
    }
    // Entries for the photo itself and the other photo.
    for value in [0x030000, whole, 0, 0, 0, count, whole - 10, 0] { photo += little(value, 4) }
    return photo + jpeg.dropFirst(2)
  }

  @Test("Photos listed in an MPF index are skipped", arguments: [1, 7, 4096, 1 << 20])
  func listedPhotos(portion: Int) throws {
    let jpegs = try Self.jpegs()
    let photo = Self.photo(jpegs[0], listing: jpegs[2].count)
    let stream = [photo, jpegs[2], photo, jpegs[2], jpegs[1]].flatMap(\.self)
    #expect(Self.pictures(stream, portion: portion) == [photo, photo, jpegs[1]])
    // The listed photo is missing, and the next photo is longer.
    #expect(Self.pictures(photo + jpegs[1], portion: portion) == [photo, jpegs[1]])
  }

  @Test("A truncated photo is skipped, and the next one is found", arguments: [3, 30, 200, 600])
  func truncated(length: Int) throws {
    let jpegs = try Self.jpegs()
    let stream = jpegs[0].prefix(length) + jpegs[2] + jpegs[0]
    #expect(Self.pictures(Array(stream), portion: 100).suffix(1) == [jpegs[0]])
    // Also if the truncated segment seems to extend into the next photo.
    if length < 600 {
      #expect(Self.pictures(Array(stream), portion: 100) == [jpegs[2], jpegs[0]])
    }
  }

  @Test("Invalid or oversized data are not scanned twice")
  func singleScan() throws {
    let inner = try Self.jpegs()[2]
    let size = inner.count + 2
    let length = [UInt8(size >> 8), UInt8(size & 0xFF)]
    let start = [0xFF, 0xD8, 0xFF, 0xE1] + length + inner + [0xFF, 0xDA, 0, 2]
    let broken = start + [0, 0, 0xFF, 1, 0, 0]
    #expect(Self.pictures(broken + inner, portion: 100) == [inner])
    let long = start + [UInt8](repeating: 0, count: MotionJPEG.mostBytes)
    #expect(Self.pictures(long + inner, portion: long.count) == [inner])
  }

  @Test("Many start markers in one chunk take no longer than other bytes")
  func startMarkers() {
    let stream = [[UInt8]](repeating: [0xFF, 0xD8], count: 1_000_000).flatMap(\.self)
    let time = processorTime {
      #expect(Self.pictures(stream, portion: stream.count).isEmpty)
    }
    #expect(time < .seconds(5), "\(time)")
  }

  @Test("Random bytes yield only JPEG data and do not trap")
  func garbage() {
    for seed in 0..<40 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let bytes = (0..<5000).map { _ in generator.below(3) == 0 ? 0xFF : UInt8(generator.below(256))
      }
      for picture in Self.pictures(bytes, portion: 64) {
        #expect(picture.starts(with: [0xFF, 0xD8]) && picture.suffix(2) == [0xFF, 0xD9])
      }
    }
    #expect(Self.pictures([], portion: 1).isEmpty && Self.pictures([0xFF], portion: 1).isEmpty)
  }
}
