import CupolaTestSupport
import Testing

@testable import Cupola

/// A form in which cameras and programs write EXIF, and its meaning.
struct EXIFForm: CustomTestStringConvertible {
  typealias Value = EXIFBuilder.Value
  typealias Tag = EXIFBuilder.Tag

  let testDescription: String
  let entries: [UInt16: Value]
  let expected: PhotoMetadata

  init(_ name: String, _ entries: [UInt16: Value], _ change: (inout PhotoMetadata) -> Void) {
    (testDescription, self.entries) = (name, entries)
    var expected = PhotoMetadata()
    change(&expected)
    self.expected = expected
  }

  /// A form of a position; `nil` for an unknown position.
  static func place(
    _ name: String, _ changes: [UInt16: Value?], latitude: Double? = -12.5,
    longitude: Double = -77.01, error: Double? = nil, heading: Heading? = nil,
    faults: [EXIFFault] = []
  ) -> EXIFForm {
    var gps = EXIFBuilder.place
    for (tag, value) in changes { gps[tag] = value }
    return EXIFForm(name, [Tag.gps: .directory(gps)]) {
      $0.position = latitude.flatMap {
        Position(latitude: $0, longitude: longitude, horizontalError: error)
      }
      ($0.heading, $0.faults) = (heading, faults)
    }
  }

  static func time(
    _ name: String, main: [UInt16: Value] = [:], exif: [UInt16: Value] = [:],
    gps: [UInt16: Value] = [:], _ time: String?, offset: String? = nil, unreadable: String? = nil
  ) -> EXIFForm {
    let directories: [UInt16: Value] = [Tag.exif: .directory(exif), Tag.gps: .directory(gps)]
    return EXIFForm(name, main.merging(directories) { $1 }) {
      ($0.captureTime, $0.captureTimeOffset, $0.unreadableTime) = (time, offset, unreadable)
    }
  }

  static func original(
    _ text: String, _ time: String?, offset: String? = nil, unreadable: String? = nil
  ) -> EXIFForm {
    .time(text, exif: [Tag.time: .text(text)], time, offset: offset, unreadable: unreadable)
  }
}

@Suite("EXIF forms") struct EXIFFormsTests {
  typealias Tag = EXIFBuilder.Tag

  private static let zero: EXIFBuilder.Value = .rationals([(0, 0), (0, 0), (0, 0)])

  static let places: [EXIFForm] = [
    .place("plain", [:]),
    .place(
      "SRATIONAL",
      [
        Tag.latitude: .signedRationals([(12, 1), (30, 1), (0, 1)]),
        Tag.longitude: .signedRationals([(77, 1), (0, 1), (3600, 100)]),
      ]),
    .place("lowercase", [Tag.latitudeReference: .text("s"), Tag.longitudeReference: .text("w")]),
    .place(
      "words", [Tag.latitudeReference: .text("South"), Tag.longitudeReference: .text("West")]),
    .place("degrees and minutes", [Tag.latitude: .rationals([(12, 1), (300, 10)])]),
    // The sum of the parts is 86.03399999999999.
    .place(
      "rounding errors", [Tag.longitude: .rationals([(86, 1), (2, 1), (24, 10)])],
      longitude: -86.034),
    .place("degrees", [Tag.latitude: .rationals([(125, 10)])]),
    .place("degrees as DOUBLE", [Tag.latitude: .doubles([12.5])]),
    .place("integers", [Tag.latitude: .integers(type: 4, [12, 30, 0])]),
    .place(
      "unknown seconds after decimal minutes",
      [
        Tag.latitude: .rationals([(12, 1), (305, 10), (0, 0)])
      ], latitude: -12.5083333),
    .place(
      "negative and reference", [Tag.latitude: .signedRationals([(-12, 1), (-30, 1), (0, 1)])]),
    .place("negative degrees", [Tag.latitude: .signedRationals([(-12, 1), (30, 1), (0, 1)])]),
    .place(
      "negative as RATIONAL", [Tag.latitude: .rationals([(4_294_967_284, 1), (30, 1), (0, 1)])]),
    .place(
      "negative without reference",
      [
        Tag.latitudeReference: nil, Tag.latitude: .signedRationals([(-12, 1), (30, 1), (0, 1)]),
      ]),
    .place(
      "negative in the north",
      [
        Tag.latitudeReference: .text("N"),
        Tag.latitude: .signedRationals([(-12, 1), (30, 1), (0, 1)]),
      ], latitude: nil, faults: [.badValue(tag: Tag.latitude)]),
    .place("unknown", [Tag.latitude: zero, Tag.longitude: zero], latitude: nil),
    .place("unknown longitude", [Tag.longitude: zero], latitude: nil),
    .place(
      "unknown minutes", [Tag.latitude: .rationals([(12, 1), (0, 0), (0, 0)])], latitude: nil),
    .place(
      "unknown without references",
      [
        Tag.latitude: zero, Tag.longitude: zero, Tag.latitudeReference: .text(""),
        Tag.longitudeReference: nil,
      ], latitude: nil),
    .place("error", [Tag.horizontalError: .rationals([(5, 2)])], error: 2.5),
    .place("error as SRATIONAL", [Tag.horizontalError: .signedRationals([(5, 2)])], error: 2.5),
    .place("error 0", [Tag.horizontalError: .rationals([(0, 1)])]),
    .place("unknown error", [Tag.horizontalError: .rationals([(0, 0)])]),
    .place(
      "negative error", [Tag.horizontalError: .signedRationals([(-5, 1)])],
      faults: [.badValue(tag: Tag.horizontalError)]),
    .place("unknown heading", [Tag.direction: .rationals([(0, 0)])]),
    .place(
      "heading as SRATIONAL",
      [Tag.direction: .signedRationals([(45, 1)]), Tag.directionReference: .text("m")],
      heading: Heading(degrees: 45, reference: .magneticNorth)),
    .place(
      "negative heading", [Tag.direction: .signedRationals([(-90, 1)])],
      heading: Heading(degrees: 270, reference: .trueNorth)),
  ]

  private static let time = "2026:05:01 10:00:00"
  private static let clock: EXIFBuilder.Value = .rationals([(8, 1), (0, 1), (1250, 100)])

  static let times: [EXIFForm] = [
    .original(time, time), .original("2026-05-01T10:00:00", time),
    .original("2026-05-01 10:00:00", time), .original("2026/05/01 10:00:00", time),
    .original("2026.05.01 10:00:00", time), .original("2026:5:1 10:00:00", time),
    .original("2026: 5: 1 10: 0: 0", time), .original("2026:05:01 10:00", time),
    .original("2026:05:01 10:00:  ", time), .original("2026:05:01 10:00:00.123", time),
    .original("2026-05-01T10:00:00,5", time), .original("2026:05:01:10:00:00", time),
    .original("2026:05:01 10:00:00+02:00", time, offset: "+02:00"),
    .original("2026-05-01T10:00:00.5-0730", time, offset: "-07:30"),
    .original("2026-05-01T10:00+02", time, offset: "+02:00"),
    .original("2026:05:01 10:00:00Z", time, offset: "+00:00"),
    .original("2026:05:01 10:00:00 UTC", time, offset: "+00:00"),
    .original("20260501T100000+0200", time, offset: "+02:00"),
    .original("20260501 1000", time), .original("20260501 10:00:00", time),
    .original("20260501", "2026:05:01"), .original("2026:05:01 10:00:00 CEST", time),
    .original("20261301", nil, unreadable: "20261301"),
    .original("2026-05-01", "2026:05:01"), .original("2026:05:01   :  :  ", "2026:05:01"),
    .original("0000:00:00 00:00:00", nil), .original("    :  :     :  :  ", nil),
    .original("2026:05:01 10:00:00 pm", nil, unreadable: "2026:05:01 10:00:00 pm"),
    .original("05/01/2026 10:00", nil, unreadable: "05/01/2026 10:00"),
    .original("2026:02:30 10:00:00", nil, unreadable: "2026:02:30 10:00:00"),
    .time(
      "digitized", exif: [Tag.digitized: .text(time), Tag.digitizedOffset: .text("+01:00")], time,
      offset: "+01:00"),
    .time(
      "zeros and digitized",
      exif: [
        Tag.time: .text("0000:00:00 00:00:00"), Tag.digitized: .text(time),
      ], time),
    .time(
      "unreadable and digitized", exif: [Tag.time: .text("May"), Tag.digitized: .text(time)], time),
    .time(
      "DateTime", main: [Tag.dateTime: .text(time)], exif: [Tag.dateTimeOffset: .text("+02:00")],
      time, offset: "+02:00"),
    .time(
      "zeros and the time of the last change", main: [Tag.dateTime: .text(time)],
      exif: [Tag.time: .text("0000:00:00 00:00:00")], nil),
    .time(
      "original before DateTime", main: [Tag.dateTime: .text("2027:01:01 00:00:00")],
      exif: [Tag.time: .text(time), Tag.timeOffset: .text("   :  ")], time),
    .time(
      "GPS", gps: [Tag.gpsDate: .text("2026:05:01"), Tag.gpsTime: clock], "2026:05:01 08:00:12",
      offset: "+00:00"),
    .time(
      "GPS date", gps: [Tag.gpsDate: .text("2026-05-01")], "2026:05:01", offset: "+00:00"),
    .time(
      "GPS date and unknown time", gps: [Tag.gpsDate: .text("2026:05:01"), Tag.gpsTime: zero],
      "2026:05:01", offset: "+00:00"),
    .time("GPS time without date", gps: [Tag.gpsTime: clock], nil),
  ]

  static let others: [EXIFForm] = [
    EXIFForm("SSHORT", [Tag.orientation: .integers(type: 8, [6])]) { $0.orientation = .right },
    EXIFForm("SLONG", [Tag.orientation: .integers(type: 9, [6])]) { $0.orientation = .right },
    EXIFForm("BYTE", [Tag.orientation: .integers(type: 1, [6])]) { $0.orientation = .right },
    EXIFForm("RATIONAL", [Tag.orientation: .rationals([(6, 1)])]) { $0.orientation = .right },
    EXIFForm("unknown", [Tag.orientation: .rationals([(0, 0)])]) { _ in },
    EXIFForm(
      "IFD",
      [
        Tag.exif: .subdirectory([Tag.time: .text(time), Tag.focalLength: .rationals([(26, 1)])]),
        Tag.gps: .subdirectory(EXIFBuilder.place),
      ]
    ) {
      ($0.captureTime, $0.focalLength) = (time, 26)
      $0.position = Position(latitude: -12.5, longitude: -77.01)
    },
    EXIFForm(
      "GPS pointer in the EXIF directory",
      [Tag.exif: .directory([Tag.gps: .directory(EXIFBuilder.place)])]
    ) { $0.position = Position(latitude: -12.5, longitude: -77.01) },
    EXIFForm("pointer to 0", [Tag.gps: .long(0)]) { _ in },
  ]

  @Test("Every form has its meaning in both byte orders", arguments: places + times + others)
  func forms(form: EXIFForm) {
    for bigEndian in [false, true] {
      let block = EXIFBuilder(bigEndian: bigEndian).block(form.entries)
      #expect(EXIFReader.metadata(in: block) == form.expected)
    }
  }

  @Test("A later EXIF segment adds what earlier ones lack")
  func segments() throws {
    let builder = EXIFBuilder()
    let first = builder.block([
      Tag.orientation: .short(1), Tag.exif: .directory([Tag.time: .text(Self.time)]),
    ])
    let second = EXIFBuilder(bigEndian: true).block([
      Tag.orientation: .short(6), Tag.gps: .directory(EXIFBuilder.place),
      Tag.exif: .directory([Tag.time: .text("2001:01:01 00:00:00")]),
    ])
    var jpeg = try JPEGEncoder.encode(RGBImage.gray(16, 16) { _, _ in 9 })
    jpeg.insert(
      contentsOf: JPEGHeaderTests.exif(first) + JPEGHeaderTests.exif(second), at: 2)
    let metadata = try PhotoDecoder().open(jpeg).metadata
    #expect(metadata.orientation == .up && metadata.captureTime == Self.time)
    #expect(metadata.position == Position(latitude: -12.5, longitude: -77.01))
    #expect(metadata.faults == [])
  }

  @Test("Segments can be marked with capital letters or another sixth byte")
  func marks() throws {
    let block = EXIFBuilder().block([Tag.gps: .directory(EXIFBuilder.place)])
    let image = try JPEGEncoder.encode(RGBImage.gray(16, 16) { _, _ in 9 })
    for (mark, isRead) in [("EXIF\0\0", true), ("Exif\0 ", true), ("Exif00", false)] {
      var jpeg = image
      jpeg.insert(contentsOf: JPEGHeaderTests.segment(0xE1, Array(mark.utf8) + block), at: 2)
      let position = try PhotoDecoder().open(jpeg).metadata.position
      #expect((position != nil) == isRead, "\(mark)")
    }
  }

  @Test("XMP adds what EXIF lacks")
  func packets() throws {
    let block = EXIFBuilder().block([Tag.exif: .directory([Tag.time: .text(Self.time)])])
    let packet = #"""
      exif:GPSLatitude="12,30S" exif:GPSLongitude='77,0.6W' exif:DateTimeOriginal="2001-01-01"
      """#
    var jpeg = try JPEGEncoder.encode(RGBImage.gray(16, 16) { _, _ in 9 })
    let mark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    jpeg.insert(
      contentsOf: JPEGHeaderTests.segment(0xE1, mark + Array(packet.utf8))
        + JPEGHeaderTests.exif(block), at: 2)
    let metadata = try PhotoDecoder().open(jpeg).metadata
    #expect(metadata.position == Position(latitude: -12.5, longitude: -77.01))
    #expect(metadata.captureTime == Self.time && metadata.faults == [])
  }

  @Test("A block that is split into two segments is joined")
  func split() throws {
    let block = EXIFBuilder().block([Tag.gps: .directory(EXIFBuilder.place)])
    var jpeg = try JPEGEncoder.encode(RGBImage.gray(16, 16) { _, _ in 9 })
    let parts = [Array(block[..<60]), Array(block[60...])].flatMap(JPEGHeaderTests.exif)
    jpeg.insert(contentsOf: parts, at: 2)
    #expect(try PhotoDecoder().open(jpeg).metadata == EXIFReader.metadata(in: block))
  }
}
