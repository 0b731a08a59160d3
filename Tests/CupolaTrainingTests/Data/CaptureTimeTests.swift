import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Capture time")
struct CaptureTimeTests {
  @Test(
    "times that no clock shows are no times",
    arguments: [
      "", "2024:05:03", "2024:05:03 10:00", "2024:05:03 10:00:00:00", "2024-05-03 10:00:00",
      "9223372036854775807:01:01 00:00:00", "99999999999999999999:01:01 00:00:00",
      "2024:05:03 10:00:9223372036854775807", "-1:05:03 10:00:00", "0000:00:00 00:00:00",
      "2024:13:03 10:00:00", "2024:05:00 10:00:00", "2024:05:03 24:00:00", "2023:02:29 10:00:00",
      "2024:04:31 10:00:00",
    ])
  func badTimes(time: String) { #expect(CaptureTime(time) == nil) }

  @Test("days and seconds are those of the calendar, from 1 to 9999")
  func calendar() throws {
    var generator = SplitMix64(seed: 4)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for _ in 0..<500 {
      // Foundation has the Julian calendar before 1583.
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
    #expect(CaptureTime("2024:02:29 10:00:00")?.dayName == "2024:02:29")
    #expect(CaptureTime("2024:2:9 10:00:00")?.dayName == "2024:02:09")
  }

  @Test("the column time stands in where EXIF has no time that a clock shows")
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
  }

  @Test(
    "a moment of ISO 8601 is what its clock shows",
    arguments: [
      ("2024-05-04T10:00:00", "2024:05:04 10:00:00"), ("2024-05-04 10:07", "2024:05:04 10:07:00"),
      ("2024-05-04T10:00:09.75Z", "2024:05:04 10:00:09"),
      ("2024-05-04 10:00:00 +0200", "2024:05:04 10:00:00"),
      ("2024-05-04T10:00:00-07:00", "2024:05:04 10:00:00"), ("2024-05-04", "2024-05-04"),
      ("-1-05-04T10:00:00", "-1-05-04T10:00:00"), ("2024-05-04 10h", "2024-05-04 10h"),
      ("2024-05-04 10:00:00,5 UTC ", "2024:05:04 10:00:00"),
      ("2024-05-04 10:00:00 PM", "2024-05-04 10:00:00 PM"),
      ("2024-05-04 10:00 am", "2024-05-04 10:00 am"),
      ("T", "T"), ("Tuesday", "Tuesday"), ("", ""), ("2024:05:04 10:00:00", "2024:05:04 10:00:00"),
    ])
  func iso8601(text: String, expected: String) {
    #expect(CaptureTime.textOfEXIF(text) == expected)
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
    "a model has a building's days where its photos tell them, and a camera without a clock adds none"
  )
  func captureDays() {
    let (day, evening, other) = (
      "2024:05:03 10:00:00", "2024:05:03 18:00:00", "2024:05:04 10:00:00"
    )
    let zeros = "0000:00:00 00:00:00"
    #expect(Self.days([day, evening, day, day, zeros]) == 1)
    // One day is known of too few of them to be that of all.
    #expect(Self.days([day, evening, zeros, nil]) == nil)
    #expect(Self.days([day, other, nil, nil, nil]) == 2)
    #expect(Self.days([nil, zeros]) == nil)
  }
}
