import Testing

@testable import Cupola

@Suite("Metadata of photos") struct PhotoMetadataTests {
  @Test(
    "A photo's time is a year and its part",
    arguments: [
      ("2026:01:01 00:00:00", 2026, 0, 365), ("2026:07:02 12:00:00", 2026, 182, 365),
      ("2024:12:31 23:59:59", 2024, 365, 366), ("2024:02:29", 2024, 59, 366),
      ("2000:02:29 00:00:00", 2000, 59, 366), ("2025:12:31 00:00:00", 2025, 364, 365),
    ] as [(String, Double, Double, Double)])
  func years(time: String, year: Double, day: Double, length: Double) throws {
    var metadata = PhotoMetadata()
    metadata.captureTime = time
    #expect(metadata.decimalYear == year + day / length)
  }

  @Test(
    "A time that is none has no year",
    arguments: [
      nil, "", "0000:00:00 00:00:00", "2026:13:01 00:00:00", "2026:02:29 00:00:00",
      "1900:02:29 00:00:00", "2026:00:10", "2026:01:00", "2026:01", "2026-01-01 00:00:00",
      "    :  :     :  :  ", "20260101", "-2026:01:01", "2026:01:01:01",
    ])
  func noYears(time: String?) {
    var metadata = PhotoMetadata()
    metadata.captureTime = time
    #expect(metadata.decimalYear == nil)
  }
}
