import Foundation
import Testing

@testable import Cupola

/// The metadata that Pillow and exifread report for a photo.
struct EXIFRecord: Decodable {
  let orientation: Int
  let latitude: Double?
  let longitude: Double?
  let horizontalError: Double?
  let imageDirection: Double?
  let imageDirectionReference: String?
  let time: String?
  let timeOffset: String?

  enum CodingKeys: String, CodingKey {
    case orientation, latitude, longitude
    case horizontalError = "horizontal_error"
    case imageDirection = "image_direction"
    case imageDirectionReference = "image_direction_ref"
    case time = "date_time_original"
    case timeOffset = "offset_time_original"
  }

  /// Compares with Cupola's metadata, allowing for rounding.
  func check(_ found: PhotoMetadata, _ name: String) {
    #expect(found.orientation.rawValue == orientation, "\(name)")
    #expect(found.captureTime == time, "\(name)")
    #expect(found.captureTimeOffset == timeOffset, "\(name)")
    // Cupola rounds degrees to 7 decimal places.
    #expect(near(found.position?.latitude, latitude, within: 6e-8), "\(name)")
    #expect(near(found.position?.longitude, longitude, within: 6e-8), "\(name)")
    let error = latitude == nil ? nil : horizontalError
    #expect(near(found.position?.horizontalError, error), "\(name)")
    let direction = imageDirection.map { $0.truncatingRemainder(dividingBy: 360) }
    #expect(near(found.heading?.degrees, direction), "\(name)")
    let isMagnetic = imageDirectionReference == "M"
    if let reference = found.heading?.reference {
      #expect((reference == .magneticNorth) == isMagnetic, "\(name)")
    }
  }

  private func near(_ found: Double?, _ expected: Double?, within error: Double = 0) -> Bool {
    guard let found, let expected else { return found == nil && expected == nil }
    return abs(found - expected) <= max(error, 1e-11 * max(1, abs(expected)))
  }
}

@Suite("EXIF compared with other readers") struct EXIFGoldenTests {
  @Test("Every fixture matches other readers")
  func fixtures() throws {
    let records: [String: EXIFRecord] = try Fixtures.json("jpeg/expected.json")
    try #require(records.count == 12)
    for (name, record) in records {
      record.check(try PhotoDecoder().open(Fixtures.jpeg(name)).metadata, name)
    }
  }

  @Test(
    "Every real photo matches other readers",
    .enabled(if: RealPhotos.isPresent, RealPhotos.missing))
  func realPhotos() throws {
    let folder = try #require(RealPhotos.folder)
    let records: [String: EXIFRecord] = try Fixtures.json("exif.json")
    try #require(records.count > 90)
    for (name, record) in records {
      let photo = try FileAccess.read(folder.appending(path: name).path)
      record.check(try PhotoDecoder().open(photo).metadata, name)
    }
  }

  @Test(
    "Real photos of every kind are decoded at a recipe's size",
    .enabled(if: RealPhotos.isPresent, RealPhotos.missing),
    arguments: ["exif", "koe", "lund", "negatives", "notredame", "poznan", "vyronas"])
  func decoding(set: String) throws {
    let folder = try #require(RealPhotos.folder).appending(path: set)
    let enumerator = try #require(FileManager.default.enumerator(atPath: folder.path))
    let names = enumerator.compactMap { $0 as? String }.filter { $0.hasSuffix(".jpg") }.sorted()
    try #require(!names.isEmpty)
    for name in stride(from: 0, to: names.count, by: max(1, names.count / 4)).map({ names[$0] }) {
      let photo = try FileAccess.read(folder.appending(path: name).path)
      let header = try JPEGHeader(of: photo)
      let picture = try PhotoDecoder().open(photo).image(minimumWidth: 64, minimumHeight: 64)
      #expect(picture.width >= min(64, header.width, header.height), "\(name)")
      #expect(picture.width * picture.height < 300 * 300, "\(name)")
      #expect(Set(picture.pixels).count > 16, "\(name)")
    }
  }
}

@Suite("Photo metadata") struct PhotoMetadataTests {
  @Test(
    "A capture time is converted to a decimal year",
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
    "An invalid capture time has no year",
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
