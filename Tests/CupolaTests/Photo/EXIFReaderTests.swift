import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("EXIF reader") struct EXIFReaderTests {
  typealias Tag = EXIFBuilder.Tag

  static let builders = [EXIFBuilder(bigEndian: false), EXIFBuilder(bigEndian: true)]

  static func place(
    _ changes: [UInt16: EXIFBuilder.Value?], _ builder: EXIFBuilder = EXIFBuilder()
  ) -> PhotoMetadata {
    var place = EXIFBuilder.place
    for (tag, value) in changes { place[tag] = value }
    return EXIFReader.metadata(in: builder.block([Tag.gps: .directory(place)]))
  }

  @Test("All supported fields are read in both byte orders", arguments: [false, true])
  func everything(bigEndian: Bool) throws {
    let place = EXIFBuilder.place.merging([
      Tag.horizontalError: .rationals([(17, 4)]), Tag.directionReference: .text("M"),
      Tag.direction: .rationals([(561, 2)]),
    ]) { $1 }
    let metadata = EXIFReader.metadata(
      in: EXIFBuilder(bigEndian: bigEndian).block([
        Tag.orientation: .short(6), Tag.gps: .directory(place),
        Tag.exif: .directory([
          Tag.time: .text("2024:05:06 07:08:09"), Tag.timeOffset: .text("+02:00"),
          Tag.focalLength: .short(26),
        ]),
      ]))
    #expect(metadata.orientation == .right)
    #expect(
      metadata.position == Position(latitude: -12.5, longitude: -77.01, horizontalError: 4.25))
    #expect(metadata.heading == Heading(degrees: 280.5, reference: .magneticNorth))
    #expect(metadata.captureTime == "2024:05:06 07:08:09")
    #expect(metadata.captureTimeOffset == "+02:00")
    #expect(metadata.focalLength == 26)
    #expect(metadata.faults == [])
  }

  @Test("A focal length of 0 is unknown, and text is invalid")
  func focalLengths() {
    func metadata(_ value: EXIFBuilder.Value) -> PhotoMetadata {
      EXIFReader.metadata(
        in: EXIFBuilder().block([Tag.exif: .directory([Tag.focalLength: value])]))
    }
    #expect(metadata(.short(0)) == PhotoMetadata())
    #expect(metadata(.text("26 mm")).faults == [.badValue(tag: Tag.focalLength)])
    #expect(metadata(.text("26 mm")).focalLength == nil)
  }

  @Test("A position of 0, 0 is ignored, but a single 0 is valid")
  func zeroPosition() {
    let zero = EXIFBuilder.Value.rationals([(0, 1), (0, 1), (0, 1)])
    let none = Self.place([Tag.latitude: zero, Tag.longitude: zero])
    #expect(none.position == nil && none.faults == [])
    #expect(Self.place([Tag.latitude: zero]).position != nil)
    #expect(Self.place([Tag.longitude: zero]).position != nil)
  }

  @Test("Orientation may have any integer type, and 0 is unknown", arguments: builders)
  func orientations(builder: EXIFBuilder) {
    for value in 1...8 {
      let block = builder.block([Tag.orientation: .long(UInt32(value))])
      #expect(EXIFReader.metadata(in: block).orientation.rawValue == value)
    }
    #expect(EXIFReader.metadata(in: builder.block([Tag.orientation: .short(0)])) == PhotoMetadata())
  }

  @Test(
    "Hemispheres determine the signs of coordinates",
    arguments: [("N", "E", 1, 1), ("N", "W", 1, -1), ("S", "E", -1, 1), ("S", "W", -1, -1)])
  func signs(quarter: (String, String, Int, Int)) throws {
    let metadata = Self.place([
      Tag.latitudeReference: .text(quarter.0), Tag.longitudeReference: .text(quarter.1),
    ])
    let position = try #require(metadata.position)
    #expect(position.latitude == 12.5 * Double(quarter.2))
    #expect(position.longitude == 77.01 * Double(quarter.3))
  }

  @Test("A heading is relative to true north unless marked magnetic", arguments: ["T", "M", ""])
  func north(reference: String) throws {
    let metadata = Self.place([
      Tag.direction: .rationals([(360, 1)]),
      Tag.directionReference: reference.isEmpty ? nil : .text(reference),
    ])
    let heading = try #require(metadata.heading)
    #expect(heading.reference == (reference == "M" ? .magneticNorth : .trueNorth))
    #expect(heading.degrees == 0)
  }

  @Test("Blanks around text are removed, and blank text is ignored")
  func texts() {
    func time(_ text: String) -> String? {
      let exif = EXIFBuilder.Value.directory([Tag.time: .text(text)])
      return EXIFReader.metadata(in: EXIFBuilder().block([Tag.exif: exif])).captureTime
    }
    #expect(time("  2024:05:06 07:08:09 ") == "2024:05:06 07:08:09")
    #expect(time("     ") == nil && time("") == nil && time("2024\u{7}") == nil)
  }

  @Test("Bytes without a TIFF structure are a fault", arguments: [0, 3, 7, 8, 40])
  func noTIFF(count: Int) {
    let metadata = EXIFReader.metadata(in: [UInt8](repeating: 0x49, count: count))
    #expect(metadata.faults == [.notTIFF])
  }

  @Test("Directories that refer to themselves are entered once", arguments: builders)
  func loop(builder: EXIFBuilder) {
    let metadata = EXIFReader.metadata(
      in: builder.block(
        [Tag.orientation: .short(3), Tag.exif: .long(8), Tag.gps: .long(8)], following: 8))
    #expect(metadata.orientation == .down)
    #expect(metadata.faults == [.badOffset(8), .badOffset(8)])
  }

  @Test("Pointers past the end are faults", arguments: [37, 60_000, UInt32.max - 15, UInt32.max])
  func pastEnd(offset: UInt32) {
    let metadata = EXIFReader.metadata(
      in: EXIFBuilder().block([Tag.orientation: .short(3), Tag.gps: .long(offset)]))
    #expect(metadata.orientation == .down && metadata.position == nil)
    #expect(metadata.faults == [.badOffset(Int(offset))])
  }

  @Test("A first directory past the end is a fault", arguments: [9, 8000, 0xFFFF_FFFF])
  func noDirectory(offset: Int) {
    var block = EXIFBuilder().block([Tag.orientation: .short(3)])
    block.replaceSubrange(4..<8, with: EXIFBuilder().number(offset, 4))
    let metadata = EXIFReader.metadata(in: block)
    #expect(metadata.orientation == .up && !metadata.faults.isEmpty)
  }

  @Test("A directory that claims too many fields is a fault")
  func manyFields() {
    var block = EXIFBuilder().block([Tag.orientation: .short(3)])
    block.replaceSubrange(8..<10, with: [0xFF, 0xFF])
    #expect(EXIFReader.metadata(in: block).faults == [.badOffset(8)])
  }

  @Test(
    "An unreadable coordinate is a fault, and there is no position",
    arguments: [
      (Tag.latitude, EXIFBuilder.Value.rationals([(12, 1), (2, 1), (4567, 0)])),
      (Tag.latitude, .text("12.5")), (Tag.latitude, .rationals([(91, 1), (0, 1), (0, 1)])),
      (Tag.latitude, .rationals([(12, 1), (2, 1), (3, 1), (4, 1)])),
      (Tag.latitude, .signedRationals([(12, 1), (-2, 1), (3, 1)])),
      (Tag.latitude, .doubles([.infinity])),
      (Tag.longitude, .raw(type: 5, count: 0, field: 8)),
      (Tag.longitude, .raw(type: 99, count: 3, field: 8)),
    ])
  func badCoordinate(tag: UInt16, value: EXIFBuilder.Value) {
    for builder in Self.builders {
      let metadata = Self.place([tag: value], builder)
      #expect(metadata.position == nil)
      #expect(metadata.faults == [.badValue(tag: tag)])
    }
  }

  @Test(
    "A coordinate past the end is damage",
    arguments: [(3, 0xFFFF_FFF8), (0x2000_0003, 8)] as [(UInt32, UInt32)])
  func coordinatePastEnd(count: UInt32, field: UInt32) {
    let value = EXIFBuilder.Value.raw(type: 5, count: count, field: field)
    let metadata = Self.place([Tag.longitude: value])
    #expect(metadata.position == nil && metadata.faults == [.pastEnd(tag: Tag.longitude)])
    #expect(metadata.faults.allSatisfy { $0.isDamage })
  }

  @Test("Values past the end are faults, even if all are", arguments: builders)
  func allPastEnd(builder: EXIFBuilder) {
    let far = EXIFBuilder.Value.raw(type: 5, count: 3, field: 0xFFFF_FFF8)
    let metadata = Self.place([Tag.latitude: far, Tag.longitude: far], builder)
    #expect(metadata.position == nil && metadata.faults == [.pastEnd(tag: Tag.latitude)])
    let time = EXIFBuilder.Value.directory([Tag.time: .raw(type: 2, count: 20, field: 5000)])
    let late = EXIFReader.metadata(in: builder.block([Tag.exif: time]))
    #expect(late.captureTime == nil && late.faults == [.pastEnd(tag: Tag.time)])
  }

  @Test("A coordinate without its partner or hemisphere is a fault")
  func halfPosition() {
    #expect(Self.place([Tag.longitude: nil]).faults == [.badValue(tag: Tag.longitude)])
    #expect(Self.place([Tag.latitude: nil]).faults == [.badValue(tag: Tag.latitude)])
    #expect(Self.place([Tag.latitudeReference: nil]).faults == [.badValue(tag: Tag.latitude)])
    let swapped = Self.place([Tag.longitudeReference: .text("N")])
    #expect(swapped.position == nil && swapped.faults == [.badValue(tag: Tag.longitude)])
  }

  @Test("A position is kept if only its error is unreadable")
  func badError() {
    let metadata = Self.place([Tag.horizontalError: .rationals([(1, 0)])])
    #expect(metadata.position == Position(latitude: -12.5, longitude: -77.01))
    #expect(metadata.faults == [.badValue(tag: Tag.horizontalError)])
  }

  @Test("A direction beyond 360 degrees is a fault", arguments: [(361, 1), (1, 0)])
  func badDirection(value: (UInt32, UInt32)) {
    let metadata = Self.place([Tag.direction: .rationals([value])])
    #expect(metadata.heading == nil && metadata.position != nil)
    #expect(metadata.faults == [.badValue(tag: Tag.direction)])
  }

  @Test(
    "An invalid orientation is a fault, and the photo stays as stored",
    arguments: [
      EXIFBuilder.Value.short(9), .short(65_535), .text("up"), .rationals([(13, 2)]),
      .integers(type: 8, [-6]),
    ])
  func badOrientation(value: EXIFBuilder.Value) {
    let metadata = EXIFReader.metadata(in: EXIFBuilder().block([Tag.orientation: value]))
    #expect(metadata.orientation == .up)
    #expect(metadata.faults == [.badValue(tag: Tag.orientation)])
  }

  @Test("A truncated block never crashes the reader", arguments: builders)
  func everyLength(builder: EXIFBuilder) {
    let block = builder.block([
      Tag.orientation: .short(6), Tag.gps: .directory(EXIFBuilder.place),
      Tag.exif: .directory([Tag.time: .text("2024:05:06 07:08:09")]),
    ])
    let whole = EXIFReader.metadata(in: block)
    for length in block.indices {
      let metadata = EXIFReader.metadata(in: Array(block[..<length]))
      // Each value is correct or absent.
      #expect([whole.orientation, .up].contains(metadata.orientation))
      #expect([whole.position, nil].contains(metadata.position))
      #expect([whole.captureTime, nil].contains(metadata.captureTime))
      #expect(metadata.faults.isEmpty == (metadata == whole))
    }
  }

  @Test("Random bytes after a TIFF header never crash the reader", arguments: builders)
  func noise(builder: EXIFBuilder) {
    var generator = SplitMix64(seed: 99)
    let sound = builder.block([
      Tag.orientation: .short(6), Tag.gps: .directory(EXIFBuilder.place),
    ])
    for _ in 0..<300 {
      var block = sound
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 8..<block.count, using: &generator)
        block[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if let position = EXIFReader.metadata(in: block).position {
        #expect(abs(position.latitude) <= 90 && abs(position.longitude) <= 180)
      }
      let noise = (8..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = EXIFReader.metadata(in: Array(sound.prefix(8)) + noise)
    }
  }
}
