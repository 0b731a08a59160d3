import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Google Takeout sidecars")
struct TakeoutSidecarTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let json = """
    {"title": "IMG.jpg", "photoTakenTime": {"timestamp": "1577880000", "formatted": "1 Jan 2020"},
     "geoData": {"latitude": 48.3, "longitude": 10.9, "altitude": 0.0},
     "geoDataExif": {"latitude": 0.0, "longitude": 0.0}}
    """

  private func photo(_ name: String, exif: [UInt8] = []) throws -> LabeledPhoto {
    let picture = RGBImage(width: 8, height: 8, pixels: [UInt8](repeating: 90, count: 192))
    let path = try folder.write(try JPEGEncoder.encode(picture, quality: 90, exif: exif), to: name)
    return LabeledPhoto(path: path, name: name, label: "hall", split: nil, group: nil)
  }

  @Test(
    "Sidecars are found under all names that Takeout gives them",
    arguments: [
      ("IMG.jpg", "IMG.jpg.json"), ("IMG.jpg", "IMG.jpg.supplemental-metadata.json"),
      ("IMG.jpg", "IMG.jpg.supplemental-meta.json"), ("IMG.jpg", "IMG.jpg.s.json"),
      ("IMG.jpg", "IMG.jpg..json"), ("IMG(1).jpg", "IMG.jpg(1).json"),
      ("IMG(1).jpg", "IMG.jpg.supplemental-metadata(1).json"), ("IMG-edited.jpg", "IMG.jpg.json"),
      ("IMG-bearbeitet.JPG", "IMG.JPG.supplemental-metadata.json"),
      ("IMG-modifié(2).jpg", "IMG.jpg(2).json"), ("IMG-edited(1).jpg", "IMG-edited.jpg(1).json"),
      ("IMG(1).jpg", "IMG(1).jpg.json"), ("IMG.jpg", "IMG.json"), ("IMG(3).jpg", "IMG(3).json"),
      ("IMG.jpeg", "IMG.jpeg.supplemental-me.json"), ("PXL.MP.jpg", "PXL.MP.jpg.suppl.json"),
      (
        "name of 40 letters, as people have it.jpg",
        "name of 40 letters, as people have it.jpg.supp.json"
      ),
      (
        "12345678901234567890123456789012345678901234567890.jpg",
        "1234567890123456789012345678901234567890123456.json"
      ),
    ])
  func names(photo name: String, sidecar: String) throws {
    let photo = try photo("hall/" + name)
    #expect(try photo.opened(by: PhotoDecoder()).metadata.position == nil)
    try folder.write(Self.json, to: "hall/" + sidecar)
    let metadata = try photo.opened(by: PhotoDecoder()).metadata
    #expect(metadata.position?.latitude == 48.3 && metadata.position?.longitude == 10.9)
    // 12:00 UTC in the zone of longitude 10.9.
    #expect(metadata.captureTime == "2020:01:01 13:00:00" && metadata.captureTimeOffset == "+01:00")
  }

  @Test("EXIF has precedence, and 0, 0 is no position")
  func precedence() throws {
    typealias Tag = EXIFBuilder.Tag
    let exif = EXIFBuilder().payload([
      Tag.exif: .directory([Tag.time: .text("2026:05:01 10:00:00")])
    ])
    let photo = try photo("1.jpg", exif: exif)
    try folder.write(Self.json, to: "1.jpg.json")
    let metadata = try photo.opened(by: PhotoDecoder()).metadata
    #expect(metadata.captureTime == "2026:05:01 10:00:00" && metadata.captureTimeOffset == nil)
    #expect(metadata.position?.latitude == 48.3)
    let unknown = #"{"photoTakenTime":{"timestamp":"0"},"geoData":{"latitude":0,"longitude":0}}"#
    #expect(TakeoutSidecar.metadata(in: Array(unknown.utf8)) == nil)
  }

  @Test("Other JSON files do not hide a sidecar, and it replaces an unreadable time")
  func others() throws {
    let exif = EXIFBuilder().payload([EXIFBuilder.Tag.dateTime: .text("yesterday")])
    let photo = try photo("1.jpg", exif: exif)
    #expect(try photo.opened(by: PhotoDecoder()).metadata.unreadableTime == "yesterday")
    try folder.write(#"{"caption":"A hall"}"#, to: "1.jpg.json")
    try folder.write(Self.json, to: "1.json")
    let metadata = try photo.opened(by: PhotoDecoder()).metadata
    #expect(metadata.captureTime == "2020:01:01 13:00:00" && metadata.unreadableTime == nil)
  }

  @Test(
    "Other JSON files change nothing",
    arguments: [
      "", "[]", "{", "{}", #"{"photoTakenTime":{"timestamp":"9223372036854775807"}}"#,
      #"{"photoTakenTime":7,"geoData":{"latitude":"48","longitude":10}}"#,
      #"{"geoData":{"latitude":480,"longitude":10}}"#,
    ])
  func invalid(text: String) throws {
    let photo = try photo("1.jpg")
    let plain = try photo.opened(by: PhotoDecoder()).metadata
    try folder.write(text, to: "1.jpg.json")
    #expect(try photo.opened(by: PhotoDecoder()).metadata == plain)
  }
}
