public import CupolaCampus

// 1. `PhotoMetadata` holds orientation, position, heading, and time of a photo.
// 2. `EXIFReader` reads them from the directories of an EXIF block, parsed by `TIFFBlock`.

/// The orientation, position, heading, and time from a photo's EXIF block.
public struct PhotoMetadata: Equatable, Sendable {
  /// The rotation of the stored image; `.up` if EXIF does not specify it.
  package var orientation = Orientation.up
  /// The position of the camera, with its accuracy if recorded.
  public var position: Position?
  /// The heading of the camera.
  public var heading: Heading?
  /// `DateTimeOriginal` as `YYYY:MM:DD HH:MM:SS` in local time.
  public var captureTime: String?
  /// `OffsetTimeOriginal`, such as `+02:00`.
  public var captureTimeOffset: String?
  /// The equivalent focal length on 35 mm film, in millimeters.
  package var focalLength: Double?
  package var faults: [EXIFFault] = []

  package init() {}

  /// The capture date as a decimal year, such as 2026.5 for July 2, 2026 at noon; `nil` if ``captureTime`` is not a
  /// valid Gregorian date. Ignores the time of day: magnetic declination changes by about 0.001 degrees per day.
  package var decimalYear: Double? {
    let parts = captureTime?.prefix { $0 != " " }.split(separator: ":").map { Int($0) } ?? []
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      year >= 1583, GregorianCalendar.has(year: year, month: month, day: day)
    else { return nil }
    let first = GregorianCalendar.dayNumber(year: year, month: 1, day: 1)
    let before = GregorianCalendar.dayNumber(year: year, month: month, day: day) - first
    let days = GregorianCalendar.dayNumber(year: year + 1, month: 1, day: 1) - first
    return Double(year) + Double(before) / Double(days)
  }
}

package enum EXIFFault: Equatable, Sendable {
  /// The block does not start with a TIFF header.
  case notTIFF
  /// A directory or value is outside the block, or a directory refers to itself.
  case badOffset(Int)
  /// The type or value of a tag is invalid.
  case badValue(tag: UInt16)
}

/// Reads position, heading, time, and orientation from an EXIF block (CIPA DC-008, JEITA CP-3451).
/// Checks every offset and enters no directory twice, so that malicious blocks cause neither crashes nor endless loops.
/// Skips unreadable parts, lists them in ``PhotoMetadata/faults``, and keeps the photo usable.
package struct EXIFReader {
  private enum Tag {
    static let orientation: UInt16 = 0x0112
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let dateTimeOriginal: UInt16 = 0x9003
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let focalLength: UInt16 = 0xA405
    static let latitudeReference: UInt16 = 1
    static let latitude: UInt16 = 2
    static let longitudeReference: UInt16 = 3
    static let longitude: UInt16 = 4
    static let imageDirectionReference: UInt16 = 16
    static let imageDirection: UInt16 = 17
    static let horizontalError: UInt16 = 31
  }

  package static let mark = Array("Exif\0\0".utf8)

  private var tiff: TIFFBlock
  private var metadata = PhotoMetadata()

  /// Reads an APP1 payload without its `Exif\0\0` prefix. Returns empty metadata for `nil`.
  static func metadata(in block: [UInt8]?) -> PhotoMetadata {
    guard let block else { return PhotoMetadata() }
    guard let tiff = TIFFBlock(bytes: block) else {
      var metadata = PhotoMetadata()
      metadata.faults = [.notTIFF]
      return metadata
    }
    var reader = EXIFReader(tiff: tiff)
    reader.readAll()
    return reader.metadata
  }

  static func unmarked(_ block: ArraySlice<UInt8>) -> [UInt8] {
    Array(block.starts(with: mark) ? block.dropFirst(mark.count) : block)
  }

  /// Returns the block with its orientation set to upright. Returns a block without orientation unchanged.
  package static func upright(_ block: [UInt8]) -> [UInt8] {
    guard let tiff = TIFFBlock(bytes: block),
      let entry = tiff.directory(at: tiff.firstDirectory)?[Tag.orientation]
    else { return block }
    return tiff.replacing(entry, with: UInt8(Orientation.up.rawValue))
  }

  private init(tiff: TIFFBlock) { self.tiff = tiff }

  private mutating func readAll() {
    var entered: [Int] = []
    guard let main = directory(at: tiff.firstDirectory, entered: &entered) else { return }
    readOrientation(main)
    if let entry = main[Tag.exifDirectory], let offset = tiff.integer(entry) {
      if let exif = directory(at: offset, entered: &entered) {
        readTimes(exif)
        readFocalLength(exif)
      }
    }
    if let entry = main[Tag.gpsDirectory], let offset = tiff.integer(entry) {
      if let gps = directory(at: offset, entered: &entered) {
        readPosition(gps)
        readHeading(gps)
      }
    }
  }

  private mutating func directory(at offset: Int, entered: inout [Int]) -> TIFFBlock.Directory? {
    guard !entered.contains(offset), let directory = tiff.directory(at: offset) else {
      metadata.faults.append(.badOffset(offset))
      return nil
    }
    entered.append(offset)
    return directory
  }

  private mutating func readOrientation(_ main: TIFFBlock.Directory) {
    guard let entry = main[Tag.orientation] else { return }
    // Some cameras write 0 for "unknown", which is not a fault.
    guard let value = tiff.integer(entry), let orientation = Orientation(rawValue: max(value, 1))
    else { return metadata.faults.append(.badValue(tag: Tag.orientation)) }
    metadata.orientation = orientation
  }

  private mutating func readTimes(_ exif: TIFFBlock.Directory) {
    metadata.captureTime = time(exif, Tag.dateTimeOriginal)
    metadata.captureTimeOffset = time(exif, Tag.offsetTimeOriginal)
  }

  /// 0 means unknown and is not a fault.
  private mutating func readFocalLength(_ exif: TIFFBlock.Directory) {
    guard let entry = exif[Tag.focalLength] else { return }
    guard let length = tiff.integer(entry) else {
      return metadata.faults.append(.badValue(tag: Tag.focalLength))
    }
    metadata.focalLength = length > 0 ? Double(length) : nil
  }

  /// Returns a text. Cameras with an unset clock write blanks, which are not a fault.
  private mutating func time(_ exif: TIFFBlock.Directory, _ tag: UInt16) -> String? {
    guard let entry = exif[tag] else { return nil }
    if !tiff.holds(entry) { metadata.faults.append(.badValue(tag: tag)) }
    return tiff.text(entry)
  }

  private mutating func readPosition(_ gps: TIFFBlock.Directory) {
    guard gps[Tag.latitude] != nil || gps[Tag.longitude] != nil else { return }
    guard
      let latitude = coordinate(
        gps, Tag.latitude, reference: Tag.latitudeReference, positive: "N", negative: "S"),
      let longitude = coordinate(
        gps, Tag.longitude, reference: Tag.longitudeReference, positive: "E", negative: "W")
    else { return }
    // Phones without a GPS fix write 0, 0.
    if latitude == 0, longitude == 0 { return }
    guard let position = Position(latitude: latitude, longitude: longitude) else {
      return metadata.faults.append(.badValue(tag: Tag.latitude))
    }
    metadata.position = position
    guard let entry = gps[Tag.horizontalError] else { return }
    if let error = tiff.rationals(entry, count: 1)?.first,
      let known = position.with(horizontalError: error)
    {
      metadata.position = known
    } else {
      metadata.faults.append(.badValue(tag: Tag.horizontalError))
    }
  }

  private mutating func readHeading(_ gps: TIFFBlock.Directory) {
    guard let entry = gps[Tag.imageDirection] else { return }
    guard let degrees = tiff.rationals(entry, count: 1)?.first, degrees >= 0, degrees <= 360 else {
      return metadata.faults.append(.badValue(tag: Tag.imageDirection))
    }
    let reference = gps[Tag.imageDirectionReference].flatMap { tiff.text($0) }
    metadata.heading = Heading(
      degrees: degrees, reference: reference == "M" ? .magneticNorth : .trueNorth)
  }

  /// Converts degrees, minutes, and seconds to a signed number; records a fault and returns `nil` if they are invalid.
  private mutating func coordinate(
    _ gps: TIFFBlock.Directory, _ tag: UInt16, reference referenceTag: UInt16,
    positive: String, negative: String
  ) -> Double? {
    let reference = gps[referenceTag].flatMap { tiff.text($0) }
    guard
      let parts = gps[tag].flatMap({ tiff.rationals($0, count: 3) }),
      parts.allSatisfy({ $0 >= 0 }),
      let reference, reference == positive || reference == negative
    else {
      metadata.faults.append(.badValue(tag: tag))
      return nil
    }
    let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
    return reference == negative ? -degrees : degrees
  }
}
