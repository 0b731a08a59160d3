public import CupolaCampus

// 1. `PhotoMetadata` holds orientation, position, heading, and time of a photo.
// 2. `EXIFReader` reads them from the directories of EXIF blocks, parsed by `TIFFBlock`.
// 3. `EXIFMeaning` and `EXIFTime` interpret the values, here and in `AppleImages.swift`.

/// The orientation, position, heading, and time from a photo's EXIF block.
public struct PhotoMetadata: Equatable, Sendable {
  /// The rotation of the stored image; `.up` if EXIF does not specify it.
  package var orientation = Orientation.up
  /// The position of the camera, with its accuracy if recorded.
  public var position: Position?
  /// The heading of the camera.
  public var heading: Heading?
  /// The capture time as `YYYY:MM:DD HH:MM:SS` in local time, or `YYYY:MM:DD` if the time of day is unknown.
  ///
  /// The first valid time of `DateTimeOriginal`, `DateTimeDigitized`, `DateTime`, and the GPS time, which is UTC.
  /// `DateTime`, the time of the last change, is not used if one of the first two consists of zeros.
  public var captureTime: String?
  /// The time zone of ``captureTime``, such as `+02:00`.
  package var captureTimeOffset: String?
  /// The equivalent focal length on 35 mm film, in millimeters.
  package var focalLength: Double?
  /// The text of a time that cannot be read, if there is no other time.
  package var unreadableTime: String?
  package var faults: [EXIFFault] = []

  package init() {}

  /// Returns the metadata with the position and the time of another source where they are missing.
  package func filled(from other: @autoclosure () -> PhotoMetadata?) -> PhotoMetadata {
    guard position == nil || captureTime == nil, let other = other() else { return self }
    var metadata = self
    metadata.position = position ?? other.position
    if captureTime == nil {
      metadata.captureTime = other.captureTime
      metadata.captureTimeOffset = other.captureTimeOffset
      metadata.unreadableTime =
        other.captureTime == nil ? unreadableTime ?? other.unreadableTime : nil
    }
    return metadata
  }

  /// Sets the capture time if the text is a time. EXIF's forms of an unknown time are ignored.
  mutating func setTime(_ text: String?, offset: String?) {
    guard let text, !EXIFTime.isUnknown(text) else { return }
    guard let time = EXIFTime(text) else {
      unreadableTime = unreadableTime ?? text
      return
    }
    (captureTime, unreadableTime) = (time.text, nil)
    captureTimeOffset = offset?.contains { $0 != ":" && $0 != " " } == true ? offset : time.offset
  }

  /// Sets the capture time from the GPS time in UTC: a date, and the hour, minute and second if known.
  mutating func setTime(gpsDate: String?, clock: [Double]?) {
    var text = gpsDate
    if let gpsDate, let day = EXIFTime(gpsDate), day.secondOfDay == nil,
      let clock = clock?.map({ Int(exactly: $0.rounded(.down)) }), clock.count == 3,
      let hour = clock[0], let minute = clock[1], let second = clock[2]
    {
      let whole = day.text + " \(hour):\(minute):\(second)"
      text = EXIFTime(whole) == nil ? gpsDate : whole
    }
    setTime(text, offset: "+00:00")
  }

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

/// A part of an EXIF block that is not used. Unknown values, such as 0/0, are not faults.
package enum EXIFFault: Equatable, Sendable {
  /// The block does not start with a TIFF header.
  case notTIFF
  /// A directory is outside the block, or refers to itself.
  case badOffset(Int)
  /// The value of a tag is outside the block.
  case pastEnd(tag: UInt16)
  /// The value of a tag is unusual: it does not have exactly one meaning.
  case badValue(tag: UInt16)

  /// Whether bytes are damaged or missing.
  package var isDamage: Bool {
    if case .badValue = self { false } else { true }
  }
}

/// Reads position, heading, time, and orientation from EXIF blocks (CIPA DC-008, JEITA CP-3451).
/// Accepts every form of a value that has exactly one meaning.
/// Checks every offset and enters no directory twice, so that malicious blocks cause neither crashes nor endless loops.
/// Skips unreadable parts, lists them in ``PhotoMetadata/faults``, and keeps the photo usable.
package struct EXIFReader {
  enum Tag {
    static let orientation: UInt16 = 0x0112
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    /// `DateTimeOriginal`, `DateTimeDigitized`, and `DateTime`, with their time zones.
    static let times: [(time: UInt16, offset: UInt16)] = [
      (0x9003, 0x9011), (0x9004, 0x9012), (change, 0x9010),
    ]
    static let change: UInt16 = 0x0132
    static let focalLength: UInt16 = 0xA405
    static let latitudeReference: UInt16 = 1
    static let latitude: UInt16 = 2
    static let longitudeReference: UInt16 = 3
    static let longitude: UInt16 = 4
    static let timeStamp: UInt16 = 7
    static let imageDirectionReference: UInt16 = 16
    static let imageDirection: UInt16 = 17
    static let dateStamp: UInt16 = 29
    static let horizontalError: UInt16 = 31
  }

  package static let mark = Array("Exif\0\0".utf8)

  /// Whether a segment starts with `Exif` and a NUL. Some programs write capital letters or another sixth byte.
  static func hasMark(_ segment: ArraySlice<UInt8>) -> Bool {
    let lowercase = segment.prefix(4).map { $0 | 0x20 }
    return segment.count >= mark.count && lowercase == Array("exif".utf8)
      && segment.dropFirst(4).first == 0
  }

  private var tiff: TIFFBlock
  private var metadata: PhotoMetadata
  private var hasOrientation = false

  /// Reads an APP1 payload without its `Exif\0\0` prefix. Returns empty metadata for `nil`.
  static func metadata(in block: [UInt8]?) -> PhotoMetadata {
    metadata(in: block.map { [$0] } ?? [])
  }

  /// Reads several blocks. A later block only adds what earlier blocks lack.
  static func metadata(in blocks: [[UInt8]]) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    var hasOrientation = false
    for block in blocks {
      guard let tiff = TIFFBlock(bytes: block) else {
        metadata.faults.append(.notTIFF)
        continue
      }
      var reader = EXIFReader(tiff: tiff, metadata: metadata, hasOrientation: hasOrientation)
      reader.readAll()
      (metadata, hasOrientation) = (reader.metadata, reader.hasOrientation)
    }
    return metadata
  }

  static func unmarked(_ block: ArraySlice<UInt8>) -> [UInt8] {
    Array(hasMark(block) ? block.dropFirst(mark.count) : block)
  }

  private mutating func readAll() {
    var entered: [Int] = []
    guard let main = directory(at: tiff.firstDirectory, entered: &entered) else { return }
    readOrientation(main)
    let exif = directory(main[Tag.exifDirectory], entered: &entered)
    let gps = directory(main[Tag.gpsDirectory] ?? exif[Tag.gpsDirectory], entered: &entered)
    readTime(exif.merging(main) { own, _ in own }, gps)
    readFocalLength(exif)
    readPosition(gps)
    readHeading(gps)
  }

  /// Returns the directory of a pointer, or an empty one. A pointer to 0 refers to none.
  private mutating func directory(
    _ pointer: TIFFBlock.Entry?, entered: inout [Int]
  ) -> TIFFBlock.Directory {
    guard let pointer, let offset = tiff.integer(pointer), offset != 0 else { return [:] }
    return directory(at: offset, entered: &entered) ?? [:]
  }

  private mutating func directory(at offset: Int, entered: inout [Int]) -> TIFFBlock.Directory? {
    guard !entered.contains(offset), let directory = tiff.directory(at: offset) else {
      metadata.faults.append(.badOffset(offset))
      return nil
    }
    entered.append(offset)
    return directory
  }

  /// Some cameras write 0 for "unknown", which is not a fault.
  private mutating func readOrientation(_ main: TIFFBlock.Directory) {
    guard !hasOrientation, let value = numbers(main, Tag.orientation)?.first, value != 0,
      !value.isNaN
    else { return }
    guard let number = Int(exactly: value), let orientation = Orientation(rawValue: number) else {
      return metadata.faults.append(.badValue(tag: Tag.orientation))
    }
    (metadata.orientation, hasOrientation) = (orientation, true)
  }

  private mutating func readTime(_ fields: TIFFBlock.Directory, _ gps: TIFFBlock.Directory) {
    // The time of the last change does not replace a capture time that the camera wrote as unknown.
    var isUnknown = false
    for (time, offset) in Tag.times where metadata.captureTime == nil {
      guard let text = text(fields, time), !isUnknown || time != Tag.change else { continue }
      isUnknown = isUnknown || EXIFTime.isUnknown(text)
      metadata.setTime(text, offset: self.text(fields, offset))
    }
    guard metadata.captureTime == nil, let date = text(gps, Tag.dateStamp) else { return }
    metadata.setTime(gpsDate: date, clock: gps[Tag.timeStamp].flatMap { tiff.numbers($0) })
  }

  /// 0 means unknown and is not a fault.
  private mutating func readFocalLength(_ exif: TIFFBlock.Directory) {
    guard metadata.focalLength == nil, let length = numbers(exif, Tag.focalLength)?.first else {
      return
    }
    metadata.focalLength = length > 0 && length.isFinite ? length : nil
  }

  private mutating func readPosition(_ gps: TIFFBlock.Directory) {
    guard metadata.position == nil, gps[Tag.latitude] != nil || gps[Tag.longitude] != nil,
      let latitude = coordinate(gps, Tag.latitude, Tag.latitudeReference, .latitude),
      let longitude = coordinate(gps, Tag.longitude, Tag.longitudeReference, .longitude),
      !EXIFMeaning.isUnknown(latitude, longitude)
    else { return }
    guard let position = Position(latitude: latitude, longitude: longitude) else {
      return metadata.faults.append(.badValue(tag: Tag.latitude))
    }
    metadata.position = position
    guard let error = numbers(gps, Tag.horizontalError)?.first, !EXIFMeaning.isUnknown(error: error)
    else { return }
    guard let known = position.with(horizontalError: error) else {
      return metadata.faults.append(.badValue(tag: Tag.horizontalError))
    }
    metadata.position = known
  }

  private mutating func readHeading(_ gps: TIFFBlock.Directory) {
    guard metadata.heading == nil,
      let degrees = numbers(gps, Tag.imageDirection, limit: 360)?.first, !degrees.isNaN
    else { return }
    let reference = gps[Tag.imageDirectionReference].flatMap { tiff.text($0) }
    metadata.heading = EXIFMeaning.heading(degrees, reference)
    if metadata.heading == nil { metadata.faults.append(.badValue(tag: Tag.imageDirection)) }
  }

  /// Returns a coordinate, NaN if unknown; records a fault and returns `nil` if it does not have exactly one meaning.
  private mutating func coordinate(
    _ gps: TIFFBlock.Directory, _ tag: UInt16, _ referenceTag: UInt16, _ axis: EXIFMeaning.Axis
  ) -> Double? {
    let reference = gps[referenceTag].flatMap { tiff.text($0) }
    let parts = numbers(gps, tag, limit: 360)
    guard parts != nil || gps[tag] == nil else { return nil }
    let degrees = parts.flatMap { EXIFMeaning.coordinate($0, reference, axis) }
    if degrees == nil { metadata.faults.append(.badValue(tag: tag)) }
    return degrees
  }

  /// Returns the values of a tag; `nil` if it is missing, or unreadable, which is a fault.
  private mutating func numbers(
    _ directory: TIFFBlock.Directory, _ tag: UInt16, limit: Double = .infinity
  ) -> [Double]? {
    guard let entry = directory[tag] else { return nil }
    guard tiff.holds(entry) else {
      metadata.faults.append(.pastEnd(tag: tag))
      return nil
    }
    let numbers = tiff.numbers(entry, limit: limit)
    if numbers == nil { metadata.faults.append(.badValue(tag: tag)) }
    return numbers
  }

  private mutating func text(_ directory: TIFFBlock.Directory, _ tag: UInt16) -> String? {
    guard let entry = directory[tag] else { return nil }
    if !tiff.holds(entry) { metadata.faults.append(.pastEnd(tag: tag)) }
    return tiff.text(entry)
  }
}
