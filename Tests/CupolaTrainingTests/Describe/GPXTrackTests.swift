import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("GPX tracks")
struct GPXTrackTests {
  private static func track(_ text: String) throws -> GPXTrack {
    try GPXTrack(Array(text.utf8), path: "walk.gpx")
  }

  static func gpx(_ points: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\"><trk><name>Walk</name><trkseg>\n"
      + points + "\n</trkseg></trk></gpx>\n"
  }

  /// A point in the first minutes of January 1, 1970.
  private static func point(_ latitude: Double, _ longitude: Double, _ clock: String) -> String {
    "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><ele>500</ele><time>1970-01-01T00:\(clock)Z</time></trkpt>"
  }

  private static let walk = gpx(
    point(48.3, 10.9, "02:00") + point(48.2, 10.8, "00:00") + point(48.301, 10.902, "02:10")
      + point(48.4, 11, "20:00"))

  @Test(
    "Positions are interpolated between near points, and come from points within 60 s",
    arguments: [
      (120, 48.3, 10.9, 15.0), (125, 48.3005, 10.901, 22.5), (130, 48.301, 10.902, 15),
      // The points at 00:00 and 02:00 are just near enough to each other.
      (60, 48.25, 10.85, 105), (-60, 48.2, 10.8, 105), (190, 48.301, 10.902, 105),
      (1_150, 48.4, 11, 90),
    ] as [(Int, Double, Double, Double)])
  func positions(seconds: Int, latitude: Double, longitude: Double, error: Double) throws {
    let position = try #require(try Self.track(Self.walk).position(at: seconds))
    #expect(abs(position.latitude - latitude) < 1e-9)
    #expect(abs(position.longitude - longitude) < 1e-9)
    #expect(position.horizontalError == error)
  }

  @Test("Photos more than 60 s from all points get no position", arguments: [-61, 191, 600, 1_261])
  func far(seconds: Int) throws {
    #expect(try Self.track(Self.walk).position(at: seconds) == nil)
  }

  @Test("Tracks may cross the antimeridian")
  func antimeridian() throws {
    let text = Self.gpx(Self.point(-17, 179.999, "00:00") + Self.point(-17, -179.997, "01:00"))
    let position = try #require(try Self.track(text).position(at: 30))
    #expect(abs(position.longitude - -179.999) < 1e-9)
  }

  @Test(
    "Other forms of GPX are read",
    arguments: [
      "<gpx:gpx xmlns:gpx='x'><gpx:trkpt lon = '10.9'\n lat='48.3' ><gpx:time> 1970-01-01T02:02:00.500+02:00 </gpx:time></gpx:trkpt></gpx:gpx>",
      "\u{FEFF}<gpx><!-- <trkpt lat=\"1\" lon=\"1\"> --><metadata><time>1999-01-01T00:00:00Z</time></metadata>"
        + "<wpt lat=\"1\" lon=\"1\"><time>1970-01-01T00:02:00Z</time></wpt><trkpt lat=\"48\" lon=\"10\"/>"
        + "<trkpt lat=\"48.3\" lon=\"10.9\"><desc><![CDATA[a > b <time>]]></desc>"
        + "<time>1970-01-01T00:02:00</time></trkpt></gpx>",
    ])
  func forms(text: String) throws {
    let points = try Self.track(text).points
    #expect(points.map(\.seconds) == [120])
    #expect(points.map(\.position) == [Position(latitude: 48.3, longitude: 10.9)])
  }

  @Test(
    "Faults state the line and what to do",
    arguments: [
      ("not XML", 1, "not a GPX track; choose a .gpx file"),
      ("<kml></kml>", 1, "not a GPX track; this is KML; choose a .gpx file"),
      (
        "<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [<!ENTITY a \"&b;&b;\">]>\n<gpx></gpx>", 2,
        "contains a document type, which can hide huge content; export the track again"
      ),
      (
        gpx("<trkpt lat=\"98\" lon=\"10\"><time>1970-01-01T00:00:00Z</time></trkpt>"), 3,
        "98, 10 is not a position in degrees; correct it"
      ),
      (
        gpx("<trkpt lon=\"10\"></trkpt>"), 3,
        "track point without lat and lon; export the track again"
      ),
      (
        gpx("<trkpt lat=\"9\" lon=\"10\">\n<time>noon</time></trkpt>"), 4,
        "\"noon\" is not a time such as 2026-05-01T10:00:00Z; correct it"
      ),
      (
        gpx("<trkpt lat=\"9\" lon=\"10\"></trkpt>"), 1,
        "no track points with times; export the track with times (trkpt and time)"
      ),
      ("<gpx>\n<trkpt lat=\"9\" lon=\"1", 2, "a tag does not end; copy or export the file again"),
      (
        "<gpx>\n<!-- <trkpt", 2, "the file ends inside a comment or text; copy or export it again"
      ),
      ("<gpx><trk>\n", 1, "the file ends before </gpx>; copy or export it again"),
    ])
  func faults(text: String, line: Int, problem: String) {
    #expect(
      throws: TrainingError.badTable(path: "walk.gpx", line: line, problem: problem)
    ) { try Self.track(text) }
  }

  @Test("A track truncated at any length is an error")
  func everyLength() {
    let bytes = Array(Self.walk.utf8)
    for length in 0..<(bytes.count - 7) {
      #expect(throws: TrainingError.self) {
        try GPXTrack(Array(bytes[..<length]), path: "walk.gpx")
      }
    }
  }

  @Test(
    "Time zones are offsets from UTC",
    arguments: [
      ("+02:00", 7200), ("-03:30", -12_600), ("+00:00:35", 35), ("02:00", nil), ("+2", nil),
      ("+02:60", nil), ("+20:00", nil), ("Z", nil), ("", nil),
    ] as [(String, Int?)])
  func zones(text: String, seconds: Int?) { #expect(UTCOffset.seconds(text) == seconds) }

  @Test("Photos without a position get one if their time zone is known")
  func photos() throws {
    typealias Tag = EXIFBuilder.Tag
    let folder = try TemporaryFolder()
    let picture = RGBImage(width: 8, height: 8, pixels: [UInt8](repeating: 90, count: 192))
    func photo(_ name: String, _ time: String?) throws -> LabeledPhoto {
      let exif = time.map {
        EXIFBuilder().payload([Tag.exif: .directory([Tag.time: .text($0)])])
      }
      let bytes = try JPEGEncoder.encode(picture, quality: 90, exif: exif ?? [])
      return LabeledPhoto(
        path: try folder.write(bytes, to: name), name: name, label: "hall", split: nil, group: nil)
    }
    let near = try photo("near.jpg", "1970:01:01 02:02:00")
    let far = try photo("far.jpg", "1970:01:01 09:00:00")
    let untimed = try photo("untimed.jpg", nil)
    func read(zone: Int?) throws -> (positions: [Position?], summary: String) {
      let positions = TrackPositions(try Self.track(Self.walk), zone: zone)
      var decoder = PhotoDecoder()
      decoder.locate = { positions.position(of: $0, $1) }
      let found = try [near, far, untimed, near].map {
        try $0.opened(by: decoder).metadata.position
      }
      return (found, positions.summary)
    }
    let found = try read(zone: 7200)
    #expect(found.positions.map { $0?.latitude } == [48.3, nil, nil, 48.3])
    #expect(
      found.summary
        == "track: 1 of 3 photos without a position got one; 2 were not taken within 60 s of a track point"
    )
    let unzoned = try read(zone: nil)
    #expect(unzoned.positions.allSatisfy { $0 == nil })
    #expect(unzoned.summary.contains("; 2 have no time zone; set it with --track-zone"))
  }
}
