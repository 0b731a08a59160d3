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
      // With a picture in its EXIF, as cameras have.
      try JPEGEncoder.encode(.random(40, 20, seed: 2), exif: Array("Exif\0\0".utf8) + inner),
      try JPEGEncoder.encode(.gray(8, 8) { _, _ in 255 }),
    ]
  }

  @Test(
    "Pictures come out as they went in, whatever portions bytes come in",
    arguments: [1, 7, 4096, 1 << 20])
  func whole(portion: Int) throws {
    let jpegs = try Self.jpegs()
    #expect(Self.pictures(jpegs.flatMap(\.self), portion: portion) == jpegs)
    // As in multipart/x-mixed-replace.
    let between = jpegs.flatMap {
      Array("\r\n--next\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + $0
    }
    #expect(Self.pictures(between, portion: portion) == jpegs)
  }

  /// A photo that lists a picture of so many bytes behind it, as cameras do (MPF).
  private static func photo(_ jpeg: [UInt8], listing count: Int) -> [UInt8] {
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let whole = jpeg.count + 66
    var photo: [UInt8] = Array(jpeg.prefix(2)) + [0xFF, 0xE2, 0, 64]
    photo += Array("MPF\0".utf8)
    // A header, from which offsets count, and a directory with one field.
    photo += Array("II*\0".utf8)
    for (value, bytes) in [(8, 4), (1, 2), (0xB002, 2), (7, 2), (32, 4), (26, 4), (0, 4)] {
      photo += little(value, bytes)
    }
    // The photo itself, then the other picture.
    for value in [0x030000, whole, 0, 0, 0, count, whole - 10, 0] { photo += little(value, 4) }
    return photo + jpeg.dropFirst(2)
  }

  @Test("Further pictures that a photo lists are left out", arguments: [1, 7, 4096, 1 << 20])
  func companions(portion: Int) throws {
    let jpegs = try Self.jpegs()
    let photo = Self.photo(jpegs[0], listing: jpegs[2].count)
    let stream = [photo, jpegs[2], photo, jpegs[2], jpegs[1]].flatMap(\.self)
    #expect(Self.pictures(stream, portion: portion) == [photo, photo, jpegs[1]])
    // One that lost its own, before the next photo, which is longer.
    #expect(Self.pictures(photo + jpegs[1], portion: portion) == [photo, jpegs[1]])
  }

  @Test("A picture that is cut off is left out, the next one is not", arguments: [3, 30, 200, 600])
  func cutOff(length: Int) throws {
    let jpegs = try Self.jpegs()
    let stream = jpegs[0].prefix(length) + jpegs[2] + jpegs[0]
    #expect(Self.pictures(Array(stream), portion: 100).suffix(1) == [jpegs[0]])
    // Also where the segment in which it was cut off seems to reach into the next one.
    if length < 600 {
      #expect(Self.pictures(Array(stream), portion: 100) == [jpegs[2], jpegs[0]])
    }
  }

  @Test("What was gone through of what is no picture, or too long, is not gone through again")
  func onceOnly() throws {
    let inner = try Self.jpegs()[2]
    let size = inner.count + 2
    let length = [UInt8(size >> 8), UInt8(size & 0xFF)]
    let start = [0xFF, 0xD8, 0xFF, 0xE1] + length + inner + [0xFF, 0xDA, 0, 2]
    let broken = start + [0, 0, 0xFF, 1, 0, 0]
    #expect(Self.pictures(broken + inner, portion: 100) == [inner])
    let long = start + [UInt8](repeating: 0, count: MotionJPEG.mostBytes)
    #expect(Self.pictures(long + inner, portion: long.count) == [inner])
  }

  @Test("Many beginnings in one portion take no longer than other bytes")
  func beginnings() {
    let stream = [[UInt8]](repeating: [0xFF, 0xD8], count: 1_000_000).flatMap(\.self)
    let time = ContinuousClock().measure {
      #expect(Self.pictures(stream, portion: stream.count).isEmpty)
    }
    #expect(time < .seconds(5), "\(time)")
  }

  @Test("What is no JPEG gives nothing, and does not trap")
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
