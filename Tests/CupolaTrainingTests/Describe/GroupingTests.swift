import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Grouping")
struct GroupingTests {
  private func row(
    _ name: String, label: String = "chapel", group: String? = nil, digest: String? = nil,
    time: String? = nil
  ) -> PhotoTraits {
    var metadata = PhotoMetadata()
    metadata.captureTime = time
    let photo = LabeledPhoto(path: name, name: name, label: label, split: .train, group: group)
    return PhotoTraits(photo: photo, digest: digest ?? name, metadata: metadata)
  }

  private func numbered(_ rows: [PhotoTraits], copies: [NearDuplicates.Pair] = []) -> [Int] {
    var numbers: [Int: Int] = [:]
    return Grouping.groups(of: rows, copies: copies).map { group in
      let number = numbers[group, default: numbers.count]
      numbers[group] = number
      return number
    }
  }

  @Test("Unrelated photos are separate groups")
  func alone() { #expect(numbered([row("a"), row("b"), row("c")]) == [0, 1, 2]) }

  @Test("Sessions without copies are the groups of bursts, unless time and viewpoint are unknown")
  func sessions() {
    let times = ["2026:05:01 10:00:00", "2026:05:01 10:06:00", "2026:05:01 10:03:00", nil]
    let rows =
      times.enumerated().map { row("\($0)", time: $1) } + [row("t", label: "tower", time: times[0])]
    let shots = rows.map { Grouping.Shot($0.metadata, label: $0.photo.label) }
    #expect(Grouping.sessions(of: shots) == [0, 0, 0, nil, 4])
    #expect(numbered(rows) == [0, 0, 0, 1, 2])
  }

  @Test("Given groups stay together across labels")
  func given() {
    let rows = [
      row("a", group: "monday"), row("b", group: "tuesday"),
      row("c", label: "tower", group: "monday"), row("d"), row("e", group: "tuesday"),
    ]
    #expect(numbered(rows) == [0, 1, 0, 2, 1])
  }

  @Test("Numbered groups of negatives are separate from the buildings'")
  func numberedNegatives() {
    let group = SplitTable.groupOfNegatives("g1")
    let rows = [
      row("a", group: "g1"), row("b", label: "_street", group: group),
      row("c", label: "_street", group: group),
    ]
    #expect(numbered(rows) == [0, 1, 1])
    #expect(rows.allSatisfy { $0.photo.namedSession == nil })
    #expect(SplitTable.groupOfNegatives("gate") == "gate")
  }

  @Test("Equal files stay together across labels and given groups")
  func equalFiles() {
    let rows = [
      row("a", digest: "x"), row("b"), row("c", label: "tower", digest: "x"),
      row("d", group: "monday", digest: "x"), row("e", group: "monday"),
    ]
    #expect(numbered(rows) == [0, 1, 0, 0, 0])
  }

  @Test(
    "Photos of a label within five minutes, or of one day without a time of day, are one burst",
    arguments: [
      ("2024:05:03 10:00:00", "2024:05:03 10:05:00", true),
      ("2024:05:03 10:00:00", "2024:05:03 10:05:01", false),
      ("2024:05:03 23:58:00", "2024:05:04 00:01:00", true),
      ("2024:05:31 23:58:00", "2024:06:01 00:01:00", true),
      ("2023:12:31 23:58:00", "2024:01:01 00:01:00", true),
      ("2024:06:30 23:58:00", "2024:07:01 00:01:00", true),
      ("2023:02:28 23:58:00", "2023:03:01 00:01:00", true),
      ("2024:02:28 23:58:00", "2024:03:01 00:01:00", false),
      ("2024:05:03 10:00:00", "2023:05:03 10:00:00", false),
      ("2024:05:03 10:00:00", "yesterday", false),
      ("2024:05:03", "2024:05:03", true),
      ("2024:05:03", "2024:05:04", false),
      ("2024:05:03", "2024:05:03 10:00:00", false),
      ("0000:00:00 00:00:00", "0000:00:00 00:00:00", false),
    ])
  func burst(first: String, second: String, together: Bool) {
    #expect(numbered([row("a", time: first), row("b", time: second)]) == [0, together ? 0 : 1])
  }

  @Test("A burst may be longer if no pause exceeds five minutes")
  func longBurst() {
    let rows = ["10:08:00", "10:00:00", "10:04:00", "10:20:00"].enumerated().map {
      row("\($0)", time: "2024:05:03 \($1)")
    }
    #expect(numbered(rows) == [0, 0, 0, 1])
  }

  @Test("Bursts do not join labels or given groups")
  func burstsElsewhere() {
    let time = "2024:05:03 10:00:00"
    let rows = [
      row("a", time: time), row("b", label: "tower", time: time),
      row("c", group: "monday", time: time), row("d", group: "tuesday", time: time),
    ]
    #expect(numbered(rows) == [0, 1, 2, 3])
  }

  @Test("Bursts join numbered groups")
  func numberedGroups() {
    let rows = [
      row("a", group: "g1", time: "2024:05:03 10:00:00"), row("b", group: "g2"),
      row("c", time: "2024:05:03 10:01:00"),
    ]
    #expect(numbered(rows) == [0, 1, 0])
  }

  @Test("Copies stay together across labels and given groups")
  func copies() {
    let rows = [row("a", group: "monday"), row("b"), row("c", label: "tower"), row("d")]
    let copies = [
      NearDuplicates.Pair(first: 0, second: 2, isMirrored: true),
      NearDuplicates.Pair(first: 1, second: 3, isMirrored: false),
    ]
    #expect(numbered(rows, copies: copies) == [0, 1, 0, 1])
  }

  @Test(
    "Photos of a label with equal place and heading stay together",
    arguments: [
      (0.0, 0.0, 5.0, true), (0, 0, 29, true), (0, 0, 31, false), (8, 8, 5, true),
      (12, 0, 5, false), (0, 12, 5, false), (-2, 0, 5, false),
    ])
  func viewpoints(north: Double, east: Double, heading: Double, together: Bool) {
    func viewed(
      _ name: String, north: Double, east: Double, heading: Double, label: String = "chapel",
      group: String? = nil
    ) -> PhotoTraits {
      // The corner of a cell at 60 degrees north, where a degree of longitude is half as long as at the equator.
      let meter = 1 / 111_195.0
      let corner = (60 / meter / 10).rounded(.down) * 10 * meter
      let middle = corner + 5 * meter
      let column = (20 / meter * cos(middle * .pi / 180) / 10).rounded(.down) * 10
      let photo = LabeledPhoto(
        path: name, name: name, label: label, split: nil, group: group)
      var metadata = PhotoMetadata()
      metadata.position = Position(
        latitude: corner + (north + 1) * meter,
        longitude: (column + east + 1) * meter / cos(middle * .pi / 180))
      metadata.heading = Heading(degrees: heading)
      return PhotoTraits(photo: photo, digest: name, metadata: metadata)
    }
    let first = viewed("a", north: 0, east: 0, heading: 0)
    let second = viewed("b", north: north, east: east, heading: heading)
    #expect(numbered([first, second]) == [0, together ? 0 : 1])
    let others = [
      viewed("c", north: north, east: east, heading: heading, label: "tower"),
      viewed("d", north: north, east: east, heading: heading, group: "monday"),
    ]
    #expect(numbered([first] + others) == [0, 1, 2])
  }
}

@Suite("Capture time")
struct CaptureTimeTests {
  @Test(
    "Invalid times are rejected",
    arguments: [
      "", "2024", "2024:05", "2024:05:03 10", "2024:05:03 10:00:00:00", "05:03:2024 10:00:00",
      "2024:05-03 10:00:00", "2024:05:03 10:00 pm",
      "9223372036854775807:01:01 00:00:00", "99999999999999999999:01:01 00:00:00",
      "2024:05:03 10:00:9223372036854775807", "-1:05:03 10:00:00", "0000:00:00 00:00:00",
      "2024:13:03 10:00:00", "2024:05:00 10:00:00", "2024:05:03 24:00:00", "2023:02:29 10:00:00",
      "2024:04:31 10:00:00",
    ])
  func badTimes(time: String) { #expect(CaptureTime(time) == nil) }

  @Test("Days and seconds match the Gregorian calendar")
  func calendar() throws {
    var generator = SplitMix64(seed: 4)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for _ in 0..<500 {
      // Foundation uses the Julian calendar before 1583.
      let moment = Int.random(in: -12_212_553_600...253_402_300_799, using: &generator)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: Double(moment)))
      let numbers = [parts.year, parts.month, parts.day].compactMap { $0.map { "\($0)" } }
      let clock = [parts.hour, parts.minute, parts.second].compactMap { $0.map { "\($0)" } }
      let text = numbers.joined(separator: ":") + " " + clock.joined(separator: ":")
      let time = try #require(CaptureTime(text), "\(text)")
      #expect(time.seconds == moment && time.hour == parts.hour, "\(text)")
      #expect(time.day == Int((Double(moment) / 86_400).rounded(.down)), "\(text)")
    }
    #expect(CaptureTime("0001:01:01 00:00:00")?.seconds == -62_135_596_800)
    #expect(CaptureTime("2024:02:29 10:00:00")?.dayName == "2024-02-29")
    #expect(CaptureTime("2024:2:9 10:00:00")?.dayName == "2024-02-09")
  }

  @Test("The time column replaces a missing or invalid EXIF time")
  func column() {
    func time(exif: String?, column: String?) -> String? {
      var metadata = PhotoMetadata()
      metadata.captureTime = exif
      var photo = LabeledPhoto(contents: [], name: "1.jpg", label: "a")
      photo.attributes["time"] = column
      return photo.metadata(metadata).captureTime
    }
    let (day, other) = ("2024:05:03 10:00:00", "2024:05:04 10:00:00")
    #expect(time(exif: day, column: other) == day)
    #expect(time(exif: nil, column: other) == other)
    #expect(time(exif: "0000:00:00 00:00:00", column: other) == other)
    #expect(time(exif: "0000:00:00 00:00:00", column: "noon") == nil)
    #expect(time(exif: nil, column: "2024-05-04T10:00:00+02:00") == other)
    #expect(time(exif: nil, column: "2024-05-04") == "2024:05:04")
  }

  @Test("A date without a time of day has a day, but no hour")
  func date() throws {
    let date = try #require(CaptureTime("2024-05-04"))
    #expect(date.hour == nil && date.seconds == nil && date.dayName == "2024-05-04")
    #expect(date.day == CaptureTime("2024:05:04 23:59:59")?.day)
  }

  private static func days(_ times: [String?]) -> Int? {
    let rows = times.enumerated().map { number, time in
      var metadata = PhotoMetadata()
      metadata.captureTime = time
      return FeatureTable.Row(
        photo: LabeledPhoto(contents: [], name: "\(number).jpg", label: "a"), digest: "",
        metadata: metadata,
        features: .memory(SafeTensors.Tensor(floats: [0], shape: [1, 1])))
    }
    return FeatureTable(rows: rows, skipped: [], failures: ReadingFailures()).captureDays["a"]
  }

  @Test(
    "Capture days are counted if enough photos have a valid date"
  )
  func captureDays() {
    let (day, evening, other) = (
      "2024:05:03 10:00:00", "2024:05:03 18:00:00", "2024:05:04 10:00:00"
    )
    let zeros = "0000:00:00 00:00:00"
    #expect(Self.days([day, evening, day, day, zeros]) == 1)
    // The photos with a date are too few to conclude that all photos are from one day.
    #expect(Self.days([day, evening, zeros, nil]) == nil)
    #expect(Self.days([day, other, nil, nil, nil]) == 2)
    #expect(Self.days([nil, zeros]) == nil)
  }
}
